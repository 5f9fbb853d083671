"""Marks for Anthropic what of a prompt it may keep for the next one; other providers see for themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

MARKED = "anthropic"
"""The provider that is asked to cache."""
_KEEP = {"cache_control": {"type": "ephemeral"}}
_STEP = re.compile(r"(?<=\n\n)(?=(?:Step \d+[:;]|That was step \d))")
"""Where prompts that tell the steps so far begin a new one, and at the end the one that is asked for."""


def marked(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The same prompt, its system message and the steps in it marked to be kept.

    A step more makes a block more, so that all blocks before it are found again.
    """
    return [_marked(message) for message in messages]


def _marked(message: BaseMessage) -> BaseMessage:
    if not isinstance(message.content, str) or not message.content:
        return message
    if message.type == "system":
        return message.model_copy(update={"content": [{**_block(message.content), **_KEEP}]})
    *earlier, asked = _STEP.split(message.content)
    if message.type != "human" or not earlier:
        return message
    last = {**_block(earlier[-1]), **_KEEP}
    return message.model_copy(update={"content": [*map(_block, earlier[:-1]), last, _block(asked)]})


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
