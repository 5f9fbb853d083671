"""A model's own words on what runs showed (``mlab learn --model``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from environment.recall import worded
from environment.records.experience import Lesson, Summary
from flows.errors import FlowError

if TYPE_CHECKING:
    from flows.structured import StructuredModel

_MOST = 40
"""Lessons of one task that the model reads: those that helped most, and those that harmed most."""
_LENGTH = 1_500
_PROMPT = """These are changes to the starter script of the machine-learning task {task}, each with what it did to the \
validation metric against the starter itself, as training runs measured it:

{lessons}

Say in at most 150 words, for somebody who begins a similar task on other data, what helped, what did not, and what \
remains open. Keep to what stands above, give sizes where they stand there, and invent nothing."""


class SummaryError(FlowError):
    """The model gave no summary."""


class Written(BaseModel):
    """What the model fills in."""

    summary: str = Field(min_length=1, description="at most 150 words")


def summaries(lessons: Sequence[Lesson], model: StructuredModel, name: str) -> Iterator[Summary]:
    """What a model says of the lessons on each task's data, apart, so that none tells of another's.

    Args:
        lessons: Of a knowledge base.
        model: Is asked once for each task.
        name: What it is called.

    Raises:
        SummaryError: It gave no answer that fits.
        SpendLimitError: The limit is reached.
    """

    def data_of(lesson: Lesson) -> str:
        return lesson.data_of

    for task, found in groupby(sorted(lessons, key=data_of), key=data_of):
        ranked = sorted(found, key=lambda one: -(one.gain or 0))
        chosen = ranked if len(ranked) <= _MOST else [*ranked[: _MOST // 2], *ranked[-_MOST // 2 :]]
        listed = "\n".join(f"- {worded(lesson, _LENGTH)}" for lesson in chosen)
        answer, _ = model.ask(_PROMPT.format(task=task, lessons=listed), Written)
        if answer is None:
            raise SummaryError(f"{name} gave no summary of {task}.", hint="Try a larger model.max_tokens.")
        yield Summary(data_of=task, text=answer.summary, model=name)
