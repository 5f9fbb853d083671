"""Distils finished runs into lessons: what a change to the starter did, by the training runs' own measurements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from environment.metrics.validated import validated_steps
from environment.records import Step, TrainingRun
from environment.records.display import STOPPED_BY
from environment.records.experience import Experience, Lesson
from evaluation.competence import improvement
from tasks_catalog.library.spec import Task

_LONGEST = 4_000
"""Characters of a diff, which tell a change; whole rewrites are cut."""
_GOAL = 600
_CONSTANT = re.compile(r"^\+([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*([^#\n]+?)\s*(?:#.*)?$")
_CHANGED = re.compile(r"^[-+](?![-+]{2} )")


def learn(name: str, found: Iterable[Lesson]) -> Experience:
    """A knowledge base of lessons; the same change to the same task is one lesson, however many runs tried it."""
    merged: dict[tuple[str, str, str], Lesson] = {}
    for lesson in found:
        key = (lesson.task, lesson.data, lesson.change)
        known = merged.get(key)
        merged[key] = lesson if known is None else _joined(known, lesson)
    return Experience(name=name, lessons=tuple(merged.values()))


def lessons_of(steps: Sequence[Step], task: Task, data: str) -> Iterator[Lesson]:
    """What a run teaches: each script that differs from the starter, against the starter as the run measured it.

    Without a measurement of the starter by the run itself, no effect follows, and only failures are lessons.

    Args:
        steps: Its trajectory.
        task: Its task.
        data: Digest of its data.
    """
    metric = task.spec.metric
    values = {found.step: found.value for found in validated_steps(steps, metric.name)}
    runs = [run for step in steps if (run := step.effect.training_run) is not None and run.script == task.spec.script]
    start = next((values[run.step] for run in runs if not run.diff and run.step in values), None)
    for run in runs:
        value = values.get(run.step)
        gain = None if start is None or value is None else improvement(value, start, metric.direction)
        gains = () if gain is None else (gain,)
        failures = () if run.succeeded else (_how_it_ended(run, steps[run.step]),)
        if run.diff and (gains or failures):
            yield Lesson(
                task=task.name,
                data=data,
                data_of=task.data_name,
                metric=metric.name,
                direction=metric.direction,
                goal=task.instruction[:_GOAL],
                change=run.diff[:_LONGEST],
                settings=_settings(run.diff),
                gains=gains,
                failures=failures,
                runs=(run.id,),
            )


def _settings(diff: str) -> dict[str, str]:
    """The constants that a change sets, where it changes nothing else."""
    added = [line for line in diff.splitlines() if _CHANGED.match(line)]
    new = [match for line in added if line.startswith("+") and (match := _CONSTANT.match(line)) is not None]
    if 2 * len(new) != len(added):
        return {}
    return {match[1]: match[2] for match in new if _is_literal(match[2])}


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _how_it_ended(run: TrainingRun, step: Step) -> str:
    if run.killed_by is not None:
        return f"stopped: {STOPPED_BY[run.killed_by]}"
    lines = [line for line in step.effect.observation.text.splitlines() if re.match(r"\w*(?:Error|Exception)\b", line)]
    return lines[-1][:200] if lines else f"exit code {run.exit_code}"


def _joined(known: Lesson, more: Lesson) -> Lesson:
    return known.model_copy(
        update={
            "gains": known.gains + more.gains,
            "failures": known.failures + more.failures,
            "runs": known.runs + more.runs,
        }
    )
