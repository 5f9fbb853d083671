"""Trajectories in the Agent Trajectory Interchange Format, as Harbor writes them (``trajectory.json``).

A run that went on in another file, and what subagents did in files of their own or within the same, is one run: steps
that were copied into a continuation for its context are not done again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

from environment.records import Outcome
from evaluation.importers.agents.codex_results import exchanges_of
from evaluation.importers.ending import Span, by_last_step, span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_json, mapping, mappings, objects, text, tool_action
from evaluation.record.kinds import DELEGATES
from evaluation.record.log import Exchange, LogStep, RunLog

_LONGEST_CHAIN = 1_000


class _Spent(TypedDict):
    tokens: int | None
    cost: float | None


def _is_atif(data: object) -> bool:
    """Whether parsed JSON is an ATIF trajectory."""
    return str(mapping(data).get("schema_version", "")).startswith("ATIF")


def _read(found: Found) -> Iterator[RunLog]:
    """A trajectory; steps of the user and the system are the task's text, those of the agent the run."""
    if not found.named and found.path.name in _referred(tuple(sorted(found.path.parent.glob("*.json")))):
        return
    parts = list(_chain(found))
    data = parts[0]
    steps = [step for part in parts for step in objects(part.get("steps") or [], found.path, "steps")]
    steps = [step for n, step in enumerate(steps) if n == 0 or len(parts) == 1 or not _is_copy(step)]
    agent = mapping(data.get("agent"))
    said = [text(step.get("message")) for step in steps if step.get("source") == "user"]
    own = tuple(_agent_steps(found.path, steps, _embedded(parts)))
    yield RunLog(
        source=found.source,
        steps=own,
        task=text(mapping(data.get("extra")).get("task_name")) or _task(found.path),
        task_text="\n\n".join(said[:1]),
        model=text(agent.get("model_name")) or None,
        agent=text(agent.get("name")) or None,
        **_spent(parts, steps),
        **_times(steps),
        **by_last_step(own, is_over=True),
    )


def _chain(found: Found) -> Iterator[dict[str, Any]]:
    """The trajectory and what continues it, in their order."""
    part, path, seen = found.json, found.path, {found.path.name}
    for _ in range(_LONGEST_CHAIN):
        yield part
        name = text(part.get("continued_trajectory_ref"))
        path = found.path.with_name(Path(name).name) if name else path
        if not name or path.name in seen:
            return
        seen.add(path.name)
        found.used.append(path)
        try:
            part = mapping(load_json(path))
        except LogError as error:
            found.notes.append(f"its continuation is left out: {error.message}")
            return


@lru_cache(maxsize=4)
def _referred(files: tuple[Path, ...]) -> frozenset[str]:
    """Names of the files of a folder that other trajectories in it take in."""
    names: set[str] = set()
    for file in files:
        with suppress(LogError):
            data = load_json(file)
            if _is_atif(data):
                taken = {Path(text(data.get("continued_trajectory_ref"))).name}
                taken.update(name for step in mappings(data.get("steps")) for name in _subagents(step))
                names |= taken - {file.name, ""}
    return frozenset(names)


def _subagents(step: dict[str, Any]) -> list[str]:
    """The files in which subagents of a step keep what they did."""
    return [Path(name).name for name in _names(step, "trajectory_path")]


def _names(step: dict[str, Any], field: str) -> list[str]:
    """How a step refers to what its subagents did."""
    refs = [ref for result in _results(step) for ref in mappings(result.get("subagent_trajectory_ref"))]
    return [name for ref in refs if (name := text(ref.get(field)))]


def _results(step: dict[str, Any]) -> list[dict[str, Any]]:
    return mappings(mapping(step.get("observation")).get("results"))


def _is_copy(step: dict[str, Any]) -> bool:
    return step.get("is_copied_context") is True


def _agent_steps(path: Path, steps: list[dict[str, Any]], embedded: dict[str, dict[str, Any]]) -> Iterator[LogStep]:
    """The agent's steps, each followed by those of its subagents; those of subagents that no step names at the end."""
    late = [result for step in steps if step.get("source") != "agent" for result in _results(step)]
    for step in steps:
        called = [embedded.pop(name) for name in _names(step, "trajectory_id") if name in embedded]
        inner = [each for trajectory in (*_of_files(path, step), *called) for each in _of_subagent(path, trajectory)]
        if step.get("source") == "agent":
            yield _step(step, late, is_whole=bool(inner))
        yield from inner
    for trajectory in embedded.values():
        yield from _of_subagent(path, trajectory)


