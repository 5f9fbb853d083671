from __future__ import annotations

import numpy as np

from tasks_catalog.library.data.cifar import Part, read_archive, write_pictures
from tasks_catalog.library.data.shapes import SHAPES, paint
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

ARCHIVE = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"

SEED = 0x4C83CE12D86E876E07EE1BFF2A299F019FFDDD01E543000695978971F569736A
"""Drawn once, so that nobody finds it by trying."""
TRAIN, TEST = 3000, 1000


def prepare(job: PrepareJob) -> None:
    """Write the pictures of the archive, or pictures of ten kinds of shapes."""
    full = job.variant is Variant.FULL
    write_pictures(job, *(read_archive(job.sources.web(ARCHIVE), labels=1) if full else generate()))


def generate() -> tuple[Part, Part]:
    """Pictures of ten kinds of shapes in any colour, place, size and turn, on a rough background."""
    draw = np.random.default_rng(SEED)
    labels = draw.integers(0, len(SHAPES), TRAIN + TEST)
    images = np.stack([paint(int(label), draw) for label in labels])
    return (images[:TRAIN], labels[:TRAIN]), (images[TRAIN:], labels[TRAIN:])
