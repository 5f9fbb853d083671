"""Events of OpenHands: a conversation's folder, a list of them in one file, and ``output.jsonl`` of its benchmarks.

Both generations are read: actions and observations that point to their cause, and since version 1 events of a
``kind`` that share the id of a tool call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from evaluation.importers.agents.openhands_events import Conversation
from evaluation.importers.ending import span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import GAP, figure, load_json, mapping, text
from evaluation.record.log import RunLog

_NO_TASKS = ("workspace", "project", "repo", "workdir")
"""Folders that are called so whatever is worked on."""


def _log(found: Found, source: str, task: str, events: Iterable[dict[str, Any]], about: dict[str, Any]) -> RunLog:
    conversation = Conversation()
    for event in events:
        conversation.take(event)
    found.pass_over(conversation.unknown)
    metrics = mapping(about.get("metrics")) or _metrics(conversation.stats)
    spent = mapping(metrics.get("accumulated_token_usage"))
    counts = [figure(spent.get(name)) for name in ("prompt_tokens", "completion_tokens")]
    metadata = mapping(about.get("metadata"))
    config = mapping(metadata.get("llm_config") or metadata.get("llm"))
    result = mapping(about.get("test_result"))
    return RunLog(
        source=source,
        steps=conversation.turns.steps(),
        task=task,
        task_text="\n\n".join(filter(None, dict.fromkeys([text(about.get("instruction")), *conversation.asked]))),
        model=text(config.get("model") or metrics.get("model_name")) or None,
        agent="openhands",
        score=next((value for name in ("score", "resolved") if (value := figure(result.get(name))) is not None), None),
        tokens=int(sum(count or 0 for count in counts)) if any(counts) else None,
        cost=figure(metrics.get("accumulated_cost")),
        **span(next(iter(conversation.times), ""), next(reversed(conversation.times), "")),
        **conversation.ending(text(about.get("error"))),
    )


def _metrics(stats: dict[str, Any]) -> dict[str, Any]:
    """What the agent's model used; of several models, what the first did."""
    usage = mapping(stats.get("usage_to_metrics"))
    return mapping(usage.get("agent")) or mapping(next(iter(usage.values()), {}))


def _flat(history: object) -> Iterator[dict[str, Any]]:
    """Events in a row; older histories pair an action with its observation."""
    for event in history if isinstance(history, list) else ():
        yield from _flat(event) if isinstance(event, list) else (event,) if isinstance(event, dict) else ()


def _read_output(found: Found) -> Iterator[RunLog]:
    """Each line of ``output.jsonl`` is a run."""
    for line in found.lines():
        task = text(line.get("instance_id"))
        yield _log(found, f"{found.source}#{task}", task, _flat(line.get("history")), line)


def _read_list(found: Found) -> Iterator[RunLog]:
    yield _log(found, found.source, found.stem, _flat(_listed(found)), {})


def _read_folder(found: Found) -> Iterator[RunLog]:
    """The events of a conversation, one a file; one that cannot be read is noted."""
    events, folder = [], _events_of(found)
    for file in sorted(
        folder.glob("*.json"), key=lambda file: (len(file.stem) if file.stem.isdigit() else 0, file.stem)
    ):
        try:
            events.append(mapping(load_json(file)))
        except LogError as error:
            found.notes.append(f"{file.name} is left out: {error.message}")
            events.append(GAP)
    state = folder.parent / "base_state.json"
    about: dict[str, Any] = {}
    worked_in = ""
    if state.is_file():
        base = mapping(load_json(state))
        worked_in = Path(text(mapping(base.get("workspace")).get("working_dir"))).name
        worked_in = "" if worked_in in _NO_TASKS else worked_in
        about = {
            "metrics": _metrics(mapping(base.get("stats"))),
            "metadata": {"llm_config": mapping(base.get("agent")).get("llm")},
        }
    yield _log(found, found.source, worked_in or folder.parent.name, events, about)


def _events_of(found: Found) -> Path:
    """The folder of the events, which may be the one that was asked for."""
    return found.path if found.named and found.path.name == "events" else found.path / "events"


def _listed(found: Found) -> object:
    if found.has_lines:
        return found.all_lines()
    data = found.json
    return data if isinstance(data, list) else mapping(data).get("history", mapping(data).get("trajectory"))


def _is_event(event: object) -> bool:
    found = mapping(event)
    if "kind" in found:
        return text(found["kind"]).endswith("Event") and "source" in found
    return "source" in found and isinstance(found.get("action", found.get("observation")), str)


def _is_folder(found: Found) -> bool:
    events = _events_of(found)
    if not found.is_folder or not events.is_dir():
        return False
    first = next(iter(sorted(events.glob("*.json"))), None)
    try:
        return first is not None and _is_event(load_json(first))
    except LogError:
        return (events.parent / "base_state.json").is_file()


def _is_output(found: Found) -> bool:
    return any("instance_id" in line and any(map(_is_event, _flat(line.get("history")))) for line in found.head)


def _is_list(found: Found) -> bool:
    events = found.head if found.has_lines else found.json if isinstance(found.json, list) else []
    return any(map(_is_event, _flat(events[:20])))


def _recognises(found: Found) -> bool:
    return _is_folder(found) or _is_output(found) or _is_list(found)


def _read(found: Found) -> Iterator[RunLog]:
    if found.is_folder:
        return _read_folder(found)
    return _read_output(found) if _is_output(found) else _read_list(found)


OPENHANDS = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
