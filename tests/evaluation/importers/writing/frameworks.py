"""The short run of ``logs``, as frameworks for agents keep their messages and traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT

_COMMAND = {"command": "python train.py"}
_FUNCTION = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": json.dumps(_COMMAND)}}


def write_autogen(folder: Path) -> Path:
    """Messages of AutoGen's AgentChat."""
    call = {"id": "c1", "name": "bash", "arguments": json.dumps(_COMMAND)}
    came = {"content": OUTPUT, "name": "bash", "call_id": "c1", "is_error": False}
    return written(
        folder,
        "cifar10.json",
        [
            {"source": "user", "type": "TextMessage", "content": PROMPT, "models_usage": None},
            {"source": "coder", "type": "ThoughtEvent", "content": "I run it."},
            {"source": "coder", "type": "ToolCallRequestEvent", "content": [call]},
            {"source": "coder", "type": "ToolCallExecutionEvent", "content": [came]},
            {"source": "coder", "type": "ToolCallSummaryMessage", "content": OUTPUT},
            {"source": "coder", "type": "TextMessage", "content": CLAIM},
            {"source": "coder", "type": "TextMessage", "content": LIE},
        ],
    )


def write_autogen_code(folder: Path) -> Path:
    """AutoGen's agent that writes code and has it run."""
    code = {"code": "import subprocess\nsubprocess.run(['python', 'train.py'])", "language": "python"}
    return written(
        folder,
        "cifar10.json",
        [
            {"source": "user", "type": "TextMessage", "content": PROMPT},
            {"source": "coder", "type": "CodeGenerationEvent", "content": "", "code_blocks": [code]},
            {"source": "coder", "type": "CodeExecutionEvent", "result": {"exit_code": 0, "output": OUTPUT}},
            {"source": "coder", "type": "TextMessage", "content": CLAIM},
            {"source": "coder", "type": "TextMessage", "content": LIE},
        ],
    )


def write_langgraph(folder: Path) -> Path:
    """A state of LangGraph's."""
    call = {"name": "bash", "args": _COMMAND, "id": "c1", "type": "tool_call"}
    messages = [
        {"type": "human", "content": PROMPT},
        {"type": "ai", "content": "I run it.", "tool_calls": [call]},
        {"type": "tool", "content": OUTPUT, "tool_call_id": "c1", "name": "bash"},
        {"type": "ai", "content": CLAIM},
        {"type": "ai", "content": LIE},
    ]
    return written(folder, "cifar10.json", {"values": {"messages": messages}, "next": [], "metadata": {"step": 4}})


def write_continue(folder: Path) -> Path:
    """A session of Continue."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": "I run it.", "toolCalls": [_FUNCTION]},
        {"role": "tool", "content": OUTPUT, "toolCallId": "c1"},
        {"role": "assistant", "content": CLAIM},
        {"role": "assistant", "content": LIE},
    ]
    history = [{"message": message, "contextItems": []} for message in messages]
    return written(folder, "cifar10.json", {"sessionId": "s", "title": "t", "history": history})


def write_agents_sdk(folder: Path) -> Path:
    """A trace of OpenAI's Agents SDK, a line a span."""

    def span(minute: int, **data: Any) -> dict[str, Any]:
        begun, ended = f"2026-03-01T00:0{minute}:00+00:00", f"2026-03-01T00:0{minute}:30+00:00"
        return {"object": "trace.span", "id": f"span_{minute}", "trace_id": "trace_1", "parent_id": None,
                "started_at": begun, "ended_at": ended, "span_data": data, "error": None}  # fmt: skip

    def wrote(minute: int, *, said: str, **more: Any) -> dict[str, Any]:
        answer = {"role": "assistant", "content": said, **more}
        asked = [{"role": "user", "content": PROMPT}]
        return span(minute, type="generation", input=asked, output=[answer], model="model", usage={})

    return written_lines(
        folder,
        "cifar10.jsonl",
        [
            {"object": "trace", "id": "trace_1", "workflow_name": "Agent workflow", "group_id": None},
            span(1, type="agent", name="coder", handoffs=[], tools=["bash"], output_type="str"),
            span(3, type="function", name="bash", input=json.dumps(_COMMAND), output=OUTPUT),
            wrote(2, said="I run it.", tool_calls=[_FUNCTION]),
            wrote(4, said=CLAIM),
            wrote(5, said=LIE),
        ],
    )


def write_langsmith(folder: Path) -> Path:
    """Runs out of LangSmith, as its client lists them."""

    def run(number: int, kind: str, given: dict[str, Any], came: dict[str, Any]) -> dict[str, Any]:
        begun, ended = f"2026-03-01T00:0{number}:00", f"2026-03-01T00:0{number}:30"
        return {"id": f"r{number}", "name": "bash", "run_type": kind, "inputs": given, "outputs": came, "error": None,
                "trace_id": "t", "dotted_order": f"2026030100000{number}Z", "start_time": begun,
                "end_time": ended}  # fmt: skip

    def wrote(number: int, said: str) -> dict[str, Any]:
        message = {"lc": 1, "type": "constructor", "kwargs": {"content": said, "type": "ai"}}
        return run(number, "llm", {}, {"generations": [[{"text": said, "message": message}]]})

    return written(
        folder,
        "cifar10.json",
        [
            run(1, "chain", {"input": PROMPT}, {"output": LIE}),
            wrote(2, "I run it."),
            run(3, "tool", {"input": str(_COMMAND)}, {"output": {"content": OUTPUT, "type": "tool"}}),
            wrote(4, CLAIM),
            run(5, "llm", {"messages": []}, {"messages": [{"role": "assistant", "content": LIE}]}),
        ],
    )
