"""MLGym trajectories (``*.traj``): one JSON object with the steps, the message history and the scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluation.importers.harnesses.trajectory import ending_of, messages_of, spent_of, step_of
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, mapping, objects, text
from evaluation.record.log import RunLog


def _is_mlgym(found: Found) -> bool:
    """Whether parsed JSON is a trajectory of MLGym, as far as it differs from SWE-agent's."""
    return isinstance(mapping(found.json).get("trajectory"), list) and "steps" not in found.json


def _read_mlgym(path: Path, data: dict[str, Any], source: str) -> RunLog:
    """A trajectory, whose first prompt is the task's text and whose last evaluation is the score."""
    info = mapping(data.get("info"))
    metric, score = _score(info.get("score"))
    ended = text(info.get("exit_status"))
    return RunLog(
        source=source,
        steps=tuple(step_of(step) for step in objects(data["trajectory"], path, "trajectory")),
        task=_task(path, text(data.get("environment"))),
        task_text="\n\n".join(
            text(m.get("content")) for m in messages_of(data) if m.get("role") == "user" and _is_prompt(m)
        ),
        model=model_of(path.parent.name),
        agent="mlgym",
        metric=metric,
        score=score,
        **spent_of(mapping(info.get("model_stats"))),
        attributes={"exit_status": ended} if ended else {},
        **ending_of(ended),
    )


def _task(path: Path, environment: str) -> str:
    """The task that a run's folder names, else its file; all runs have the same ``environment``, the harness's."""
    parts = path.parent.name.split("__")
    if len(parts) > 1 and parts[1]:
        return parts[1]
    return environment if environment and not environment.startswith("mlgym") else path.stem


def _score(scores: object) -> tuple[str | None, float | None]:
    """Metric and value of the last evaluation: one object of metrics for each time the submission was scored."""
    evaluations = [found for found in scores if isinstance(found, dict)] if isinstance(scores, list) else []
    for name, value in evaluations[-1].items() if evaluations else ():
        score = figure(value)
        if score is not None:
            return str(name), score
    return None, None


def _is_prompt(message: dict[str, Any]) -> bool:
    """Whether a user message is the task, and not an observation or a demonstration."""
    return not message.get("is_demo") and "task" in text(message.get("content"))[:2000].lower() and "agent" in message


def model_of(folder: str) -> str | None:
    """MLGym names its folders ``<user>-<model>__<task>__…``."""
    return folder.split("__", 1)[0].removeprefix("metagen-") if "__" in folder else None


MLGYM = Importer(
    recognises=_is_mlgym,
    read=lambda found: iter([_read_mlgym(found.path, found.json, found.source)]),
)
"""The format, as the registry names it."""
