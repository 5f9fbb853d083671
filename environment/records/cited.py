"""A result that the agent itself names by the run that measured it, so that nobody has to read it out of prose."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from foundation.records import Record
from foundation.storable import Text

_LONGEST = 100
Name = Annotated[Text, Field(min_length=1, max_length=_LONGEST)]


HOW_TO_CITE = (
    "each held against what its step printed: a list of "
    '{"metric": name as printed, "value": number, "step": number of the step that ran the script (from 0), '
    '"split": "train", "validation" or "test", where it has one}'
)


class CitedResult(Record):
    """One result of a training run.

    Attributes:
        metric: As the run printed it.
        value: What it is said to have printed, rounded as the agent likes.
        split: The data it was measured on.
        step: Number of the step that ran the script.
        training_run: Id of the training run; it or ``step`` must be given.
    """

    metric: Name
    value: float = Field(allow_inf_nan=False)
    split: Literal["train", "validation", "test"] | None = None
    step: int | None = Field(default=None, ge=0)
    training_run: Name | None = None

    @model_validator(mode="after")
    def _names_a_run(self) -> CitedResult:
        if self.step is None and self.training_run is None:
            raise ValueError("names no run: give the step that printed it")
        return self

    def __str__(self) -> str:
        run = f"step {self.step}" if self.step is not None else self.training_run
        return f"{f'{self.split} ' if self.split else ''}{self.metric} = {self.value:.10g} ({run})"
