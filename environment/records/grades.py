"""How good a submission is, as a run's result and the grades of its steps say it; no agent is ever shown one."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from environment.records.config import SubmitRule
from foundation.records import Record
from tasks_catalog.library.spec import Direction

Thresholds = dict[int, bool]
"""Whether an improvement exceeds each threshold, in percent."""


class Scored(Record):
    """A score, and where it lies between the starter's and the reference solution's.

    Attributes:
        score: In the unit of the metric; ``None`` for an invalid submission.
        improvement: Relative to the baseline, positive where better; ``None`` without a score or a baseline.
        normalised: 0 at the baseline, 1 at the reference; ``None`` without one of the three.
    """

    score: float | None = None
    improvement: float | None = None
    normalised: float | None = None


class Rated(Scored):
    """A score and whether it is a success.

    Attributes:
        success: Improvement above 10 %.
        success_beyond_noise: Improvement above the noise-aware threshold: beyond the starter's scatter, too.
        success_at: Whether the improvement is above each of several thresholds.
    """

    success: bool = False
    success_beyond_noise: bool = False
    success_at: Thresholds = Field(default_factory=dict)


class Graded(Rated):
    """A score with what it was measured by and held against.

    Attributes:
        metric: The metric's name.
        direction: Which way it is better; ``None`` for a metric of an imported log of which nobody knows.
        baseline: The starter's: measured in this session for timings, else the figure in ``task.toml``.
        reference: The reference solution's figure.
        noise_threshold: The noise-aware threshold; ``None`` where the starter was not measured.
    """

    metric: str
    direction: Direction | None
    baseline: float | None = None
    reference: float | None = None
    noise_threshold: float | None = None

    @property
    def graded(self) -> dict[str, Any]:
        """These fields by name, as another record of the same grade takes them over."""
        return {name: getattr(self, name) for name in Graded.model_fields}


class StepGrade(Scored):
    """The grade of the workspace as it stood after one step.

    Attributes:
        step: The step.
        graded_at: The step whose equal submission was graded for this one; often the step itself.
        invalid: Why there is no score.
    """

    step: int
    graded_at: int
    invalid: str | None = None


class Validated(Record):
    """What the training run of a step measured on validation data, and which step that was.

    Attributes:
        step: The step.
        metric: The metric's name with its split and part, as the script wrote it.
        value: A percentage as a fraction.
    """

    step: int
    metric: str
    value: float


class Transferred(Scored):
    """The run whose script was applied to another task, and what it reached on its own.

    Attributes:
        run_id: The run.
        task: Its task.
    """

    run_id: str
    task: str


class Submission(Record):
    """Which workspace was graded, and how the one that the other rule names would have done.

    Attributes:
        rule: What was asked for.
        step: The step whose workspace was graded; ``None`` for a run without steps.
        best_validated: The step with the best validation value that left a submission; ``None`` where there is none.
        other: The grade of what the other rule submits; ``None`` where it was not graded, or names no step.
    """

    rule: SubmitRule
    step: int | None
    best_validated: Validated | None = None
    other: StepGrade | None = None

    @property
    def figures(self) -> dict[str, float | None]:
        """Its numbers by name, for tables and curves."""
        chosen, other = self.best_validated, self.other
        return {
            "submitted/step": self.step,
            **({"best_validated/step": chosen.step, "best_validated/value": chosen.value} if chosen else {}),
            **({"not_submitted/step": other.step, "not_submitted/score": other.score} if other else {}),
        }


class BestStep(Rated):
    """The step after which the hidden score was best; of equal ones the first."""

    step: int
    score: float
