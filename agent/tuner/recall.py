"""Settings that did well in earlier runs, as far as this script has them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from agent.tuner.search import TriedSettings
from agent.tuner.space import Knob, Value, kind_of
from environment.records.experience import Lesson

MOST = 3
"""Lessons that are tried; after them the search goes on by itself."""


def untried(
    lessons: Sequence[Lesson], knobs: Sequence[Knob], trials: Sequence[TriedSettings]
) -> Iterator[dict[str, Value]]:
    """The settings of the lessons with the greatest mean gain, each once, less those that were tried."""
    helpful = sorted((one for one in lessons if (one.gain or 0) > 0), key=lambda one: -(one.gain or 0))
    proposed: list[dict[str, Value]] = []
    starter = {knob.name: knob.value for knob in knobs}
    for lesson in helpful:
        values = starter | {knob.name: value for knob in knobs if (value := _value(lesson, knob)) is not None}
        if values != starter and values not in proposed:
            proposed.append(values)
    tried = [trial.values for trial in trials]
    return (values for values in proposed[:MOST] if values not in tried)


def _value(lesson: Lesson, knob: Knob) -> Value | None:
    """What the lesson sets this constant to, where that is one of the values it may take."""
    written = lesson.settings.get(knob.name)
    if written is None:
        return None
    value = ast.literal_eval(written)
    if kind_of(knob) == "choice":
        return next((choice for choice in knob.choices if choice == value and type(choice) is type(value)), None)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and knob.low <= value <= knob.high and type(value) is type(knob.value) else None
