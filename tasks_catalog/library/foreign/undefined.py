"""Scores of other benchmarks' graders that are no finite numbers."""

from __future__ import annotations

import math

from tasks_catalog.library.errors import InvalidSubmissionError


class UndefinedScoreError(InvalidSubmissionError):
    """A grader took a submission and gives NaN or infinity for it."""


def finite(score: float, whose: str) -> float:
    """The score of somebody's grader.

    Raises:
        UndefinedScoreError: It is not finite.
    """
    if math.isnan(score):
        raise UndefinedScoreError(f"{whose} grader gives no number: {score}")
    if math.isinf(score):
        raise UndefinedScoreError(
            f"{whose} grader gives an infinite score ({score}), which no mean and no improvement can hold; often an "
            "exact 0 or 1 was predicted where its logarithm is taken"
        )
    return score
