"""What the time and the tokens of a run were made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foundation.records import Record

if TYPE_CHECKING:
    from environment.records.run import Step


class Usage(Record):
    """Sums over a run.

    Attributes:
        working_seconds: Wall time less waiting for people and rate limits.
        training_seconds: Wall time of the training runs.
        prompt_tokens: Cached ones included.
        cached_tokens: Those of the prompt that a cache gave.
        completion_tokens: What the models answered.
    """

    working_seconds: float
    training_seconds: float
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Usage:
        """The usage of at least one step."""
        calls = [call for step in steps for call in step.calls]
        runs = [step.effect.training_run for step in steps if step.effect.training_run is not None]
        return cls(
            working_seconds=steps[-1].checkpoint.spent.working_seconds,
            training_seconds=sum(run.seconds for run in runs),
            prompt_tokens=sum(call.prompt_tokens for call in calls),
            cached_tokens=sum(call.cached_tokens for call in calls),
            completion_tokens=sum(call.completion_tokens for call in calls),
        )