def _embedded(parts: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The trajectories of subagents that are kept within those of their callers, by their ids."""
    kept = [trajectory for part in parts for trajectory in mappings(part.get("subagent_trajectories"))]
    return {text(each.get("trajectory_id")) or f"without an id: {n}": each for n, each in enumerate(kept)}


def _of_files(path: Path, step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in _subagents(step):
        with suppress(LogError):
            yield mapping(load_json(path.with_name(name)))


def _of_subagent(path: Path, trajectory: dict[str, Any]) -> Iterator[LogStep]:
    own = [step for step in mappings(trajectory.get("steps")) if not _is_copy(step)]
    return _agent_steps(path, own, _embedded([trajectory]))


def _spent(parts: list[dict[str, Any]], steps: list[dict[str, Any]]) -> _Spent:
    """The totals of the parts, else the sums over the steps; ``None`` where nothing was counted."""
    counted = [mapping(step.get("metrics")) for step in steps]

    def total(name: str, of_all: str) -> float | None:
        known = [figure(mapping(part.get("final_metrics")).get(of_all)) for part in parts]
        if None in known:
            known = [value for metrics in counted if (value := figure(metrics.get(name))) is not None]
        values = [value for value in known if value is not None]
        return sum(values) if values else None

    prompt = total("prompt_tokens", "total_prompt_tokens")
    completion = total("completion_tokens", "total_completion_tokens")
    tokens = None if prompt is None and completion is None else int((prompt or 0) + (completion or 0))
    return {"tokens": tokens, "cost": total("cost_usd", "total_cost_usd")}


def _times(steps: list[dict[str, Any]]) -> Span:
    times = [step["timestamp"] for step in steps if step.get("timestamp")]
    return span(next(iter(times), None), next(reversed(times), None))


def _task(path: Path) -> str:
    """The task that the trial's folder is named after: ``<task>__<letters>/agent/trajectory.json``."""
    trial = path.parent.parent.name
    return trial.rpartition("__")[0] or trial


def _step(step: dict[str, Any], late: list[dict[str, Any]], *, is_whole: bool = False) -> LogStep:
    """A step.

    Args:
        step: As it is kept.
        late: Results that stand in other steps, of the system.
        is_whole: What subagents did for it is known as well.
    """
    prose = {"reasoning": text(step.get("reasoning_content")), "response": text(step.get("message"))}
    calls = mappings(step.get("tool_calls"))
    ids = [call["tool_call_id"] for call in calls if call.get("tool_call_id")]
    results = [*_results(step), *(result for result in late if result.get("source_call_id") in ids)]
    if len(results) == 1:
        results = [{**results[0], "extra": {**mapping(step.get("extra")), **mapping(results[0].get("extra"))}}]
    exchanges = tuple(each for n, call in enumerate(calls) for each in _exchanges(call, results, n, len(calls)))
    if not is_whole:
        exchanges = tuple(map(_as_report, exchanges))
    if results and not calls:
        exchanges = (Exchange(action=tool_action("none", {}), observation=_seen(results)),)
    return LogStep(prose={name: said for name, said in prose.items() if said.strip()}, exchanges=exchanges)


def _as_report(exchange: Exchange) -> Exchange:
    """A call of another agent of which nothing is known but what it says."""
    is_report = exchange.authored and exchange.action.name.lower() in DELEGATES
    return exchange.model_copy(update={"authored": False}) if is_report else exchange


def _exchanges(call: dict[str, Any], results: list[dict[str, Any]], number: int, count: int) -> tuple[Exchange, ...]:
    """A call with its result: by id, else all results for an only call, else by position; of a script, those in it."""
    own = [result for result in results if result.get("source_call_id") == call.get("tool_call_id")]
    if not own:
        own = results if count == 1 else results[number : number + 1]
    is_failed = any(_is_failed(mapping(result.get("extra"))) for result in own)
    action = tool_action(call.get("function_name"), call.get("arguments"))
    if inner := exchanges_of(action, _seen(own)):
        return inner
    made = Exchange(
        action=action,
        observation=_seen(own),
        outcome=Outcome.FAILED if is_failed else None,
        authored=any(result.get("subagent_trajectory_ref") for result in own),
    )
    return (made,)


def _is_failed(extra: dict[str, Any]) -> bool:
    told = (extra.get("is_error"), extra.get("tool_result_is_error"), _about(extra).get("is_error"))
    return any(value is True for value in told)


def _seen(results: list[dict[str, Any]]) -> str:
    """What came back: as the agent was shown it, where Harbor keeps that beside a text of its own."""
    shown = (mapping(_about(mapping(result.get("extra"))).get("raw_tool_result")).get("content") for result in results)
    return "\n".join(text(raw) or text(result.get("content")) for raw, result in zip(shown, results, strict=True))


def _about(extra: dict[str, Any]) -> dict[str, Any]:
    return mapping(extra.get("tool_result_metadata"))


ATIF = Importer(recognises=lambda found: _is_atif(found.json), read=_read)
"""The format, as the registry names it."""
