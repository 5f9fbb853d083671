from __future__ import annotations

from pathlib import Path

import numpy as np

from tasks_catalog.library.drawing import DrawJob
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Variant

BATCH = {Variant.MINI: 4, Variant.FULL: 32}
REPETITIONS = 7
SEED = 20240611


def prepare(job: PrepareJob) -> None:
    """Draw one example batch."""
    write_batch(job.public, BATCH[job.variant], np.random.default_rng(SEED))


def draw(job: DrawJob) -> None:
    """Draw another batch for each repetition of the grader."""
    for repetition in range(REPETITIONS):
        write_batch(job.exam / "inputs" / str(repetition), BATCH[job.variant], job.random)


def write_batch(folder: Path, batch: int, random: np.random.Generator) -> None:
    """Save images (batch, 64, 64, 3), filters (3, 3, 3, 8) and a bias (8,), all standard normal."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in {"images": (batch, 64, 64, 3), "filters": (3, 3, 3, 8), "bias": (8,)}.items():
        np.save(folder / f"{name}.npy", random.standard_normal(shape))
