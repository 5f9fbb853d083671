"""What a request for a model asks, whatever its protocol, and how a protocol reads and answers it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from environment.gateway.server import Event
    from environment.records import ModelCall


@dataclass(frozen=True)
class Asked:
    """A request for a model.

    Attributes:
        model: The name it was sent to.
        messages: As LangChain has them.
        tools: As OpenAI's chat completions have them.
        tool_choice: ``auto``, ``any``, ``none``, or the name of a tool; ``None`` where nothing is said.
        stop: Where the answer is to end.
        stream: Whether it is to come in events.
    """

    model: str
    messages: Sequence[BaseMessage]
    tools: Sequence[dict[str, Any]] = ()
    tool_choice: str | None = None
    stop: list[str] | None = None
    stream: bool = False


class Spoken(Protocol):
    """One protocol."""

    def read(self, body: Mapping[str, Any]) -> Asked:
        """The request of a body.

        Raises:
            KeyError, TypeError, ValueError, NotImplementedError: It is none.
        """
        ...

    def reply(self, answer: AIMessage, call: ModelCall) -> dict[str, Any]:
        """The answer as one object."""
        ...

    def events(self, reply: Mapping[str, Any]) -> list[Event]:
        """What ``reply`` returned, as a stream."""
        ...


def function(name: str, description: object, parameters: object) -> dict[str, Any]:
    """A tool as OpenAI's chat completions have it."""
    schema = parameters if isinstance(parameters, Mapping) else {"type": "object", "properties": {}}
    return {
        "type": "function",
        "function": {"name": name, "description": str(description or ""), "parameters": dict(schema)},
    }


def arguments_of(text: object) -> dict[str, Any]:
    """The arguments of an earlier tool call, which a protocol has as text."""
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        found = None
    return dict(found) if isinstance(found, Mapping) else {"input": text}


def text_of(content: object) -> str:
    """The text of a content that is a text, or a list of parts of which some have text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(text_of(part.get("text") or part.get("content") or "") for part in parts if isinstance(part, dict))
