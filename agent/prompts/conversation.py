"""A conversation with native tool calls: what was said, and what each call returned, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pydantic import JsonValue

from agent.answers.parsing import AnswerError, read_action
from agent.models.messages import from_json, to_json
from agent.protocol import JSON
from environment.actions.spec import ActionSpec
from environment.records import Action

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AnyMessage, ToolCall

_NOT_DONE = "Not carried out: one tool is called at a time."


class Conversation:
    """LangChain's messages. The calls of one answer are carried out in its order, each a step of its own.

    Args:
        parallel: Carry out all calls of an answer; else the first one alone.

    Attributes:
        messages: Only ever added to, so that providers can cache them, until ``shorten`` begins anew.
        summary: What stands in the place of earlier messages, and of how many steps.
    """

    def __init__(self, *, parallel: bool) -> None:
        self.messages: list[AnyMessage] = []
        self.summary: tuple[str, int] = ("", 0)
        self._parallel = parallel
        self._results: list[str] = []
        self._note = ""

    def observed(self, observation: str, standing: str) -> None:
        """Take up what the call carried out last has returned, and where the run stands."""
        note = f"(Note on your call: {self._note})" if self._note else ""
        self._results.append("\n".join(part for part in (observation, note, standing) if part))

    def next_call(self, offered: Mapping[str, ActionSpec]) -> Action | None:
        """The next call of the last answer; ``None`` where all of its calls have their results.

        A call that cannot be carried out has the reason for its result.
        """
        if not self.messages:
            return None
        answer = cast("AIMessage", self.messages[-1])
        while len(self._results) < len(answer.tool_calls):
            if self._results and not self._parallel:
                self._results.append(_NOT_DONE)
                continue
            try:
                action, notes = read_call(answer.tool_calls[len(self._results)], offered)
            except AnswerError as error:
                self._results.append(f"Nothing was done: {error}")
            else:
                self._note = "; ".join(notes)
                return action
        self.messages += tool_results(answer, self._results)
        self._results = []
        return None

    def shorten(self, messages: Sequence[AnyMessage], summary: str, steps: int) -> None:
        """Go on with fewer messages, and a summary of so many steps in the place of the others."""
        self.messages = list(messages)
        self.summary = summary, steps

    def state(self) -> JSON:
        """All of it."""
        messages: list[JsonValue] = [to_json(message) for message in self.messages]
        return {"messages": messages, "note": self._note, "results": [*self._results], "summary": [*self.summary]}

    def restore(self, state: JSON) -> None:
        """Take up what ``state`` returned."""
        kept = cast("dict[str, Any]", state)
        self.messages = cast("list[AnyMessage]", from_json(kept["messages"]))
        self._note = kept["note"]
        self._results = list(kept.get("results", ()))
        text, steps = kept.get("summary", ("", 0))
        self.summary = text, steps


def read_call(call: ToolCall, offered: Mapping[str, ActionSpec]) -> tuple[Action, tuple[str, ...]]:
    """The action of a tool call, and notes on arguments that were not used.

    Raises:
        AnswerError: There is no such tool, or an argument is missing.
    """
    spec = offered.get(call["name"])
    if spec is None:
        raise AnswerError(f"there is no tool {call['name']!r}; the tools are: {', '.join(offered)}")
    return read_action(spec.name, call["args"], [spec])


def tool_results(answer: AIMessage, results: Sequence[str]) -> list[AnyMessage]:
    """A result for each call of an answer, which providers insist on; calls that could not be read come last."""
    from langchain_core.messages import ToolMessage

    unread = [f"Nothing was done: {not_json(call)}" for call in answer.invalid_tool_calls]
    calls = [*answer.tool_calls, *answer.invalid_tool_calls]
    return [
        ToolMessage(result, tool_call_id=call["id"] or "", name=call["name"] or "")
        for call, result in zip(calls, [*results, *unread], strict=True)
    ]


def not_json(call: Mapping[str, Any]) -> str:
    """What is wrong with a call whose arguments cannot be read."""
    return f"the arguments of {call.get('name')} are no JSON object: {call.get('error') or ''}"
