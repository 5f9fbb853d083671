from __future__ import annotations

from pathlib import Path

import numpy as np

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import read_array
from tasks_catalog.library.trials import read_trial

TOLERANCE = 1e-8


def score(artifacts: Path, private: Path, trials: Path) -> Grade:  # noqa: ARG001 (the runs hold all that counts)
    """Seconds of the submission's fastest run, once its outputs agree with the starter's."""
    trial = read_trial(trials, "convolution")
    for run in trial.of("submission"):
        expected = np.load(trial.outputs("starter", run.repetition) / "output.npy", allow_pickle=False)
        found = read_array(
            trial.outputs("submission", run.repetition) / "output.npy", shape=expected.shape, dtype=expected.dtype
        )
        error = float(np.abs(found - expected).max())
        if error > TOLERANCE:
            raise InvalidSubmissionError(
                f"on hidden input {run.repetition} the output differs from the starter's by up to {error:.3g}; "
                f"at most {TOLERANCE:g} is allowed"
            )
    seconds, baseline = trial.best_seconds("submission"), trial.best_seconds("starter")
    return Grade(score=seconds, baseline=baseline, details={"speedup": baseline / seconds})
