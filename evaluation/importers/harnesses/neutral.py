"""The neutral log: JSON lines that anybody can write, described in ``docs/importing.md``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, TypedDict, TypeVar

from environment.records import Action, EndedBy, Outcome, RunStatus
from evaluation.importers.ending import Ending, by_last_step
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, mapping, moment, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import LogStep, RunLog
from tasks_catalog.library.spec import Direction

Kind = TypeVar("Kind", bound=StrEnum)


class _Figures(TypedDict):
    score: float | None
    baseline: float | None
    cost: float | None
    seconds: float | None


def _read(found: Found) -> Iterator[RunLog]:
    turns, about, unknown = Turns(), dict[str, Any](), Counter[str]()
    for line in found.lines():
        if "log" in line or "end" in line:
            about |= line
        elif not _take(turns, line):
            unknown[", ".join(list(line)[:3])] += 1
    found.pass_over(unknown)
    steps, tokens = turns.steps(), figure(about.get("tokens"))
    yield RunLog(
        source=found.source,
        steps=steps,
        task=text(about.get("task")) or found.stem,
        task_text=text(about.get("prompt")),
        model=text(about.get("model")) or None,
        agent=text(about.get("agent")) or None,
        metric=text(about.get("metric")) or None,
        direction=_one_of(Direction, about.get("direction")),
        self_measured=about.get("self_measured") is True,
        tokens=int(tokens) if tokens is not None else None,
        written=moment(about.get("time")),
        **_figures(about),
        **_ending(about, steps),
    )


def _take(turns: Turns, line: dict[str, Any]) -> bool:
    """Take in one line; whether it is one that the format knows."""
    if "say" in line:
        turns.say(text(line.get("entry")) or "response", text(line["say"]))
    if "do" in line:
        call = turns.call(_action(line["do"]), text(line.get("id")))
        if "saw" in line:
            call.seen, call.answered, call.outcome = [text(line["saw"])], True, _outcome(line)
    elif "saw" in line:
        turns.answer(text(line.get("id")), text(line["saw"]), _outcome(line))
    return not {"say", "do", "saw"}.isdisjoint(line)


def _action(done: object) -> Action:
    """A shell command, or a tool by its name and arguments."""
    if isinstance(done, dict):
        return tool_action(done.get("tool"), mapping(done.get("args")))
    return Action(name="bash", args={"command": text(done)})


def _outcome(line: dict[str, Any]) -> Outcome | None:
    """How it ended, by its exit code or in the record's own words."""
    code = line.get("exit")
    if isinstance(code, int):
        return Outcome.OK if code == 0 else Outcome.FAILED
    return _one_of(Outcome, code)


def _figures(about: dict[str, Any]) -> _Figures:
    return {
        "score": figure(about.get("score")),
        "baseline": figure(about.get("baseline")),
        "cost": figure(about.get("cost")),
        "seconds": figure(about.get("seconds")),
    }


def _ending(about: dict[str, Any], steps: tuple[LogStep, ...]) -> Ending:
    status = _one_of(RunStatus, about.get("end"))
    if status is None:
        return by_last_step(steps)
    error = text(about.get("error")) or None
    by = _one_of(EndedBy, about.get("by")) or (EndedBy.ERROR if error else None)
    return {"status": status, "ended_by": by, "error": error}


def _one_of(kinds: type[Kind], value: object) -> Kind | None:
    return next((kind for kind in kinds if kind.value == value), None)


NEUTRAL = Importer(recognises=lambda found: "log" in next(iter(found.head), {}), read=_read)
"""The format, as the registry names it."""
