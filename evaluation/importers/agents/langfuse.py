"""Observations of Langfuse: a trace as its page and API give it, rows of an export; a run a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluation.importers.agents.otel_attributes import unpacked
from evaluation.importers.agents.traces import AGENT, Span, runs
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, mapping, mappings, text
from evaluation.record.log import RunLog

_KINDS = {"GENERATION": "generation", "TOOL": "function", "AGENT": AGENT}


def _recognises(found: Found) -> bool:
    data = found.head if found.has_lines else found.objects
    observed = list(_observations(data))
    return bool(observed) and all(map(_is_observation, observed))


def _read(found: Found) -> Iterator[RunLog]:
    data = found.lines() if found.has_lines else found.objects
    return runs(found, [_span(each) for each in _observations(data) if each.get("type") in _KINDS])


def _observations(data: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in data:
        yield from mappings(each.get("observations")) or [each]


def _is_observation(each: dict[str, Any]) -> bool:
    return text(each.get("type")).isupper() and "traceId" in each and "startTime" in each


def _span(each: dict[str, Any]) -> Span:
    kind = _KINDS[each["type"]]
    given, came = unpacked(each.get("input")), unpacked(each.get("output"))
    if kind == "generation":
        given, came = mapping(given).get("messages", given), came if isinstance(came, dict | list) else [_said(came)]
    usage = mapping(each.get("usageDetails") or each.get("usage"))
    about = {"name": each.get("name"), "model": each.get("model") or each.get("providedModelName")}
    return {
        "trace_id": text(each.get("traceId")),
        "started_at": text(each.get("startTime")),
        "ended_at": text(each.get("endTime")),
        "error": text(each.get("statusMessage")) or "error" if each.get("level") == "ERROR" else None,
        "span_data": {"type": kind, "input": given, "output": came, **about},
        "tokens": figure(usage.get("total", each.get("totalTokens"))),
        "cost": figure(each.get("totalCost", each.get("calculatedTotalCost"))),
    }


def _said(written: object) -> dict[str, Any]:
    return {"role": "assistant", "content": written}


LANGFUSE = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
