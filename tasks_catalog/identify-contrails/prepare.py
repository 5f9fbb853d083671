from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

COMPETITION = "google-research-identify-contrails-reduce-global-warming"
PARTS = {"train": "train", "validation": "test"}
"""The competition's parts with published masks, and what they become here."""
BANDS = ("11", "14", "15")
"""At 8.4, 11.2 and 12.3 µm."""
LABELLED = 4
"""The frame, of eight in ten minutes each, that people drew the masks on."""

TRAIN, TEST = 400, 150
SIZE = 64
SEED = 0xB0543A4C96B947AEAE55F2D64960C08086EAEF19218EB0039CE175AF46A65925
"""Drawn once, so that nobody finds it by trying."""
CONTRAIL = np.array([-40.0, 16.0, -28.0])
"""What ice adds to the three false colours."""

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Field = npt.NDArray[np.float64]
Scene = tuple[str, Picture, Mask]


def prepare(job: PrepareJob) -> None:
    """Write pictures and masks to learn from, the pictures to segment, and their masks for the grader."""
    parts = read_competition(job) if job.variant is Variant.FULL else generate()
    for part, (count, scenes) in parts.items():
        write_part(job, part, count, scenes)


def write_part(job: PrepareJob, part: str, count: int, scenes: Iterable[Scene]) -> None:
    """Lay the scenes into arrays on the disk one by one: together they may not fit into memory."""
    names, marked = [], []
    pictures: npt.NDArray[np.uint8] | None = None
    masks: npt.NDArray[np.bool_] | None = None
    for name, picture, mask in scenes:
        if pictures is None or masks is None:
            pictures = new_array(job.public / f"{part}_images.npy", np.uint8, (count, *picture.shape))
            folder = job.public if part == "train" else job.private
            masks = new_array(folder / f"{part}_masks.npy", np.bool_, (count, *mask.shape))
        pictures[len(names)], masks[len(names)] = picture, mask
        names.append(name)
        marked.append(int(mask.sum()))
    pd.DataFrame({"record_id": names}).to_csv(job.public / f"{part}.csv", index=False)
    if part == "test":
        pd.DataFrame({"record_id": names, "pixels": marked}).to_csv(job.private / "answers.csv", index=False)


def new_array(path: Path, kind: type[np.generic], shape: tuple[int, ...]) -> npt.NDArray[np.generic]:
    """An array that is a file."""
    return np.lib.format.open_memmap(path, "w+", kind, shape)


def read_competition(job: PrepareJob) -> dict[str, tuple[int, Iterator[Scene]]]:
    """The parts of the competition, fetched file by file: of each record three bands and the mask."""
    return {ours: read_part(job, theirs) for theirs, ours in PARTS.items()}


def read_part(job: PrepareJob, part: str) -> tuple[int, Iterator[Scene]]:
    """How many records a part has, and the records one by one."""
    metadata = json.loads(job.sources.kaggle(COMPETITION, f"{part}_metadata.json").read_bytes())
    names = [str(record["record_id"]) for record in metadata]
    return len(names), (read_record(job, part, name) for name in names)


def read_record(job: PrepareJob, part: str, name: str) -> Scene:
    """The frame of a record that people labelled, with their mask."""
    bands = {}
    for band in BANDS:
        frames = np.load(job.sources.kaggle(COMPETITION, f"{part}/{name}/band_{band}.npy"), allow_pickle=False)
        bands[band] = frames[..., LABELLED].astype(np.float64)
    mask = np.load(job.sources.kaggle(COMPETITION, f"{part}/{name}/human_pixel_masks.npy"), allow_pickle=False)
    return name, false_colours(bands["11"], bands["14"], bands["15"]), mask[..., 0] > 0


def false_colours(band_11: Field, band_14: Field, band_15: Field) -> Picture:
    """The "ash" colours in which thin ice clouds stand out, from brightness temperatures in kelvin.

    Red is the difference of 12.3 and 11.2 µm from -4 to 2 K, green that of 11.2 and 8.4 µm from -4 to 5 K,
    blue the temperature at 11.2 µm from 243 to 303 K (Kulik 2019, as used by the competition's hosts).
    """
    scaled = [(band_15 - band_14 + 4) / 6, (band_14 - band_11 + 4) / 9, (band_14 - 243) / 60]
    return (np.stack(scaled, axis=-1).clip(0, 1) * 255).round().astype(np.uint8)


def generate() -> dict[str, tuple[int, Iterator[Scene]]]:
    """Scenes with clouds, haze and thin straight lines, all of which have the lines' colour."""
    draw = np.random.default_rng(SEED)
    names = [f"{n:06d}" for n in range(TRAIN + TEST)]
    return {"train": painted(names[:TRAIN], draw), "test": painted(names[TRAIN:], draw)}


def painted(names: list[str], draw: np.random.Generator) -> tuple[int, Iterator[Scene]]:
    """How many scenes there are, and the scenes one by one."""
    return len(names), (paint(name, draw) for name in names)


def paint(name: str, draw: np.random.Generator) -> Scene:
    """One scene: smooth ground, ice clouds of the contrails' colour, up to four contrails, and noise."""
    ground = np.array([150.0, 120.0, 170.0]) + np.stack([18 * smooth(draw, 4) for _ in range(3)], axis=-1)
    clouds = 0.9 * np.clip(smooth(draw, 6) - 0.5, 0, None) + 0.7 * np.clip(smooth(draw, 16) - 1.4, 0, None)
    mask = np.zeros((SIZE, SIZE), dtype=bool)
    lines = np.zeros((SIZE, SIZE))
    for _ in range(draw.choice(5, p=(0.3, 0.3, 0.2, 0.1, 0.1))):
        distance, along = line(draw)
        width = draw.uniform(0.8, 1.6)
        inside = along & (distance < width + 0.5)
        mask |= inside
        lines = np.maximum(lines, draw.uniform(0.4, 1.0) * along * np.exp(-((distance / (width + 0.4)) ** 2)))
    picture = ground + (clouds + lines)[..., None] * CONTRAIL + draw.normal(0, 7, ground.shape)
    return name, picture.clip(0, 255).astype(np.uint8), mask


def smooth(draw: np.random.Generator, cells: int) -> Field:
    """A random field (SIZE, SIZE) of unit variance whose features are about SIZE / cells wide."""
    from scipy.ndimage import zoom

    field = zoom(draw.normal(size=(cells + 3, cells + 3)), SIZE / cells, order=3)[:SIZE, :SIZE]
    return (field - field.mean()) / field.std()


def line(draw: np.random.Generator) -> tuple[Field, Mask]:
    """How far each pixel is from a slightly bent line, and which lie beside it between its ends."""
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    angle, bend = draw.uniform(0, np.pi), draw.normal(0, 0.0015)
    row, column = draw.uniform(0, SIZE, 2)
    forward = (columns - column) * np.cos(angle) + (rows - row) * np.sin(angle)
    aside = (rows - row) * np.cos(angle) - (columns - column) * np.sin(angle)
    return np.abs(aside - bend * forward**2), np.abs(forward) < draw.uniform(12, 40)
