"""Events of OpenHands: a conversation's folder, a list of them in one file, and ``output.jsonl`` of its benchmarks.

Both generations are read: actions and observations that point to their cause, and since version 1 events of a
``kind`` that share the id of a tool call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from environment.records import Action, EndedBy, Outcome
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, completed, span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, mapping, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_QUIET = frozenset(
    [
        "system",
        "recall",
        "change_agent_state",
        "agent_state_changed",
        "null",
        "condensation",
        "condensation_request",
        "loop_detection",
        "SystemPromptEvent",
        "ConversationStateUpdateEvent",
        "Condensation",
        "CondensationRequest",
        "CondensationSummaryEvent",
        "PauseEvent",
        "TokenEvent",
        "LLMCompletionLogEvent",
        "StreamingDeltaEvent",
        "HookExecutionEvent",
    ]
)
_MADE_FOR = ("thought", "confirmation_state", "security_risk", "hidden", "cwd", "blocking", "is_static", "kind")
"""Fields of an action that are not what was asked for."""
_NAMES = {"run": "execute_bash", "run_ipython": "execute_ipython_cell", "edit": "str_replace_editor", "read": "read"}
_UNFINISHED = -1
"""The exit code of a command that still runs."""

_NO_TASKS = ("workspace", "project", "repo", "workdir")
"""Folders that are called so whatever is worked on."""


class _Conversation:
    """A conversation as far as it was read."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.asked: list[str] = []
        self.unknown: Counter[str] = Counter()
        self.state = ""
        self.error: str | None = None
        self.answered = False
        self.times: list[str] = []

    def take(self, event: dict[str, Any]) -> None:
        """Take in one event of either generation."""
        if event.get("timestamp"):
            self.times.append(text(event["timestamp"]))
        if "kind" in event:
            self._of_kind(text(event["kind"]), event)
        elif "action" in event:
            self._action(text(event["action"]), event)
        elif "observation" in event:
            self._observation(text(event["observation"]), event)
        else:
            self.unknown["without a kind"] += 1

    def _action(self, kind: str, event: dict[str, Any]) -> None:
        args, call_id = mapping(event.get("args")), str(event.get("id", ""))
        if kind == "message" and event.get("source") == "user":
            self.asked.append(text(args.get("content")))
        elif kind == "message":
            self.turns.say("response", text(args.get("content")))
        elif kind == "think":
            self.turns.say("thought", text(args.get("thought")))
        elif kind == "finish":
            told = text(args.get("final_thought")) or text(args.get("thought"))
            self.turns.say("final_answer", told or text(mapping(args.get("outputs")).get("content")))
            self.turns.call(Action(name="finish"), call_id).answered = True
            self.answered = True
        elif kind not in _QUIET:
            key = _response(event)
            self.turns.say("thought", text(args.get("thought")), key)
            asked = {name: value for name, value in args.items() if name not in _MADE_FOR and value is not None}
            self.turns.call(tool_action(_NAMES.get(kind, kind), asked), call_id, key)

    def _observation(self, kind: str, event: dict[str, Any]) -> None:
        extras = mapping(event.get("extras"))
        if kind == "agent_state_changed":
            self.state = text(extras.get("agent_state"))
            self.error = (text(extras.get("reason")) or self.state) if self.state == "error" else None
        elif kind not in _QUIET and (call_id := self._answered(event)) is not None:
            code = figure(mapping(extras.get("metadata")).get("exit_code", extras.get("exit_code")))
            failed = kind == "error" or (code is not None and code > 0)
            outcome = Outcome.FAILED if failed else Outcome.OK if code == 0 else None
            seen = text(event.get("content"))
            self.turns.answer(call_id, seen, outcome, running=code == _UNFINISHED)

    def _answered(self, event: dict[str, Any]) -> str | None:
        """The id of the call that an observation answers: none where events have no ids, and it answers the last."""
        if event.get("cause") is None:
            return None if "id" in event else ""
        return str(event["cause"]) if self.turns.find(str(event["cause"])) else None

    def _of_kind(self, kind: str, event: dict[str, Any]) -> None:
        call_id = text(event.get("tool_call_id"))
        if kind == "MessageEvent":
            message = mapping(event.get("llm_message"))
            said = text(message.get("content"))
            if event.get("source") == "user":
                self.asked.append(said)
            else:
                self.turns.say("reasoning", text(message.get("reasoning_content")))
                self.turns.say("response", said)
        elif kind == "ActionEvent":
            self._called(event, call_id)
        elif kind == "ObservationEvent":
            seen = mapping(event.get("observation"))
            code = figure(seen.get("exit_code"))
            failed = seen.get("is_error") is True or (code is not None and code > 0)
            outcome = Outcome.FAILED if failed else Outcome.OK if code == 0 else None
            self.turns.answer(call_id, _shown(seen), outcome, running=code == _UNFINISHED)
        elif kind in ("AgentErrorEvent", "UserRejectObservation"):
            refused = kind == "UserRejectObservation"
            said = text(event.get("rejection_reason" if refused else "error"))
            self.turns.answer(call_id, said, Outcome.REFUSED if refused else Outcome.FAILED)
        elif kind == "ConversationErrorEvent":
            self.error = text(event.get("detail") or event.get("code")) or kind
        elif kind not in _QUIET:
            self.unknown[kind] += 1

    def _called(self, event: dict[str, Any], call_id: str) -> None:
        key = text(event.get("llm_response_id")) or None
        self.turns.say("reasoning", text(event.get("reasoning_content")), key)
        self.turns.say("thought", text(event.get("thought")), key)
        asked = mapping(event.get("action"))
        name = text(event.get("tool_name"))
        if name == "finish":
            self.turns.say("final_answer", text(asked.get("message")), key)
            self.answered = True
        elif name == "think":
            self.turns.say("thought", text(asked.get("thought")), key)
        given = {field: value for field, value in asked.items() if field not in _MADE_FOR and value is not None}
        action = tool_action(name, given if name not in ("finish", "think") else {})
        self.turns.call(action, call_id, key)


