"""Programs that a search by a language model wrote one after another, each with what its evaluator measured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from environment.records import Action, Outcome
from evaluation.importers.ending import completed
from evaluation.importers.importer import Found
from evaluation.importers.parsing import figure
from evaluation.record.log import Exchange, LogStep, RunLog
from tasks_catalog.library.spec import Direction

_FITNESS = "combined_score"
"""What OpenEvolve and ShinkaEvolve select by; more is better."""


class Program(NamedTuple):
    """One program of a search.

    Attributes:
        said: What the model wrote of it.
        code: Its text.
        measured: What the evaluator measured, by name.
        output: What else the evaluator gave back.
        failed: It did not run, or not correctly.
    """

    said: str
    code: str
    measured: Mapping[str, Any]
    output: str
    failed: bool


def log_of(found: Found, programs: Iterable[Program], *, agent: str, task: str, task_text: str = "") -> RunLog:
    """The run of a search: its first program is the baseline, the best one its score."""
    made = list(programs)
    fitness = [figure(program.measured.get(_FITNESS)) for program in made]
    known = [value for value, program in zip(fitness, made, strict=True) if value is not None and not program.failed]
    return RunLog(
        source=found.source,
        steps=tuple(map(_step, made)),
        task=task,
        task_text=task_text,
        agent=agent,
        metric=_FITNESS if known else None,
        direction=Direction.MAXIMIZE if known else None,
        baseline=fitness[0] if known else None,
        score=max(known, default=None),
        self_measured=True,
        **completed(),
    )


def _step(program: Program) -> LogStep:
    seen = "\n".join((*_lines(program.measured), program.output)).strip()
    run = Exchange(
        action=Action(name="Execute Script", args={"script_name": "program.py", "code": program.code}),
        observation=seen,
        outcome=Outcome.FAILED if program.failed else Outcome.OK,
    )
    return LogStep(prose={"response": program.said} if program.said else {}, exchanges=(run,))


def _lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """A line a value, as a script would print it."""
    for name, value in measured.items():
        yield f"{name}: {value if isinstance(value, str | int | float) else json.dumps(value)}"
