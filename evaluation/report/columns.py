"""The columns of the table of runs: in the page, in ``runs.csv`` and in ``runs.parquet``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evaluation.report.model import RunRow
from foundation.plugins import BuiltIn, Plugins

Value = str | int | float | bool | None
ShownAs = Literal["text", "number", "count", "percent", "money", "duration"]


@dataclass(frozen=True)
class Column:
    """A figure of a run.

    Attributes:
        title: Its heading.
        value: The figure, ``None`` where there is none; fractions for percentages, seconds for durations.
        shown_as: How the page writes it.
    """

    title: str
    value: Callable[[RunRow], Value]
    shown_as: ShownAs = "number"


STEPS = Column("Steps", lambda row: row.result.steps)
TOKENS = Column("Tokens", lambda row: _counted(row, "tokens"), "count")
COST = Column("Cost", lambda row: row.result.cost, "money")
TIME = Column("Time", lambda row: _counted(row, "seconds"), "duration")

COLUMNS: Plugins[Column] = Plugins(
    "columns",
    {
        "steps": BuiltIn("evaluation.report.columns:STEPS", "steps of the run"),
        "tokens": BuiltIn("evaluation.report.columns:TOKENS", "tokens of all model calls"),
        "cost": BuiltIn("evaluation.report.columns:COST", "US dollars for all model calls"),
        "seconds": BuiltIn("evaluation.report.columns:TIME", "seconds worked"),
    },
)
"""Those behind the columns that every run has: which run it is, how it ended, its score and its claims."""


def figures(row: RunRow) -> dict[str, Value]:
    """The run's figure in every column, by the column's name."""
    return {name: column.value(row) for name, column in COLUMNS.everything().items()}


def _counted(row: RunRow, field: str) -> Value:
    """A field that some foreign logs do not count."""
    value: Value = None if field in row.result.not_counted else getattr(row.result, field)
    return value
