"""The short run of ``logs``, as OpenTelemetry and Langfuse keep traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT

_COMMAND = {"command": "python train.py"}
_CALL = {"type": "tool_call", "id": "c1", "name": "bash", "arguments": _COMMAND}
_BEGUN = 1_772_323_200
_ASKED = {"role": "user", "parts": [{"type": "text", "content": PROMPT}]}


def _said(words: str, *more: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "parts": [{"type": "text", "content": words}, *more], "finish_reason": "stop"}


def otlp(spans: list[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    """Spans of a trace, each with the minute it began and its attributes, as a collector writes them."""

    def value(held: Any) -> dict[str, Any]:
        return {"intValue": str(held)} if isinstance(held, int) else {"stringValue": held}

    made = [
        {
            "traceId": "5b8e", "spanId": f"s{minute}", "name": "span", "kind": 3,
            "startTimeUnixNano": f"{_BEGUN + 60 * minute}000000000",
            "endTimeUnixNano": f"{_BEGUN + 60 * minute + 30}000000000",
            "attributes": [{"key": key, "value": value(held)} for key, held in attributes.items()],
            "status": {},
        }
        for minute, attributes in spans
    ]  # fmt: skip
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "agent"}, "spans": made}]}]}


def _chat(given: list[dict[str, Any]], answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "model",
        "gen_ai.input.messages": json.dumps(given),
        "gen_ai.output.messages": json.dumps([answer]),
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
    }


def write_otlp(folder: Path) -> Path:
    """A line an export, spans as they ended; tools have spans of their own."""
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "bash",
        "gen_ai.tool.call.arguments": json.dumps(_COMMAND),
        "gen_ai.tool.call.result": json.dumps(OUTPUT),
    }
    spans = [
        (2, tool),
        (1, _chat([_ASKED], _said("I run it.", _CALL))),
        (3, _chat([_ASKED], _said(CLAIM))),
        (4, _chat([_ASKED], _said(LIE))),
        (0, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "coder"}),
    ]
    return written_lines(folder, "cifar10.jsonl", [otlp([span]) for span in spans])


def write_otlp_messages(folder: Path) -> Path:
    """Calls of the model alone: what tools gave back stands in the messages of the next."""
    came = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": OUTPUT}]}
    first = _said("I run it.", _CALL)
    spans = [
        (1, _chat([_ASKED], first)),
        (2, _chat([_ASKED, first, came], _said(CLAIM))),
        (3, _chat([_ASKED, first, came, _said(CLAIM)], _said(LIE))),
    ]
    return written(folder, "cifar10.json", otlp(spans))


def write_openinference(folder: Path) -> Path:
    """Spans by OpenInference's conventions, as Python's exporter prints them."""

    def span(minute: int, kind: str, attributes: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": "span", "context": {"trace_id": "0x1", "span_id": f"0x{minute}"}, "parent_id": None,
            "start_time": f"2026-03-01T00:0{minute}:00.000000Z", "end_time": f"2026-03-01T00:0{minute}:30.000000Z",
            "status": {"status_code": "OK"}, "attributes": {"openinference.span.kind": kind, **attributes},
        }  # fmt: skip

    def wrote(minute: int, words: str) -> dict[str, Any]:
        return span(
            minute,
            "LLM",
            {
                "llm.model_name": "model",
                "llm.input_messages.0.message.role": "user",
                "llm.input_messages.0.message.content": PROMPT,
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.contents.0.message_content.text": words,
            },
        )

    command = {"tool.name": "bash", "input.value": json.dumps(_COMMAND), "output.value": OUTPUT}
    spans = [wrote(1, "I run it."), span(2, "TOOL", command), wrote(3, CLAIM), wrote(4, LIE)]
    return written(folder, "cifar10.json", spans)


def write_langfuse(folder: Path) -> Path:
    """A trace with its observations, as Langfuse's API gives it."""

    def observed(minute: int, kind: str, given: Any, came: Any, **more: Any) -> dict[str, Any]:
        return {"id": f"o{minute}", "traceId": "t", "type": kind, "name": "bash", "level": "DEFAULT",
                "startTime": f"2026-03-01T00:0{minute}:00.000Z", "endTime": f"2026-03-01T00:0{minute}:30.000Z",
                "input": given, "output": came, **more}  # fmt: skip

    def wrote(minute: int, came: Any) -> dict[str, Any]:
        asked = {"messages": [{"role": "user", "content": PROMPT}]}
        usage = {"input": 100, "output": 20, "total": 120}
        return observed(minute, "GENERATION", asked, came, model="model", usageDetails=usage, totalCost=0.01)

    observations = [
        observed(0, "AGENT", PROMPT, LIE),
        wrote(1, {"role": "assistant", "content": "I run it.", "tool_calls": []}),
        wrote(3, {"role": "assistant", "content": CLAIM}),
        observed(2, "TOOL", _COMMAND, OUTPUT),
        wrote(4, LIE),
    ]
    return written(folder, "cifar10.json", {"id": "t", "name": "agent", "observations": observations})
