"""Where in a log something stands that a verdict rests on."""

from __future__ import annotations

from foundation.records import Record


class Location(Record):
    """Where a verdict was read.

    Attributes:
        step: The step whose observation holds it.
        text: An exact part of that observation.
        training_run: The training run that printed it, where the log knows one.
        line: 1-based line of that text in the observation.
    """

    step: int
    text: str
    training_run: str | None = None
    line: int | None = None
