"""The short run of ``logs``, as lists of messages."""

from __future__ import annotations

import json
from pathlib import Path

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT


def write_messages(folder: Path) -> Path:
    """Messages as OpenAI's protocol has them."""
    folder.mkdir(parents=True)
    path = folder / "cifar10.json"
    function = {"name": "bash", "arguments": json.dumps({"command": "python train.py"})}
    call = {"id": "c1", "type": "function", "function": function}
    messages = [
        {"role": "system", "content": "You are a researcher."},
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": "I run it.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": OUTPUT},
        {"role": "assistant", "content": CLAIM},
        {"role": "assistant", "content": LIE},
    ]
    path.write_text(json.dumps({"model": "model", "messages": messages}))
    return path


def write_langchain(folder: Path) -> Path:
    """Messages as LangChain makes dictionaries of them."""
    folder.mkdir(parents=True)
    path = folder / "cifar10.json"
    call = {"name": "bash", "args": {"command": "python train.py"}, "id": "c1", "type": "tool_call"}
    made = {"response_metadata": {"model_name": "model"}, "tool_calls": []}
    messages = [
        {"type": "system", "content": "You are a researcher."},
        {"type": "human", "data": {"content": PROMPT, "type": "human"}},
        {"type": "ai", "content": "I run it.", "tool_calls": [call]},
        {"type": "tool", "content": OUTPUT, "tool_call_id": "c1", "status": "success"},
        {"type": "ai", "content": CLAIM, **made},
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"],
         "kwargs": {"content": LIE, "type": "ai", **made}},
    ]  # fmt: skip
    path.write_text(json.dumps({"messages": messages}))
    return path


def write_response_items(folder: Path) -> Path:
    """Items of OpenAI's Responses protocol."""
    folder.mkdir(parents=True)
    path = folder / "cifar10.json"
    items = [
        {"role": "user", "content": PROMPT},
        {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "Run first."}]},
        {
            "type": "function_call",
            "call_id": "c1",
            "name": "bash",
            "arguments": '{"command": ["bash", "-lc", "python train.py"]}',
        },
        {"type": "function_call_output", "call_id": "c1", "output": OUTPUT},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": f"{CLAIM}\n\n{LIE}"}]},
    ]
    path.write_text(json.dumps(items))
    return path
