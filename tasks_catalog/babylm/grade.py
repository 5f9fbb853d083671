from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.special import logsumexp

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import read_array
from tasks_catalog.library.trials import read_trial

TOLERANCE = 1e-2
"""How far the sum of the probabilities may be from 1: a vocabulary of rounding errors in single precision."""


def score(artifacts: Path, private: Path, trials: Path) -> Grade:  # noqa: ARG001 (the run holds all that counts)
    """Perplexity: e to the mean negative log probability of the token that follows each hidden context."""
    with (private / "answers.csv").open(newline="") as file:
        following = np.array([int(row["token"]) for row in csv.DictReader(file)])
    trial = read_trial(trials, "hidden-contexts")
    words = int(np.load(private / "words.npy"))
    found = read_array(
        trial.outputs("submission", 0) / "predictions.npy", shape=(len(following), words), dtype=np.float32
    )
    off = np.abs(np.expm1(logsumexp(found.astype(np.float64), axis=1)))
    if off.max() > TOLERANCE:
        row = int(off.argmax())
        raise InvalidSubmissionError(
            f"predictions.npy: the probabilities of row {row} sum to {np.exp(logsumexp(found[row])):g}, not 1; "
            "the logarithms of probabilities are expected"
        )
    return Grade(score=float(np.exp(-found[np.arange(len(following)), following].mean(dtype=np.float64))))
