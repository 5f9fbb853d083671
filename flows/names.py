"""Names of steps, ids and tags that people read in Prefect and the terminal, and the task that a name means."""

from __future__ import annotations

import re
import secrets

from environment.records import Action, Decision, RunConfig, agent_name, task_name
from environment.records.config import IMPORTED
from tasks_catalog.catalog import load_task, named_task
from tasks_catalog.library.spec import Task

RUN_FLOW = "benchmark-run"
"""What Prefect calls the flow of a run."""
SWEEP_TAG = "sweep:"
"""Before the name of the sweep that a run belongs to."""
MAX_TARGET = 60
MAX_READABLE = 150
"""Characters of a run's id before its unique part; a folder is named by it."""
TARGETS = ("script_name", "file_name", "dir_path", "source", "save_name")


def step_name(n: int, decision: Decision | None = None) -> str:
    """``step 07 · Execute Script train.py``; only the number while nothing is decided."""
    return f"step {n:02d}" if decision is None else f"step {n:02d} · {action_label(decision.action)}"


def action_label(action: Action) -> str:
    """The action's name with what it is aimed at, on one line."""
    target = next((str(action.args[name]) for name in TARGETS if name in action.args), "")
    return " ".join(f"{action.name} {target}"[: len(action.name) + 1 + MAX_TARGET].split())


def new_run_id(config: RunConfig, unique: str | None = None, *, length: int = 8) -> str:
    """An id people recognise: task, agent, model, seed, and ``length`` characters of ``unique`` or chance."""
    unique = unique or secrets.token_hex(length)
    who = "-".join(filter(None, (agent_name(config), (config.model or "").rpartition(":")[2])))
    readable = f"{task_name(config)}-{who}-{config.seed}".lower()
    return f"{re.sub(r'[^a-z0-9-]+', '-', readable)[:MAX_READABLE]}-{unique[:length]}"


def artifact_key(what: str, of: str) -> str:
    """The key of something shown of one run or sweep: of all artifacts with the same key, Prefect's list shows one."""
    return re.sub(r"[^a-z0-9-]+", "-", f"{what}-{of}".lower())


def run_tag(run_id: str) -> str:
    """The Prefect tag that all flow runs of a benchmark run carry."""
    return f"run:{run_id}"


def run_tags(config: RunConfig, run_id: str) -> list[str]:
    """What a benchmark run's flow run is found by: its run, task, agent, model and variant, and the config's own tags.

    A run of a sweep has the sweep's among these.
    """
    model = [f"model:{config.model}"] if config.model else []
    named = [f"task:{task_name(config)}", f"agent:{agent_name(config)}", *model, f"variant:{config.variant}"]
    return [run_tag(run_id), *named, *config.tags]


def task_of(config: RunConfig) -> Task:
    """A run's task; one that another's log names must be of the catalogue, since a task brings code along.

    Raises:
        TaskNotFoundError: There is none.
        TaskError: Its folder is incomplete or its ``task.toml`` is wrong.
    """
    return named_task(config.task) if IMPORTED in config.tags else load_task(config.task)
