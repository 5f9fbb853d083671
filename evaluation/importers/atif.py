"""Trajectories in the Agent Trajectory Interchange Format, as Harbor writes them (``trajectory.json``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict

from environment.records import Outcome
from evaluation.importers.importer import Importer
from evaluation.importers.parsing import figure, mapping, objects, text, tool_action
from evaluation.record.log import Exchange, LogStep, RunLog


class _Spent(TypedDict):
    tokens: int | None
    cost: float | None


def _is_atif(data: object) -> bool:
    """Whether parsed JSON is an ATIF trajectory."""
    return str(mapping(data).get("schema_version", "")).startswith("ATIF")


def _read_atif(path: Path, data: dict[str, Any], source: str) -> RunLog:
    """A trajectory; steps of the user and the system are the task's text, those of the agent the run."""
    steps = objects(data.get("steps") or [], path, "steps")
    agent = mapping(data.get("agent"))
    said = [text(step.get("message")) for step in steps if step.get("source") == "user"]
    return RunLog(
        source=source,
        steps=tuple(_step(step) for step in steps if step.get("source") == "agent"),
        task=text(mapping(data.get("extra")).get("task_name")) or path.parent.parent.name,
        task_text="\n\n".join(said[:1]),
        model=text(agent.get("model_name")) or None,
        agent=text(agent.get("name")) or None,
        **_spent(data, steps),
    )


def _spent(data: dict[str, Any], steps: list[dict[str, Any]]) -> _Spent:
    """The totals of the run, else the sums over its steps; ``None`` where nothing was counted."""
    totals = mapping(data.get("final_metrics"))
    counted = [mapping(step.get("metrics")) for step in steps]

    def total(name: str, of_all: str) -> float | None:
        found = [figure(metrics.get(name)) for metrics in counted]
        told = [value for value in found if value is not None]
        known = figure(totals.get(of_all))
        return known if known is not None else sum(told) if told else None

    prompt = total("prompt_tokens", "total_prompt_tokens")
    completion = total("completion_tokens", "total_completion_tokens")
    tokens = None if prompt is None and completion is None else int((prompt or 0) + (completion or 0))
    return {"tokens": tokens, "cost": total("cost_usd", "total_cost_usd")}


def _step(step: dict[str, Any]) -> LogStep:
    prose = {"reasoning": text(step.get("reasoning_content")), "response": text(step.get("message"))}
    results = mapping(step.get("observation")).get("results")
    results = [result for result in results if isinstance(result, dict)] if isinstance(results, list) else []
    calls = step.get("tool_calls")
    calls = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    exchanges = tuple(_exchange(call, results, n, len(calls)) for n, call in enumerate(calls))
    if results and not calls:
        exchanges = (Exchange(action=tool_action("none", {}), observation=_seen(results)),)
    return LogStep(prose={name: said for name, said in prose.items() if said.strip()}, exchanges=exchanges)


def _exchange(call: dict[str, Any], results: list[dict[str, Any]], number: int, count: int) -> Exchange:
    """A call with its result: by id, else all results for an only call, else by position."""
    own = [result for result in results if result.get("source_call_id") == call.get("tool_call_id")]
    if not own:
        own = results if count == 1 else results[number : number + 1]
    failed = any(mapping(result.get("extra")).get("is_error") is True for result in own)
    return Exchange(
        action=tool_action(call.get("function_name"), call.get("arguments")),
        observation=_seen(own),
        outcome=Outcome.FAILED if failed else None,
    )


def _seen(results: list[dict[str, Any]]) -> str:
    return "\n".join(text(result.get("content")) for result in results)


ATIF = Importer(
    recognises=lambda found: _is_atif(found.json),
    read=lambda found: iter([_read_atif(found.path, found.json, found.source)]),
)
"""The format, as the registry names it."""
