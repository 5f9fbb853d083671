"""What ``cifar10`` and ``cifar100`` share: the archives, the layout of the data, and the grade."""

from __future__ import annotations

import csv
import tarfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.library.data.shapes import SIZE
from tasks_catalog.library.errors import PrepareError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.submissions import number, probabilities, read_predictions

Images = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int64]
Part = tuple[Images, Labels]


def read_archive(path: Path, labels: int) -> tuple[Part, Part]:
    """The training and test part of a binary archive (Krizhevsky 2009), as its authors split it.

    Args:
        path: The archive of ``.bin`` files.
        labels: How many labels, a byte each, a record begins with; the last is the class.

    Raises:
        PrepareError: It is no such archive.
    """
    batches: dict[str, Images] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None and member.name.endswith(".bin"):
                batches[Path(member.name).name] = np.frombuffer(file.read(), np.uint8)
    train = [batches[name] for name in sorted(batches) if not name.startswith("test")]
    test = [batches[name] for name in sorted(batches) if name.startswith("test")]
    record = labels + 3 * SIZE * SIZE
    if not (train and test) or any(len(batch) % record for batch in batches.values()):
        raise PrepareError(f"{path} is not the binary archive of the data set")
    return split_records(np.concatenate(train), labels), split_records(np.concatenate(test), labels)


def split_records(content: Images, labels: int) -> Part:
    """Images (n, 32, 32, 3) and classes of records of labels and three colour planes."""
    records = content.reshape(-1, labels + 3 * SIZE * SIZE)
    images = records[:, labels:].reshape(-1, 3, SIZE, SIZE).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(images), records[:, labels - 1].astype(np.int64)


def write_pictures(job: PrepareJob, train: Part, test: Part) -> None:
    """Write the training images with labels, and the test images without."""
    np.savez(job.public / "train.npz", images=train[0], labels=train[1])
    np.savez(job.public / "test.npz", images=test[0])
    answers = pd.DataFrame({"id": np.arange(len(test[1])), "label": test[1]})
    answers.to_csv(job.private / "answers.csv", index=False)


def accuracy(artifacts: Path, private: Path, classes: int) -> Grade:
    """Accuracy of the likeliest class over the hidden pictures, matched by id."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["id"]: int(row["label"]) for row in csv.DictReader(file)}
    columns = read_predictions(
        artifacts / "submission.csv",
        id_column="id",
        ids=list(answers),
        columns={str(name): number for name in range(classes)},
    )
    predicted = probabilities(list(columns.values()), ids=list(answers), file="submission.csv")
    return Grade(score=float((predicted.argmax(axis=1) == np.array(list(answers.values()))).mean()))
