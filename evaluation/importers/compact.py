"""Reads compact JSON: ``source``, ``task`` and ``steps`` of ``prose``, ``action`` and ``observation``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from environment.records import Action
from evaluation.claims.log import Exchange, LogStep, RunLog
from evaluation.importers.errors import LogError

_WITH_ARGS = re.compile(r"^(?P<name>[^\n{}`]+)\n(?:```\w*\s*)?(?P<args>\{.*?)(?:\s*```)?\s*$", re.DOTALL)


def read_compact(path: Path, data: dict[str, Any]) -> RunLog:
    """A run in compact form."""
    steps = data.get("steps")
    if not isinstance(steps, list):
        raise LogError(path, "has no list of steps", place="steps")
    return RunLog(
        source=str(data.get("source") or path.stem),
        steps=tuple(_step(path, number, step) for number, step in enumerate(steps)),
        task=str(data.get("task") or ""),
        task_text=str(data.get("task_text") or ""),
    )


def _step(path: Path, number: int, step: object) -> LogStep:
    if not isinstance(step, dict) or not isinstance(step.get("prose", {}), dict):
        raise LogError(path, "is not an object with prose, action and observation", place=f"step {number}")
    prose = {str(key): str(value) for key, value in step.get("prose", {}).items()}
    exchange = Exchange(
        action=read_action(str(step.get("action") or "")), observation=str(step.get("observation") or "")
    )
    return LogStep(prose=prose, exchanges=(exchange,))


def read_action(text: str) -> Action:
    """An action written as a name over JSON arguments, or as a command."""
    fenced = _WITH_ARGS.match(text.strip())
    if fenced:
        try:
            args = json.loads(fenced["args"])
        except ValueError:
            args = {"input": fenced["args"]}
        return Action(name=fenced["name"].strip(), args=args if isinstance(args, dict) else {"input": str(args)})
    return command_action(text)


def command_action(text: str) -> Action:
    """A shell-like command, under the name of its first word."""
    words = text.split(None, 1)
    return Action(name=words[0] if words else "none", args={"command": text})
