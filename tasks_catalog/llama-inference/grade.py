from __future__ import annotations

from pathlib import Path

import numpy as np

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.trials import read_trial

EQUAL = 0.95
"""Share of the continuations that must be the starter's: rounding may turn one where two tokens are as likely."""


def score(artifacts: Path, private: Path, trials: Path) -> Grade:  # noqa: ARG001 (the runs hold all that counts)
    """Seconds per token of the submission's median run, once its tokens agree with the starter's."""
    trial = read_trial(trials, "generation")
    equal, tokens = [], 1
    for run in trial.of("submission"):
        expected = np.load(trial.outputs("starter", run.repetition) / "output.npy", allow_pickle=False)
        found = trial.array("submission", run.repetition, "output.npy", shape=expected.shape, dtype=expected.dtype)
        equal += (found == expected).all(axis=1).tolist()
        tokens = expected.size
    share = float(np.mean(equal))
    if share < EQUAL:
        raise InvalidSubmissionError(
            f"on the hidden prompts fewer than {EQUAL:.0%} of the continuations are the starter's, token for token"
        )
    seconds, baseline = (trial.typical_seconds(who) / tokens for who in ("submission", "starter"))
    return Grade(score=seconds, baseline=baseline, details={"speedup": baseline / seconds, "equal": share})
