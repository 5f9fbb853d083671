from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import read_predictions, whole_number


def score(artifacts: Path, private: Path) -> Grade:
    """Global Dice: twice the pixels marked rightly, by all that are marked and all that should be.

    Counted over the pictures together, as in the competition, so that a picture without contrails
    costs only what is marked in it.
    """
    with (private / "answers.csv").open(newline="") as file:
        ids = [row["record_id"] for row in csv.DictReader(file)]
    true = np.load(private / "test_masks.npy", allow_pickle=False)
    height, width = true.shape[1:]
    runs = read_predictions(
        artifacts / "submission.csv",
        id_column="record_id",
        ids=ids,
        columns={"encoded_pixels": lambda text: read_runs(text, height * width)},
    )["encoded_pixels"]
    both = marked = 0
    for mask, found in zip(true, runs, strict=True):
        predicted = mask_of(found, height, width)
        both, marked = both + int((mask & predicted).sum()), marked + int(predicted.sum())
    return Grade(score=2 * both / (int(true.sum()) + marked), details={"marked": marked, "right": both})


def read_runs(text: str, pixels: int) -> list[tuple[int, int]]:
    """Start and length of each run of "start length start length …"; none for "-"."""
    if not text:
        raise ValueError("no runs; a picture without contrails is written -")
    numbers = [] if text == "-" else [whole_number(word) for word in text.split()]
    if len(numbers) % 2:
        raise ValueError(f"{len(numbers)} numbers, which are no pairs of start and length")
    runs = list(zip(numbers[::2], numbers[1::2], strict=True))
    free = 1
    for start, length in runs:
        if length < 1 or start < free or start + length - 1 > pixels:
            raise ValueError(
                f"the run {start} {length} is empty, not after the one before, or outside of pixels 1 to {pixels}"
            )
        free = start + length
    return runs


def mask_of(runs: list[tuple[int, int]], height: int, width: int) -> npt.NDArray[np.bool_]:
    """The marked pixels, which are numbered from 1 down each column."""
    flat = np.zeros(height * width, dtype=bool)
    for start, length in runs:
        flat[start - 1 : start - 1 + length] = True
    return flat.reshape(width, height).T
