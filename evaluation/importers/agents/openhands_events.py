"""Events of OpenHands, of both generations: actions and observations, and what its harness says of the conversation."""

from __future__ import annotations

from collections import Counter
from typing import Any

from environment.records import Action, EndedBy, Outcome
from evaluation.importers.agents import acp
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, completed
from evaluation.importers.parsing import GAP, figure, mapping, text, tool_action
from evaluation.importers.turns import Call, Turns
from evaluation.record.kinds import action_text

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
_BROKEN = ("stuck", "error")
"""States of a conversation that nobody ended."""
_STOPPED = ("stopped", "paused")
_LIMITS = ("MaxIterationsReached",)
"""Codes of errors that tell of a limit on steps."""


class Conversation:
    """A conversation as far as it was read."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.asked: list[str] = []
        self.unknown: Counter[str] = Counter()
        self.state = ""
        self.error: str | None = None
        self.answered = False
        self.is_at_limit = False
        self.times: list[str] = []
        self.stats: dict[str, Any] = {}
        self._begun: Call | None = None

    def take(self, event: dict[str, Any]) -> None:
        """Take in one event of either generation."""
        if event is GAP:
            self.turns.miss()
            return
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
            self.turns.call(self._continued(tool_action(_NAMES.get(kind, kind), asked)), call_id, key)

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
            self._answer(call_id, seen, outcome, code)

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
            self._answer(call_id, _shown(seen), outcome, code)
        elif kind in ("AgentErrorEvent", "UserRejectObservation"):
            refused = kind == "UserRejectObservation"
            said = text(event.get("rejection_reason" if refused else "error"))
            self.turns.answer(call_id, said, Outcome.REFUSED if refused else Outcome.FAILED)
        elif kind == "ConversationStateUpdateEvent":
            self._update(event)
        elif kind == "ACPToolCallEvent":
            acp.take(self.turns, event)
        elif kind == "InterruptEvent":
            self.state = _STOPPED[0]
        elif kind == "ConversationIterationLimitEvent" or event.get("code") in _LIMITS:
            self.is_at_limit = True
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
        self.turns.call(self._continued(action), call_id, key)

    def _answer(self, call_id: str | None, seen: str, outcome: Outcome | None, code: float | None) -> None:
        call = self.turns.answer(call_id or "", seen, outcome, running=code == _UNFINISHED)
        if code is not None:
            self._begun = call if call.running else None

    def _continued(self, action: Action) -> Action:
        """An action; one that waits for a command that goes on, or types into it, is that command's."""
        command = action.args.get("command")
        if self._begun is None or not isinstance(command, str):
            return action
        if command.strip() and action.args.get("is_input") not in (True, "true"):
            return action
        return Action(name="terminal_input", args={"command": action_text(self._begun.action), "typed": command})

    def _update(self, event: dict[str, Any]) -> None:
        """The state of the conversation, or what its models used; both at once as its full state."""
        key, value = text(event.get("key")), event.get("value")
        told = mapping(value) if key == "full_state" else {key: value}
        self.state = text(told.get("execution_status")) or self.state
        self.stats = mapping(told.get("stats")) or self.stats

    def ending(self, error: str) -> Ending:
        """How it ended.

        Args:
            error: What its log names as that.
        """
        if self.is_at_limit:
            return completed(EndedBy.STEPS)
        if error or self.error:
            return broken_off(error or self.error or "")
        if self.answered:
            return completed(EndedBy.FINAL_ANSWER)
        if self.state in _BROKEN:
            return broken_off(self.state)
        if self.state in _STOPPED:
            return INTERRUPTED
        return by_last_step(self.turns.steps(), is_over=self.state == "finished")


def _shown(seen: dict[str, Any]) -> str:
    """What the model was shown of a command: what it printed, between notes of what was cut and how it ended."""
    about = mapping(seen.get("metadata"))
    return f"{text(about.get('prefix'))}{text(seen.get('content'))}{text(about.get('suffix'))}"


def _response(event: dict[str, Any]) -> str | None:
    """The model's answer that an action belongs to."""
    made = mapping(event.get("tool_call_metadata"))
    return text(mapping(made.get("model_response")).get("id")) or None
