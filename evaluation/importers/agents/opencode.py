"""Sessions of opencode: what ``opencode export`` writes, what ``opencode run --format json`` prints, and its store.

The store is that of versions which keep a file a message; later ones keep a database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from environment.records import Outcome
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, mapping, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_SAID = {"text": "response", "reasoning": "reasoning"}
_QUIET = frozenset(
    ["step-start", "step-finish", "snapshot", "patch", "file", "agent", "subtask", "retry", "compaction"]
)
_PRINTED = frozenset(["step_start", "step_finish", "tool_use", "text", "reasoning", "error"])
_TIMED_OUT = ("exceeding timeout", "timed out")
_ABORTED = "MessageAbortedError"


def _call(turns: Turns, part: dict[str, Any], key: str) -> None:
    """A tool's call with its result, which stand in one part."""
    state = mapping(part.get("state"))
    status, about = text(state.get("status")), mapping(state.get("metadata"))
    tool = text(part.get("tool"))
    call = turns.call(tool_action(tool, state.get("input")), text(part.get("callID")), key)
    call.seen = [text(state.get("output")) or text(state.get("error")) or text(about.get("output"))]
    call.answered = status in ("completed", "error")
    code = figure(about.get("exit"))
    if status == "error" or code:
        call.outcome = Outcome.FAILED
    elif status == "completed":
        call.outcome = Outcome.OK
    if tool == "bash" and any(words in call.seen[0][-300:] for words in _TIMED_OUT):
        call.outcome = Outcome.KILLED


def _part(turns: Turns, part: dict[str, Any], key: str, unknown: Counter[str]) -> None:
    kind = text(part.get("type"))
    if kind == "tool":
        _call(turns, part, key)
    elif kind in _SAID:
        turns.say(_SAID[kind], text(part.get("text")), key)
    elif kind not in _QUIET:
        unknown[kind or "without a kind"] += 1


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    parts = message.get("parts")
    return [mapping(part) for part in parts] if isinstance(parts, list) else []


def of_session(found: Found, source: str, session: dict[str, Any], messages: list[dict[str, Any]]) -> RunLog:
    """A session, with its messages and their parts."""
    turns, unknown = Turns(), Counter[str]()
    asked: list[str] = []
    answers: list[dict[str, Any]] = []
    for message in messages:
        about = mapping(message.get("info"))
        if about.get("role") == "user":
            asked += [text(part.get("text")) for part in _parts(message) if _is_asked(part)]
            continue
        answers.append(about)
        for part in _parts(message):
            _part(turns, part, text(about.get("id")), unknown)
    found.pass_over(unknown)
    times = mapping(session.get("time"))
    folder = text(session.get("directory")) or next((_worked_in(about) for about in answers if _worked_in(about)), "")
    steps = turns.steps()
    return RunLog(
        source=source,
        steps=steps,
        task=Path(folder).name or text(session.get("title")),
        task_text="\n\n".join(asked),
        model=next((text(about.get("modelID")) for about in answers if about.get("modelID")), None),
        agent="opencode",
        tokens=_sum(_tokens(mapping(about.get("tokens"))) for about in answers),
        cost=_cost(figure(about.get("cost")) for about in answers),
        **span(times.get("created"), times.get("updated")),
        **_ending(mapping(answers[-1].get("error")) if answers else {}, by_last_step(steps)),
    )


def _is_asked(part: dict[str, Any]) -> bool:
    """Whether a part of a user's message is what somebody wrote, and not what opencode put in for the model."""
    return part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")


def _worked_in(about: dict[str, Any]) -> str:
    return text(mapping(about.get("path")).get("cwd"))


def _ending(error: dict[str, Any], otherwise: Ending) -> Ending:
    if not error:
        return otherwise
    name, words = text(error.get("name")), text(mapping(error.get("data")).get("message") or error.get("message"))
    return INTERRUPTED if name == _ABORTED else broken_off(": ".join(filter(None, (name, words))))


def _tokens(counted: dict[str, Any]) -> float | None:
    cached = mapping(counted.get("cache"))
    counts = [figure(counted.get(name)) for name in ("input", "output", "reasoning")]
    counts += [figure(cached.get(name)) for name in ("read", "write")]
    return _total(counts)


def _total(counts: Iterable[float | None]) -> float | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _sum(counts: Iterable[float | None]) -> int | None:
    total = _total(counts)
    return int(total) if total else None


def _cost(costs: Iterable[float | None]) -> float | None:
    """Money; a price of nothing is one that opencode does not know."""
    return _total(costs) or None


def _read_printed(found: Found) -> Iterator[RunLog]:
    """Printed events, each a part of a message; what the user asked is not among them."""
    turns, unknown = Turns(), Counter[str]()
    times: list[Any] = []
    error: dict[str, Any] = {}
    ended: list[dict[str, Any]] = []
    for line in found.lines(turns.miss):
        kind, part = text(line.get("type")), mapping(line.get("part"))
        times.append(line.get("timestamp"))
        if kind == "error":
            error = mapping(line.get("error")) or {"message": line.get("error")}
        elif kind == "step_finish":
            ended.append(part)
        else:
            _part(turns, part, text(part.get("messageID")), unknown)
    found.pass_over(unknown)
    steps = turns.steps()
    yield RunLog(
        source=found.source,
        steps=steps,
        task=found.stem,
        agent="opencode",
        tokens=_sum(_tokens(mapping(part.get("tokens"))) for part in ended),
        cost=_cost(figure(part.get("cost")) for part in ended),
        **span(times[0], times[-1]),
        **_ending(error, by_last_step(steps)),
    )


def _read_store(found: Found) -> Iterator[RunLog]:
    """Every session of a store, with its messages and their parts in the order of their ids."""
    for file in sorted((found.path / "session").rglob("ses_*.json")):
        messages = [
            {"info": about, "parts": list(_files(found, found.path / "part" / text(about.get("id"))))}
            for about in _files(found, found.path / "message" / file.stem)
        ]
        if messages:
            session = mapping(load_json(file))
            yield of_session(found, f"{found.source}/{file.stem}", session, messages)


def _files(found: Found, folder: Path) -> Iterator[dict[str, Any]]:
    for file in sorted(folder.glob("*.json")):
        try:
            yield mapping(load_json(file))
        except LogError as error:
            found.notes.append(f"{file.name} is left out: {error.message}")


def _read(found: Found) -> Iterator[RunLog]:
    if found.is_folder:
        yield from _read_store(found)
    elif found.has_lines and not _is_export(found):
        yield from _read_printed(found)
    else:
        data = found.json
        session = {} if isinstance(data, list) else mapping(data.get("info"))
        yield of_session(found, found.source, session, [mapping(message) for message in _messages(data)])


def _messages(data: Any) -> list[Any]:
    listed = data if isinstance(data, list) else mapping(data).get("messages")
    return listed if isinstance(listed, list) else []


def _is_export(found: Found) -> bool:
    messages = [] if found.has_lines else _messages(found.json)
    first = mapping(messages[0]) if messages else {}
    return "sessionID" in mapping(first.get("info")) and isinstance(first.get("parts"), list)


def _recognises(found: Found) -> bool:
    if found.is_folder:
        return all((found.path / name).is_dir() for name in ("session", "message", "part"))
    if found.has_lines:
        first = next(iter(found.head), {})
        return text(first.get("type")) in _PRINTED and "sessionID" in first
    return _is_export(found)


OPENCODE = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
