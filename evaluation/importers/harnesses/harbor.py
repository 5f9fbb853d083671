"""Trials of Harbor: its grade and errors stand beside the agent's folder, which holds the same run in several forms."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from environment.records import EndedBy
from evaluation.importers.ending import broken_off, completed
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found
from evaluation.importers.parsing import figure, load_json, mapping, text
from evaluation.record.log import RunLog

TRAJECTORY = "trajectory.json"
_AGENT = "agent"
_RESULT = "result.json"
_BESIDE = (_RESULT, "config.json", "verifier")
"""What a trial's folder has besides that of its agent."""
_PRINTED = (".txt", ".log")


def logs_of(folder: Path, files: list[Path]) -> list[Path]:
    """What to read of a folder: of a trial's agent the trajectory, else its session, else what it printed."""
    if not _is_agents(folder):
        return files
    trajectory = [file for file in files if file.name == TRAJECTORY]
    if trajectory:
        return [file for file in files if file.suffix == ".json" and file.name.startswith(Path(TRAJECTORY).stem)]
    has_session = any(folder.rglob("*.jsonl")) or any(folder.glob("*.json"))
    return [file for file in files if file.suffix not in _PRINTED] if has_session else files


def within_trial(found: Found, log: RunLog) -> RunLog:
    """A log with what Harbor tells of its trial: the task, the grade, and what ended it."""
    agent = next((parent for parent in found.path.parents if _is_agents(parent)), None)
    if agent is None:
        return log
    found.used.append(agent.parent)
    trial = _result(found, agent.parent)
    name = agent.parent.name
    task = text(trial.get("task_name")) or name.rpartition("__")[0] or (name if log.agent is None else log.task)
    told = {"task": task} if trial or "__" in name else {}
    return log.model_copy(update={**told, **_graded(trial), **_ended(trial, log)})


def _is_agents(folder: Path) -> bool:
    return folder.name == _AGENT and any((folder.parent / name).exists() for name in _BESIDE)


def _result(found: Found, trial: Path) -> dict[str, Any]:
    """What Harbor keeps of the trial."""
    beside = trial / _RESULT
    with suppress(LogError):
        if beside.is_file() and "trial_name" in (known := mapping(load_json(beside))):
            found.used.append(beside)
            return known
    return {}


def _graded(trial: dict[str, Any]) -> dict[str, object]:
    rewards = mapping(mapping(trial.get("verifier_result")).get("rewards"))
    for name in sorted(rewards, key=lambda name: name != "reward"):
        score = figure(rewards[name])
        if score is not None:
            return {"metric": str(name), "score": score}
    return {}


def _ended(trial: dict[str, Any], log: RunLog) -> dict[str, object]:
    error = mapping(trial.get("exception_info"))
    if error:
        words = (text(error.get(f"exception_{part}")) for part in ("type", "message"))
        return {**broken_off(": ".join(filter(None, words)))}
    is_over = bool(trial) and log.ended_by in (None, EndedBy.FINAL_ANSWER) and log.error is None
    return {**completed(log.ended_by)} if is_over else {}
