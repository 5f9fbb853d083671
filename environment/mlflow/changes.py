"""Which change helped: what each training run changed against the one before, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import isfinite
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from environment.metrics.meaning import TUNED_BY, last_value, values_of
from environment.records import TrainingRun
from environment.records.display import NONE, duration, number, percent
from tasks_catalog.library.spec import Direction

TABLE = "changes.json"
_MOST_SETTINGS = 3
_ADDED = re.compile(r"^\+(?!\+\+ )", re.MULTILINE)
_REMOVED = re.compile(r"^-(?!-- )", re.MULTILINE)

Came = Literal["first", "better", "worse", "same", "diverged", "not measured", "failed"]


class Change(NamedTuple):
    """One training run; the first columns of a table are those that a narrow page shows.

    Attributes:
        step: The agent's step.
        change: What differs from the training run before it, in words.
        gain: Against the best value before, relative, positive is better.
        came: What came of it.
        value: The task's metric, as the script printed it last; NaN and infinity are none (``diverged``).
        metric: Name and split of ``value``; empty where there is none.
        script: What ran.
        seconds: Wall time.
    """

    step: int
    change: str
    gain: float | None
    came: Came
    value: float | None
    metric: str
    script: str
    seconds: float


def changes_of(runs: Sequence[TrainingRun], metric: str, direction: Direction | None) -> list[Change]:
    """A row a training run, in order; ``metric`` is the task's."""
    rows, best, before = [], None, None
    for run in runs:
        point = last_value(values_of(metric, run.metrics), TUNED_BY)
        value = point.comparable if point and isfinite(point.comparable) else None
        gain = _gain(value, best, direction)
        rows.append(
            Change(
                step=run.step,
                script=run.script,
                change=_against(run, before),
                metric=point.title if point else "",
                value=value,
                gain=gain,
                came=_came(run, value, best, gain, is_diverged=point is not None and value is None),
                seconds=run.seconds,
            )
        )
        if value is not None and (best is None or (gain or 0) > 0):
            best = value
        before = run
    return rows


def set_by(run: TrainingRun) -> str:
    """The settings that a script has otherwise than the starter, or how many lines differ; empty where none does."""
    changed = [
        f"{name} {value}"
        for name, value in run.params.items()
        if re.search(rf"^\+{re.escape(name)}\s*[:=]", run.diff, re.MULTILINE)
    ]
    return _few(changed) or _lines(run.diff)


def table(rows: Sequence[Change]) -> str:
    """The rows as MLflow shows tables."""
    return json.dumps({"columns": list(Change._fields), "data": [list(row) for row in rows]})


def markdown(rows: Sequence[Change], most: int) -> str:
    """The row that helped most in a sentence, and below it those that helped, best first, for a description."""
    helped = sorted((row for row in rows if row.came == "better"), key=lambda row: -(row.gain or 0))
    shown = helped[:most] or list(rows[:most])
    lines = [
        _best(helped),
        "",
        "| step | change | value | against the best before | time |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in shown:
        lines.append(
            f"| {row.step} | {_cell(row.change)} | {_cell(_value(row))} | {_gained(row)} | {duration(row.seconds)} |"
        )
    return "\n".join(lines)


def _best(helped: Sequence[Change]) -> str:
    if not helped:
        return f"No change helped ({TABLE} has all):"
    row = helped[0]
    said = f"step {row.step}, {row.change}: {_value(row)}, {_gained(row)} against the best before"
    return f"What helped most: {' '.join(said.split())} ({TABLE} has all)."


def _value(row: Change) -> str:
    return f"{row.metric} {number(row.value)}" if row.value is not None else NONE


def _gained(row: Change) -> str:
    return percent(row.gain, signed=True) if row.gain is not None else row.came


def _gain(value: float | None, best: float | None, direction: Direction | None) -> float | None:
    if value is None or best is None or direction is None or best == 0:
        return None
    return round((value - best) / abs(best) * (1 if direction is Direction.MAXIMIZE else -1), 6)


def _came(run: TrainingRun, value: float | None, best: float | None, gain: float | None, *, is_diverged: bool) -> Came:
    if not run.succeeded:
        return "failed"
    if is_diverged:
        return "diverged"
    if value is None or (best is not None and gain is None):
        return "not measured"
    if gain is None:
        return "first"
    return "better" if gain > 0 else "worse" if gain < 0 else "same"


def _against(run: TrainingRun, before: TrainingRun | None) -> str:
    """What differs from the run before."""
    if before is None:
        return set_by(run) or "the starter"
    if before.script != run.script:
        return f"{PurePosixPath(run.script).name} instead of {PurePosixPath(before.script).name}"
    names = [name for name in {**before.params, **run.params} if before.params.get(name) != run.params.get(name)]
    settings = [f"{name} {before.params.get(name, NONE)} → {run.params.get(name, NONE)}" for name in names]
    if settings:
        return _few(settings)
    return "nothing" if before.script_sha256 == run.script_sha256 else _lines(run.diff) or "back to the starter"


def _few(settings: Sequence[str]) -> str:
    more = len(settings) - _MOST_SETTINGS
    return ", ".join([*settings[:_MOST_SETTINGS], *([f"{more} more"] if more > 0 else [])])


def _lines(diff: str) -> str:
    return f"+{len(_ADDED.findall(diff))} −{len(_REMOVED.findall(diff))} lines" if diff else ""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
