"""Follows another agent's command line by its talk with the model: which tools were called, and what came back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent.models.protocols.spoken import text_of
from environment.records import Followed

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage


class Overheard:
    """Puts the calls of each answer together with their results, which stand in a later request.

    Of answers without calls, those that a later request goes on from are commands too: the command line reads them
    out of the text. An answer that nothing follows on is a side talk, or the last word.
    """

    def __init__(self) -> None:
        self._done: list[Followed] = []
        self._open: list[AIMessage] = []

    def note(self, messages: Sequence[BaseMessage], answer: AIMessage) -> None:
        """Take in a request and its answer."""
        place = next((n for n in reversed(range(len(messages))) if messages[n].type == "ai"), None)
        if place is not None:
            going_on = next((said for said in reversed(self._open) if _same(said, messages[place])), None)
            if going_on is not None:
                self._open = []
                self._done += _followed(going_on, messages[place + 1 :])
        self._open.append(answer)

    def taken(self) -> tuple[Followed, ...]:
        """What was done since it was asked last; the last word stands at the end, without a tool or a result."""
        last = self._open[-1] if self._open else None
        done = [*self._done, *(_followed(last, ()) if last is not None else ())]
        self._done, self._open = [], []
        return tuple(done)


def _same(said: AIMessage, repeated: Any) -> bool:
    """Whether a request tells an answer as it was given."""
    if said.tool_calls:
        calls = [(call["name"], call["args"]) for call in said.tool_calls]
        return calls == [(call["name"], call["args"]) for call in repeated.tool_calls]
    return not repeated.tool_calls and str(said.text).strip() == str(repeated.text).strip()


def _followed(said: AIMessage, came_back: Sequence[BaseMessage]) -> list[Followed]:
    text = str(said.text)
    if not said.tool_calls:
        return [Followed(said=text, result="\n".join(text_of(message.content) for message in came_back))]
    results = [message for message in came_back if message.type == "tool"]
    found = []
    for n, call in enumerate(said.tool_calls):
        own = [message for message in results if getattr(message, "tool_call_id", None) == call["id"]]
        result = text_of(own[0].content) if len(own) == 1 else text_of(results[n].content) if n < len(results) else ""
        found.append(Followed(said=text if n == 0 else "", tool=call["name"], args=call["args"], result=result))
    return found
