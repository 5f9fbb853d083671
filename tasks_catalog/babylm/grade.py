from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.special import logsumexp

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.trials import read_trial

TOLERANCE = 1e-2
"""How far the sum of the probabilities may be from 1. Nothing is gained by it: they are scaled to sum to 1."""
WORST = 700.0
"""Mean negative logarithm up to which there is a perplexity in double precision."""


def score(artifacts: Path, private: Path, trials: Path) -> Grade:  # noqa: ARG001 (the run holds all that counts)
    """Perplexity: e to the mean negative log probability of the token that follows each hidden context."""
    with (private / "answers.csv").open(newline="") as file:
        following = np.array([int(row["token"]) for row in csv.DictReader(file)])
    trial = read_trial(trials, "hidden-contexts")
    words = int(np.load(private / "words.npy"))
    found = trial.array("submission", 0, "predictions.npy", shape=(len(following), words), dtype=np.float32)
    sums = logsumexp(found.astype(np.float64), axis=1)
    if not (np.abs(sums) <= np.log1p(TOLERANCE)).all():
        raise InvalidSubmissionError(
            "predictions.npy: the probabilities of a row do not sum to 1; the logarithms of probabilities are expected"
        )
    mean = float((sums - found[np.arange(len(following)), following]).mean())
    if mean > WORST:
        raise InvalidSubmissionError("predictions.npy gives what comes next no probability to speak of")
    return Grade(score=float(np.exp(mean)))
