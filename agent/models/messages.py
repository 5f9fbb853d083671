"""LangChain's messages as JSON, without the ids that it draws anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


def to_json(message: BaseMessage) -> dict[str, Any]:
    """One message."""
    from langchain_core.messages import message_to_dict

    known = message_to_dict(message)
    return {**known, "data": {name: value for name, value in known["data"].items() if name != "id"}}


def from_json(messages: Sequence[dict[str, Any]]) -> list[BaseMessage]:
    """The messages that ``to_json`` made these of."""
    from langchain_core.messages import messages_from_dict

    return messages_from_dict(messages)
