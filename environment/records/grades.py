"""How good the workspace was after each step: graded when the run is over, and never shown to its agent."""

from __future__ import annotations

from pydantic import Field

from foundation.records import Record

Thresholds = dict[int, bool]
"""Whether an improvement exceeds each threshold, in percent."""


class StepGrade(Record):
    """The grade of the workspace as it stood after one step.

    Attributes:
        step: The step.
        graded_at: The step whose equal submission was graded for this one; often the step itself.
        score: In the unit of the metric; ``None`` for an invalid submission.
        improvement: Relative to the baseline, positive where better.
        normalised: 0 at the baseline, 1 at the reference.
        invalid: Why there is no score.
    """

    step: int
    graded_at: int
    score: float | None = None
    improvement: float | None = None
    normalised: float | None = None
    invalid: str | None = None


class BestStep(Record):
    """The step after which the hidden score was best; of equal ones the first."""

    step: int
    score: float
    improvement: float | None
    normalised: float | None
    success: bool
    success_beyond_noise: bool
    success_at: Thresholds = Field(default_factory=dict)
