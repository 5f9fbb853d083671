"""The neutral log: JSON lines that anybody can write, described in ``docs/importing.md``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, TypedDict, TypeVar

from environment.records import Action, EndedBy, Outcome, RunStatus
from evaluation.importers.ending import Ending, by_last_step
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer, tallied
from evaluation.importers.parsing import figure, mapping, moment, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import LogStep, RunLog
from foundation.text import shown
from tasks_catalog.library.spec import Direction

Kind = TypeVar("Kind", bound=StrEnum)


_VERSION = 1
"""Of the format."""
_STEPS = "A step is a line with `say`, `do` or `saw`; a run that took none says how it ended in a line with `end`."


class _Figures(TypedDict):
    score: float | None
    baseline: float | None
    cost: float | None
    seconds: float | None


def _read(found: Found) -> Iterator[RunLog]:
    turns, about, unknown, wrong = Turns(), dict[str, Any](), Counter[str](), Counter[str]()
    for line in found.lines(turns.miss):
        if "log" in line or "end" in line:
            about |= line
            wrong.update(_wrong_fields(line))
        elif not _take(turns, line):
            unknown[", ".join(list(line)[:3])] += 1
        elif not _is_said(line.get("say", "")):
            wrong[f"say {shown(str(line['say']))}"] += 1
        elif line.get("exit") is not None and _outcome(line) is None:
            wrong[f"exit {shown(str(line['exit']))}"] += 1
    steps, tokens = turns.steps(), _amount(about.get("tokens"))
    if not steps and (unknown or "end" not in about) and not found.torn:
        known = f"; {tallied(unknown)} is none" if unknown else ""
        raise LogError(found.path, f"holds no step that can be read{known}", hint=_STEPS)
    found.pass_over(unknown)
    if wrong:
        found.notes.append(f"values that cannot be used are left out: {tallied(wrong)}")
    yield RunLog(
        source=found.source,
        steps=steps,
        task=_words(about.get("task")) or found.stem,
        task_text=_words(about.get("prompt")),
        model=_words(about.get("model")) or None,
        agent=_words(about.get("agent")) or None,
        metric=_words(about.get("metric")) or None,
        direction=_one_of(Direction, about.get("direction")),
        self_measured=about.get("self_measured") is True,
        tokens=int(tokens) if tokens is not None else None,
        written=moment(about.get("time")),
        **_figures(about),
        **_ending(about, steps),
    )


def _wrong_fields(line: dict[str, Any]) -> Iterator[str]:
    """What the first or the last line says that nobody can use: a field that there is not, or no value of its kind."""
    for name, value in line.items():
        usable = _FIELDS.get(name)
        if value is not None and (usable is None or not usable(value)):
            yield f"{shown(name)} {shown(str(value))}"


def _take(turns: Turns, line: dict[str, Any]) -> bool:
    """Take in one line; whether it is one that the format knows."""
    if _is_said(line.get("say")):
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
        "cost": _amount(about.get("cost")),
        "seconds": _amount(about.get("seconds")),
    }


def _ending(about: dict[str, Any], steps: tuple[LogStep, ...]) -> Ending:
    status = _one_of(RunStatus, about.get("end"))
    if status is None:
        return by_last_step(steps)
    error = _words(about.get("error")) or None
    by = _one_of(EndedBy, about.get("by")) or (EndedBy.ERROR if error else None)
    return {"status": status, "ended_by": by, "error": error}


def _one_of(kinds: type[Kind], value: object) -> Kind | None:
    return next((kind for kind in kinds if kind.value == value), None)


def _amount(value: object) -> float | None:
    """What can have been spent."""
    found = figure(value)
    return found if found is not None and found >= 0 else None


def _words(value: object) -> str:
    """The text of a field, be it in parts; nothing else can be meant as words."""
    return text(value) if _is_said(value) else ""


def _is_said(value: object) -> bool:
    return isinstance(value, str | list)


def _is_figure(value: object) -> bool:
    return figure(value) is not None


def _is_amount(value: object) -> bool:
    return _amount(value) is not None


def _is_text(value: object) -> bool:
    return bool(_words(value))


def _is_of(kinds: type[StrEnum]) -> Callable[[object], bool]:
    return lambda value: _one_of(kinds, value) is not None


_FIELDS: dict[str, Callable[[object], bool]] = {
    "log": lambda value: value == _VERSION,
    "end": _is_of(RunStatus),
    "by": _is_of(EndedBy),
    "direction": _is_of(Direction),
    "time": lambda value: moment(value) is not None,
    "self_measured": lambda value: isinstance(value, bool),
    **dict.fromkeys(("score", "baseline"), _is_figure),
    **dict.fromkeys(("tokens", "cost", "seconds"), _is_amount),
    **dict.fromkeys(("task", "prompt", "model", "agent", "metric", "error"), _is_text),
}
"""What the first and the last line may say, and whether a value can be used."""

NEUTRAL = Importer(recognises=lambda found: "log" in next(iter(found.head), {}), read=_read)
"""The format, as the registry names it."""
