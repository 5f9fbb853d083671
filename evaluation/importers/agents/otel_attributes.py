"""What attributes of OpenTelemetry's spans say of a model's messages, by its own conventions and by older ones.

Those of OpenTelemetry hold whole messages as JSON; OpenInference and OpenLLMetry number them in the attributes' names.
Sources: the semantic conventions for generative AI, OpenInference's and OpenLLMetry's.
"""

from __future__ import annotations

import json
import re
from typing import Any

from evaluation.importers.dialects import call_block, result_block
from evaluation.importers.parsing import mapping, mappings, text

Attributes = dict[str, Any]
_NUMBERED = {
    "input": re.compile(r"(?:gen_ai\.prompt|llm\.input_messages)\.(\d+)\.(?:message\.)?(.+)"),
    "output": re.compile(r"(?:gen_ai\.completion|llm\.output_messages)\.(\d+)\.(?:message\.)?(.+)"),
}
_CALL = re.compile(r"tool_calls\.(\d+)\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)")
_CONTENT = re.compile(r"content(?:s\.\d+\.message_content\.text)?")


def value_of(held: object) -> Any:
    """A value as OTLP wraps it in JSON: ``{"stringValue": "chat"}``."""
    if not isinstance(held, dict) or len(held) != 1:
        return held
    ((kind, value),) = held.items()
    if kind == "arrayValue":
        return [value_of(each) for each in mapping(value).get("values") or []]
    if kind == "kvlistValue":
        return attributes_of(mapping(value).get("values"))
    return int(value) if kind == "intValue" and isinstance(value, str) and value.isdecimal() else value


def attributes_of(held: object) -> Attributes:
    """Attributes by their names, whether they are an object or OTLP's list of keys and values."""
    return mapping(held) or {text(each.get("key")): value_of(each.get("value")) for each in mappings(held)}


def unpacked(value: object) -> Any:
    """What a text of JSON holds; any other value as it is."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def messages_of(attributes: Attributes, side: str) -> list[dict[str, Any]]:
    """The messages of one side of a call, ``input`` or ``output``, as Anthropic has them."""
    whole = mappings(unpacked(attributes.get(f"gen_ai.{side}.messages")))
    return [_message(each) for each in whole] or _numbered(attributes, _NUMBERED[side])


def _message(message: dict[str, Any]) -> dict[str, Any]:
    return {"role": message.get("role"), "content": [_block(part) for part in mappings(message.get("parts"))]}


def _block(part: dict[str, Any]) -> dict[str, Any]:
    kind = part.get("type")
    if kind == "tool_call":
        return call_block(part.get("id"), part.get("name"), part.get("arguments"))
    if kind == "tool_call_response":
        return result_block(part.get("id"), part.get("response", part.get("result")))
    if kind == "reasoning":
        return {"type": "thinking", "thinking": text(part.get("content"))}
    return {"type": "text", "text": text(part.get("content"))}


def _numbered(attributes: Attributes, pattern: re.Pattern[str]) -> list[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for name, value in attributes.items():
        if match := pattern.fullmatch(name):
            found.setdefault(int(match[1]), {})[match[2]] = value
    return [_of_names(found[number]) for number in sorted(found)]


def _of_names(held: dict[str, Any]) -> dict[str, Any]:
    """A message whose parts are called by numbered names."""
    calls: dict[str, dict[str, Any]] = {}
    for name, value in held.items():
        if match := _CALL.fullmatch(name):
            calls.setdefault(match[1], {})[match[2]] = value
    words = "\n".join(text(value) for name, value in held.items() if _CONTENT.fullmatch(name))
    if held.get("role") == "tool":
        return {"role": "tool", "content": [result_block(held.get("tool_call_id"), words)]}
    made = [call_block(each.get("id"), each.get("name"), each.get("arguments")) for each in calls.values()]
    return {"role": held.get("role"), "content": [{"type": "text", "text": words}, *made]}
