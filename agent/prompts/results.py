"""The training runs of a run so far, as a table for a prompt: the record's word, not the model's."""

from __future__ import annotations

from collections.abc import Sequence

from environment.records import Step, TrainingRun
from environment.records.display import duration, number
from foundation.text import shown

_MOST_METRICS = 6


def results_table(steps: Sequence[Step]) -> str:
    """One line a training run: its step, its script, how it ended, and its last values; "" where there is none."""
    rows = [_row(step.effect.training_run) for step in steps if step.effect.training_run is not None]
    return "\n".join(["| step | script | ended | last values |", "| --- | --- | --- | --- |", *rows]) if rows else ""


def _row(run: TrainingRun) -> str:
    called = shown(" ".join((run.script, *run.args)), 80)
    if run.killed_by is not None:
        ended = f"stopped ({run.killed_by})"
    else:
        ended = "ok" if run.succeeded else f"failed ({run.exit_code})"
    return f"| {run.step} | {called} | {ended}, {duration(run.seconds)} | {_values(run)} |"


def _values(run: TrainingRun) -> str:
    named = list(run.held_out_first.items())
    values = ", ".join(f"{title} {number(value)}" for title, value in named[:_MOST_METRICS])
    return values + (" …" if len(named) > _MOST_METRICS else "") if values else "none"
