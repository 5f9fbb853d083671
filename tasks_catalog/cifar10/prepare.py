from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.errors import PrepareError
from tasks_catalog.prepare import PrepareJob
from tasks_catalog.spec import Variant

ARCHIVE = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"
RECORD = 1 + 3 * 32 * 32

SEED = 10
TRAIN, TEST = 3000, 1000
SIZE = 32

Images = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int64]
Grid = npt.NDArray[np.float64]


def prepare(job: PrepareJob) -> None:
    """Write the training images with labels, and the test images without."""
    read = read_archive(job.sources.web(ARCHIVE)) if job.variant is Variant.FULL else generate()
    (train_images, train_labels), (test_images, test_labels) = read
    np.savez(job.public / "train.npz", images=train_images, labels=train_labels)
    np.savez(job.public / "test.npz", images=test_images)
    answers = pd.DataFrame({"id": np.arange(len(test_labels)), "label": test_labels})
    answers.to_csv(job.private / "answers.csv", index=False)


def read_archive(path: Path) -> tuple[tuple[Images, Labels], tuple[Images, Labels]]:
    """The original's archive of binary batches, with its own split."""
    batches: dict[str, Images] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None and member.name.endswith(".bin"):
                batches[Path(member.name).name] = np.frombuffer(file.read(), np.uint8).reshape(-1, RECORD)
    if "test_batch.bin" not in batches:
        raise PrepareError(f"{path} is not the binary archive of CIFAR-10")
    test = batches.pop("test_batch.bin")
    return split_records(np.concatenate([batches[name] for name in sorted(batches)])), split_records(test)


def split_records(records: Images) -> tuple[Images, Labels]:
    """Images (n, 32, 32, 3) and labels of records of one label and three colour planes."""
    images = records[:, 1:].reshape(-1, 3, SIZE, SIZE).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(images), records[:, 0].astype(np.int64)


def generate() -> tuple[tuple[Images, Labels], tuple[Images, Labels]]:
    """Pictures of ten kinds of shapes in any colour, place, size and turn, on a rough background."""
    draw = np.random.default_rng(SEED)
    labels = draw.integers(0, len(SHAPES), TRAIN + TEST)
    images = np.stack([paint(int(label), draw) for label in labels])
    return (images[:TRAIN], labels[:TRAIN]), (images[TRAIN:], labels[TRAIN:])


def paint(label: int, draw: np.random.Generator) -> Images:
    """One picture (32, 32, 3)."""
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    turn, scale = draw.uniform(-0.5, 0.5), draw.uniform(6, 11)
    centre = draw.uniform(11, 21, 2)
    x, y = (columns - centre[0]) / scale, (rows - centre[1]) / scale
    x, y = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
    inside = SHAPES[label](x, y)[..., None]
    background, colour = draw.uniform(0, 255, 3), draw.uniform(0, 255, 3)
    slope = draw.normal(0, 2.5, (2, 3))
    field = background + (rows[..., None] - 16) * slope[0] + (columns[..., None] - 16) * slope[1]
    rough = np.kron(draw.normal(0, 18, (8, 8, 3)), np.ones((4, 4, 1)))
    picture = np.where(inside, 0.85 * colour + 0.15 * field, field) + rough + draw.normal(0, 10, (SIZE, SIZE, 3))
    return np.clip(picture, 0, 255).astype(np.uint8)


def disc(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    """Everything within 1 of the centre."""
    return x**2 + y**2 < 1


def square(x: Grid, y: Grid) -> npt.NDArray[np.bool_]:
    """Everything within 0.9 in both directions."""
    return np.maximum(abs(x), abs(y)) < 0.9


SHAPES = (
    disc,
    square,
    lambda x, y: (y < 0.8) & (y > 2 * abs(x) - 1),
    lambda x, y: disc(x, y) & ~disc(2 * x, 2 * y),
    lambda x, y: square(x, y) & (np.minimum(abs(x), abs(y)) < 0.3),
    lambda x, y: square(x, y) & (np.sin(7 * y) > 0),
    lambda x, y: square(x, y) & (np.sin(7 * x) > 0),
    lambda x, y: square(x, y) & (np.sin(6 * x) * np.sin(6 * y) > 0),
    lambda x, y: disc(2 * x - 1, 2 * y) | disc(2 * x + 1, 2 * y),
    lambda x, y: disc(x, y) & (x > 0.1 * np.sin(3 * y)),
)
"""What makes a class: disc, square, triangle, ring, cross, rows, columns, checks, a pair, half a disc."""
