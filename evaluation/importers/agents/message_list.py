"""Lists of messages in the protocols of Anthropic, OpenAI and Google, as SDKs and home-made agents dump them.

Those of LangChain are among them, as dictionaries (``"type": "ai"``), as it serialises objects (``"lc": 1``) and in a
state of LangGraph's, and those of pydantic-ai, AutoGen, Continue, goose, Amp, Cline and Roo Code. In JSON lines events
about the session may stand between them, as in sessions of pi, Droid and Kimi CLI.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.importers.autogen import is_autogen, of_autogen, unknown_kind
from evaluation.importers.dialects import is_pydantic, of_pi, of_pydantic
from evaluation.importers.ending import by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.langgraph import of_state, unrolled
from evaluation.importers.messages import conversation, of_google
from evaluation.importers.parsing import figure, mapping, mappings, text
from evaluation.record.log import RunLog

_UNDER = ("messages", "conversation", "history", "contents")
_ITEM = re.compile(r"\w+_call(_output)?|reasoning|compaction|item_reference|mcp_(list_tools|approval_\w+)")
"""Kinds of items that stand beside the messages in OpenAI's Responses protocol."""
_PARTIAL = (
    "message_start", "message_update", "turn_start", "turn_end", "agent_start", "agent_end",
    "tool_execution_start", "tool_execution_update", "tool_execution_end",
)  # fmt: skip
"""What pi prints as it goes: whole messages stand in ``message_end``."""
_ROLES = ("system", "developer", "user", "assistant", "tool")
_OF_LANGCHAIN = {"human": "user", "ai": "assistant"}


def _messages(found: Found) -> list[dict[str, Any]]:
    """The messages of a file, which may stand under a name; those of objects that say ``type`` for the role, too."""
    return [_with_role(message) for message in _kept(found) if message.get("type") not in _PARTIAL]


def _kept(found: Found) -> list[dict[str, Any]]:
    """The messages as the file has them."""
    data: Any = found.all_lines() if found.has_lines else found.json
    if isinstance(data, dict):
        data = of_state(data) or next((data[name] for name in _UNDER if isinstance(data.get(name), list)), [])
    return mappings(unrolled(data))


def _with_role(message: dict[str, Any]) -> dict[str, Any]:
    if is_pydantic(message):
        return of_pydantic(message)
    if is_autogen(message):
        return of_autogen(message)
    if isinstance(message.get("parts"), list):
        return of_google(message)
    inner = mapping(message.get("message") or message.get("kwargs") or message.get("data"))
    if "role" in inner:
        return _with_role(inner)
    if message.get("role") == "toolResult":
        return of_pi(message)
    found = {"type": message.get("type"), **inner} if "content" in inner and "content" not in message else message
    kind = text(found.get("type"))
    kind = _OF_LANGCHAIN.get(kind, kind)
    return found if "role" in found or kind not in _ROLES else {**found, "role": kind}


def _read(found: Found) -> Iterator[RunLog]:
    messages = _messages(found)
    found.pass_over(Counter(filter(None, map(unknown_kind, _kept(found)))))
    turns, asked = conversation(messages)
    steps = turns.steps()
    about = mapping(found.json)
    folders = (text(line.get("cwd") or line.get("working_dir")) for line in (about, *found.head))
    tokens = figure(about.get("accumulated_total_tokens") or about.get("total_tokens"))
    yield RunLog(
        source=found.source,
        steps=steps,
        task=text(about.get("task")) or Path(next(filter(None, folders), "")).name or found.stem,
        task_text="\n\n".join(asked),
        model=_model(about) or next(filter(None, map(_model, messages)), None),
        tokens=int(tokens) if tokens else None,
        **span(about.get("created_at"), about.get("updated_at")),
        **by_last_step(steps),
    )


def _model(message: dict[str, Any]) -> str:
    """The model that a message is of, or all of goose's session."""
    told = mapping(message.get("response_metadata")) or mapping(message.get("model_config"))
    return text(message.get("model") or told.get("model_name"))


def _is_list(found: Found) -> bool:
    """Whether all messages have a role, and one is the assistant's; of lines fewer than half may be without."""
    messages = list(map(_with_role, mappings(unrolled(found.head)))) if found.has_lines else _messages(found)
    messages = [message for message in messages if not _stands_beside(text(message.get("type")))]
    spoken = [message for message in messages if "role" in message and not _is_note(message)]
    roles = {str(message.get("role")) for message in spoken}
    beside = len(messages) - len(spoken)
    is_whole = 2 * beside < len(messages) if found.has_lines else not beside
    return (
        is_whole and "assistant" in roles and roles <= set(_ROLES) and any("content" in message for message in spoken)
    )


def _stands_beside(kind: str) -> bool:
    return kind in _PARTIAL or _ITEM.fullmatch(kind) is not None


def _is_note(message: dict[str, Any]) -> bool:
    """Whether it is what Kimi CLI notes between messages."""
    return str(message.get("role")).startswith("_")


MESSAGES = Importer(recognises=_is_list, read=_read)
"""The format, as the registry names it."""
