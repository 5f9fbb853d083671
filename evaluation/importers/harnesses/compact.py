"""Compact JSON: ``source``, ``task`` and ``steps`` of ``prose``, ``action`` and ``observation``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from environment.records import Action
from evaluation.importers.errors import LogError
from evaluation.importers.harnesses.mlgym import model_of
from evaluation.importers.importer import Importer
from evaluation.importers.parsing import command_action, mapping, objects, text
from evaluation.record.log import Exchange, LogStep, RunLog

_WITH_ARGS = re.compile(r"^(?P<name>[^\n{}`]+)\n(?:```\w*\s*)?(?P<args>\{.*?)(?:\s*```)?\s*$", re.DOTALL)


def _is_compact(data: object) -> bool:
    """Whether parsed JSON is a run in compact form."""
    steps = mapping(data).get("steps")
    return isinstance(steps, list) and bool(steps) and isinstance(steps[0], dict) and "prose" in steps[0]


def _read_compact(path: Path, data: dict[str, Any]) -> RunLog:
    """A run in compact form, under the name it gives itself."""
    source, task = str(data.get("source") or path.stem), text(data.get("task"))
    return RunLog(
        source=source,
        steps=tuple(_step(path, n, step) for n, step in enumerate(objects(data.get("steps"), path, "steps"))),
        task=task,
        task_text=text(data.get("task_text")),
        model=_model(source.split("/"), task),
    )


def _model(source: list[str], task: str) -> str | None:
    """The model, where a run's name has it: ``…/<model>/<task>/<run>``, or the folder's name of MLGym."""
    if len(source) > 3 and source[-2] == task:
        return source[-3]
    return next((found for part in source if (found := model_of(part))), None)


def _step(path: Path, number: int, step: dict[str, Any]) -> LogStep:
    prose = step.get("prose")
    if not isinstance(prose, dict):
        raise LogError(path, "prose is not an object", place=f"steps[{number}]")
    exchange = Exchange(action=read_action(text(step.get("action"))), observation=text(step.get("observation")))
    return LogStep(prose={str(key): text(value) for key, value in prose.items()}, exchanges=(exchange,))


def read_action(written: str) -> Action:
    """An action written as a name over JSON arguments, or as a command."""
    found = _WITH_ARGS.match(written.strip())
    if found is None:
        return command_action(written)
    try:
        args = json.loads(found["args"])
    except ValueError:
        args = {"input": found["args"]}
    return Action(name=found["name"].strip(), args=args if isinstance(args, dict) else {"input": str(args)})


COMPACT = Importer(
    recognises=lambda found: _is_compact(found.json),
    read=lambda found: iter([_read_compact(found.path, found.json)]),
    has_marked_prose=True,
)
"""The format, as the registry names it."""
