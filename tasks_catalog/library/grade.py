"""What a grader returns."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from tasks_catalog.library.errors import InvalidSubmissionError

__all__ = ["Grade", "InvalidSubmissionError"]


class Grade(BaseModel):
    """The score of one submission, in the unit of the task's metric.

    Attributes:
        score: The metric on the hidden data, or the measured time.
        baseline: The starter's score measured in the same session, where the metric depends on
            the machine (timings); ``None`` where the figure in ``task.toml`` holds.
        details: Further measures worth showing, by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: FiniteFloat
    baseline: FiniteFloat | None = None
    details: dict[str, FiniteFloat] = Field(default_factory=dict)
