from __future__ import annotations

import numpy as np

from tasks_catalog.library.data.cifar import Part, read_archive, write_pictures
from tasks_catalog.library.data.shapes import SHAPES, paint
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

ARCHIVE = "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz"

SEED = 0x42FD1B826A3D4263683B21A73519E4413CAAB90924C139C8B8EE702017C72BDA
"""Drawn once, so that nobody finds it by trying."""
TRAIN, TEST = 5000, 2000
COLOURS = np.array(
    [
        (230, 50, 50), (60, 180, 70), (60, 90, 230), (240, 220, 60), (245, 140, 40),
        (150, 60, 190), (70, 210, 220), (250, 170, 200), (245, 245, 245), (25, 25, 25),
    ]
)  # fmt: skip
"""Red, green, blue, yellow, orange, violet, cyan, pink, white and black."""


def prepare(job: PrepareJob) -> None:
    """Write the pictures of the archive, or pictures of a hundred kinds of coloured shapes."""
    full = job.variant is Variant.FULL
    write_pictures(job, *(read_archive(job.sources.web(ARCHIVE), labels=2) if full else generate()))


def generate() -> tuple[Part, Part]:
    """Pictures of ten shapes in ten colours, each pair a class, in any place, size and turn."""
    draw = np.random.default_rng(SEED)
    labels = draw.integers(0, len(SHAPES) * len(COLOURS), TRAIN + TEST)
    images = np.stack([paint(label // len(COLOURS), draw, COLOURS[label % len(COLOURS)]) for label in labels])
    return (images[:TRAIN], labels[:TRAIN]), (images[TRAIN:], labels[TRAIN:])
