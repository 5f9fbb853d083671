"""Traces of OpenTelemetry, as collectors write them (OTLP as JSON) and as Python's exporter prints them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from evaluation.importers.agents.otel_attributes import Attributes, attributes_of, messages_of, unpacked
from evaluation.importers.agents.traces import AGENT, Span, runs
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, mapping, mappings, text
from evaluation.record.log import RunLog

_MODEL, _TOOL = "generation", "function"
_KINDS = {
    **dict.fromkeys(("chat", "generate_content", "text_completion", "LLM", "llm"), _MODEL),
    **dict.fromkeys(("execute_tool", "TOOL", "tool"), _TOOL),
    **dict.fromkeys(("invoke_agent", "create_agent", "AGENT", "agent"), AGENT),
}
"""Operations by OpenTelemetry's conventions, kinds by OpenInference's and OpenLLMetry's."""
_OF_KIND = ("gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model")
_AGENTS = ("gen_ai.agent.name", "agent.name", "traceloop.entity.name")
_TOOLS = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
_GIVEN = ("gen_ai.tool.call.arguments", "tool_arguments", "input.value", "traceloop.entity.input")
_CAME = ("gen_ai.tool.call.result", "tool_response", "output.value", "traceloop.entity.output")
_ASKED_TOKENS = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_WRITTEN_TOKENS = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_ERROR = ("2", "STATUS_CODE_ERROR", "ERROR")
_NANOSECONDS = 1e9


def _recognises(found: Found) -> bool:
    data = found.head if found.has_lines else found.objects
    spans = [span for each in data for span in _spans(each)]
    return any(_kind(span) in (_MODEL, _TOOL) for span in spans)


def _read(found: Found) -> Iterator[RunLog]:
    data = found.lines() if found.has_lines else found.objects
    return runs(found, [_span(each) for line in data for each in _spans(line) if _kind(each)])


def _spans(each: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The spans of an object, their attributes by name."""
    for resource in mappings(each.get("resourceSpans")):
        for scope in mappings(resource.get("scopeSpans")):
            for span in mappings(scope.get("spans")):
                yield {**span, "attributes": attributes_of(span.get("attributes"))}
    if "trace_id" in mapping(each.get("context")) and isinstance(each.get("attributes"), dict):
        yield {**each, "traceId": each["context"]["trace_id"]}


def _kind(span: dict[str, Any]) -> str:
    """What a span is of: a call of the model or of a tool, all that an agent did, else nothing."""
    held = span["attributes"]
    return next((_KINDS[each] for name in _OF_KIND if (each := text(held.get(name))) in _KINDS), "")


def _span(span: dict[str, Any]) -> Span:
    held, status = span["attributes"], mapping(span.get("status"))
    kind = _kind(span)
    data: dict[str, Any] = {"type": kind, "model": _first(held, _MODELS)}
    if kind == _MODEL:
        data |= {"input": messages_of(held, "input"), "output": messages_of(held, "output")}
    elif kind == AGENT:
        data["name"] = _first(held, _AGENTS)
    else:
        name = _first(held, _TOOLS) or span.get("name")
        data |= {"name": name, "input": _given(held), "output": _text_or_object(_first(held, _CAME))}
    has_failed = text(status.get("code") or status.get("status_code")) in _ERROR
    tokens = [figure(_first(held, names)) for names in (_ASKED_TOKENS, _WRITTEN_TOKENS)]
    return {
        "trace_id": text(span.get("traceId")),
        "started_at": _time(span.get("startTimeUnixNano")) or text(span.get("start_time")),
        "ended_at": _time(span.get("endTimeUnixNano")) or text(span.get("end_time")),
        "error": text(status.get("message") or status.get("description")) or "error" if has_failed else None,
        "span_data": data,
        "tokens": sum(count or 0 for count in tokens) if kind == _MODEL and any(tokens) else None,
    }


def _first(held: Attributes, names: tuple[str, ...]) -> Any:
    return next((held[name] for name in names if held.get(name) is not None), None)


def _given(held: Attributes) -> Any:
    """What a tool was given; OpenLLMetry writes a decorated function's arguments as Python does."""
    given = _first(held, _GIVEN)
    inner = mapping(unpacked(given))
    return inner["kwargs"] if inner.get("kwargs") and not inner.get("args") else given


def _text_or_object(came: Any) -> Any:
    """What a tool gave back, unpacked where it is JSON of more than a number."""
    inner = unpacked(came)
    return inner if isinstance(inner, str | dict | list) else came


def _time(nanoseconds: object) -> str:
    """A moment in nanoseconds since 1970, as text that sorts."""
    try:
        return datetime.fromtimestamp(int(text(nanoseconds)) / _NANOSECONDS, UTC).isoformat(timespec="microseconds")
    except (ValueError, OverflowError, OSError):
        return ""


OTEL = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
