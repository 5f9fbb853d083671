"""What a grader returns."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from tasks_catalog.library.errors import InvalidSubmissionError

__all__ = ["Grade", "InvalidSubmissionError"]


LARGEST = 1e300
"""What is larger is a score no more: what it is compared with could not be worked out."""
Score: TypeAlias = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]


class Grade(BaseModel):
    """The score of one submission, in the unit of the task's metric.

    Attributes:
        score: The metric on the hidden data, or the measured time.
        baseline: The starter's score measured in the same session, where the metric depends on
            the machine (timings); ``None`` where the figure in ``task.toml`` holds.
        details: Further measures worth showing, by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: Score
    baseline: Score | None = None
    details: dict[str, Score] = Field(default_factory=dict)
