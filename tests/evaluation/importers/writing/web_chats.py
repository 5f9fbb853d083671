"""The short run of ``logs``, as ChatGPT and Claude export chats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT

_CODE = "!python train.py"


def chatgpt_chat(*messages: dict[str, Any]) -> dict[str, Any]:
    """A chat whose messages follow each other."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": ["m0"]}}
    for number, message in enumerate(messages):
        parent = f"m{number - 1}" if number else "root"
        mapping[f"m{number}"] = {"id": f"m{number}", "message": message, "parent": parent, "children": []}
    return {
        "conversation_id": "c", "title": "cifar10", "create_time": 1_772_323_200.5, "update_time": 1_772_323_500.5,
        "mapping": mapping, "current_node": f"m{len(messages) - 1}", "default_model_slug": "auto",
    }  # fmt: skip


def chatgpt_message(role: str, words: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    """A message; code and what it printed stand in a text of their own."""
    held = {"parts": [words]} if kind == "text" else {"text": words}
    metadata = {"model_slug": "model"} if role == "assistant" else {}
    return {"author": {"role": role, "name": "python" if role == "tool" else None}, "recipient": "all",
            "content": {"content_type": kind, **held}, "metadata": metadata, **more}  # fmt: skip


def chatgpt_run() -> list[dict[str, Any]]:
    """The run's messages."""
    return [
        chatgpt_message("user", PROMPT),
        chatgpt_message("assistant", "I run it."),
        chatgpt_message("assistant", _CODE, "code", recipient="python"),
        chatgpt_message("tool", OUTPUT, "execution_output", metadata={"aggregate_result": {"status": "success"}}),
        chatgpt_message("assistant", CLAIM),
        chatgpt_message("assistant", LIE),
    ]


def write_chatgpt(folder: Path) -> Path:
    """One chat, which had another answer before."""
    chat = chatgpt_chat(*chatgpt_run())
    other = chatgpt_message("assistant", "The test accuracy is 12.3%.")
    chat["mapping"]["other"] = {"id": "other", "message": other, "parent": "m0", "children": []}
    return written(folder, "conversations.json", [chat])


def write_claude_export(folder: Path) -> Path:
    """One chat of Claude's web page with its tool for code."""
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "I run it."},
        {"type": "tool_use", "id": None, "name": "bash_tool", "input": {"command": "python train.py"}},
        {"type": "tool_result", "name": "bash_tool", "content": [{"type": "text", "text": OUTPUT}], "is_error": False},
        {"type": "text", "text": CLAIM},
    ]
    messages = [
        {"uuid": "1", "sender": "human", "text": PROMPT, "content": [{"type": "text", "text": PROMPT}]},
        {"uuid": "2", "sender": "assistant", "text": CLAIM, "content": blocks},
        {"uuid": "3", "sender": "assistant", "text": LIE, "content": []},
    ]
    chat = {"uuid": "c", "name": "cifar10", "created_at": "2026-03-01T00:00:00Z", "updated_at": "2026-03-01T00:05:00Z"}
    return written(folder, "conversations.json", [{**chat, "chat_messages": messages}])
