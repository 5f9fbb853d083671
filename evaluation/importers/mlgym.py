"""MLGym trajectories (``*.traj``): one JSON object with the steps, the message history and the scores."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypedDict

from evaluation.importers.importer import Importer
from evaluation.importers.parsing import command_action, figure, mapping, objects, text
from evaluation.record.log import Exchange, LogStep, RunLog

_COMMAND = re.compile(r"```[^\n`]*\n.*?\n?```\s*", re.DOTALL)


class _Spent(TypedDict):
    tokens: int | None
    cost: float | None


def _is_mlgym(data: object) -> bool:
    """Whether parsed JSON is a trajectory of MLGym (or of SWE-agent, whose format it is)."""
    return isinstance(mapping(data).get("trajectory"), list)


def _read_mlgym(path: Path, data: dict[str, Any], source: str) -> RunLog:
    """A trajectory: the prose of a step is its response without the fenced command."""
    history = [mapping(message) for message in data.get("history") or [] if isinstance(message, dict)]
    info = mapping(data.get("info"))
    metric, score = _score(info.get("score"))
    return RunLog(
        source=source,
        steps=tuple(_step(step) for step in objects(data["trajectory"], path, "trajectory")),
        task=text(data.get("environment")),
        task_text="\n\n".join(text(m.get("content")) for m in history if m.get("role") == "user" and _is_prompt(m)),
        model=model_of(path.parent.name),
        agent="mlgym",
        metric=metric,
        score=score,
        **_spent(mapping(info.get("model_stats"))),
        attributes={"exit_status": text(info.get("exit_status"))} if info.get("exit_status") else {},
    )


def _spent(stats: dict[str, Any]) -> _Spent:
    """Tokens and money of the model; a free model whose tokens count is one whose price MLGym did not know."""
    sent, received = figure(stats.get("tokens_sent")), figure(stats.get("tokens_received"))
    cost = figure(stats.get("task_cost", stats.get("instance_cost")))
    tokens = int(sent + received) if sent is not None and received is not None else None
    return {"tokens": tokens, "cost": cost or None}


def _score(scores: object) -> tuple[str | None, float | None]:
    """Metric and value of the last evaluation: one object of metrics for each time the submission was scored."""
    evaluations = [found for found in scores if isinstance(found, dict)] if isinstance(scores, list) else []
    for name, value in evaluations[-1].items() if evaluations else ():
        score = figure(value)
        if score is not None:
            return str(name), score
    return None, None


def _step(step: dict[str, Any]) -> LogStep:
    response = text(step.get("response")) or text(step.get("thought"))
    action = command_action(text(step.get("action")).strip())
    exchange = Exchange(action=action, observation=text(step.get("observation")))
    return LogStep(prose={"response": without_command(response)} if response else {}, exchanges=(exchange,))


def without_command(response: str) -> str:
    """A response without its last fenced block, which is the command."""
    blocks = list(_COMMAND.finditer(response))
    if not blocks:
        return response.strip()
    last = blocks[-1]
    return (response[: last.start()] + response[last.end() :]).strip()


def _is_prompt(message: dict[str, Any]) -> bool:
    """Whether a user message is the task, and not an observation or a demonstration."""
    return not message.get("is_demo") and "task" in text(message.get("content"))[:2000].lower() and "agent" in message


def model_of(folder: str) -> str | None:
    """MLGym names its folders ``<user>-<model>__<task>__…``."""
    return folder.split("__", 1)[0].removeprefix("metagen-") if "__" in folder else None


MLGYM = Importer(
    recognises=lambda found: _is_mlgym(found.json),
    read=lambda found: iter([_read_mlgym(found.path, found.json, found.source)]),
)
"""The format, as the registry names it."""