def _shown(seen: dict[str, Any]) -> str:
    """What the model was shown of a command: what it printed, between notes of what was cut and how it ended."""
    about = mapping(seen.get("metadata"))
    return f"{text(about.get('prefix'))}{text(seen.get('content'))}{text(about.get('suffix'))}"


def _response(event: dict[str, Any]) -> str | None:
    """The model's answer that an action belongs to."""
    made = mapping(event.get("tool_call_metadata"))
    return text(mapping(made.get("model_response")).get("id")) or None


def _log(found: Found, source: str, task: str, events: Iterable[dict[str, Any]], about: dict[str, Any]) -> RunLog:
    conversation = _Conversation()
    for event in events:
        conversation.take(event)
    found.pass_over(conversation.unknown)
    metrics = mapping(about.get("metrics"))
    spent = mapping(metrics.get("accumulated_token_usage"))
    counts = [figure(spent.get(name)) for name in ("prompt_tokens", "completion_tokens")]
    config = mapping(mapping(about.get("metadata")).get("llm_config"))
    result = mapping(about.get("test_result"))
    return RunLog(
        source=source,
        steps=conversation.turns.steps(),
        task=task,
        task_text="\n\n".join([text(about.get("instruction")), *conversation.asked]).strip(),
        model=text(config.get("model") or metrics.get("model_name")) or None,
        agent="openhands",
        score=next((value for name in ("score", "resolved") if (value := figure(result.get(name))) is not None), None),
        tokens=int(sum(count or 0 for count in counts)) if any(counts) else None,
        cost=figure(metrics.get("accumulated_cost")),
        **span(next(iter(conversation.times), ""), next(reversed(conversation.times), "")),
        **_ending(conversation, text(about.get("error"))),
    )


def _ending(conversation: _Conversation, error: str) -> Ending:
    if error or conversation.error:
        return broken_off(error or conversation.error or "")
    if conversation.answered:
        return completed(EndedBy.FINAL_ANSWER)
    if conversation.state == "stopped":
        return INTERRUPTED
    return by_last_step(conversation.turns.steps(), is_over=conversation.state == "finished")


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
    state = folder.parent / "base_state.json"
    about: dict[str, Any] = {}
    worked_in = ""
    if state.is_file():
        base = mapping(load_json(state))
        worked_in = Path(text(mapping(base.get("workspace")).get("working_dir"))).name
        worked_in = "" if worked_in in _NO_TASKS else worked_in
        usage = mapping(mapping(base.get("stats")).get("usage_to_metrics"))
        about = {
            "metrics": mapping(usage.get("agent")) or mapping(next(iter(usage.values()), {})),
            "metadata": {"llm_config": mapping(base.get("agent")).get("llm")},
        }
    yield _log(found, found.source, worked_in or folder.parent.name, events, about)


def _events_of(found: Found) -> Path:
    """The folder of the events, which may be the one that was asked for."""
    return found.path if found.named and found.path.name == "events" else found.path / "events"


def _listed(found: Found) -> object:
    if found.has_lines:
        return list(found.lines())
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
