"""Writes a task as a Harbor task folder (https://www.harborframework.com/docs/tasks)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tasks_catalog.library.drawing import draw_exam, new_secret
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Direction, Task, Variant

PACKAGES = Path(__file__).parents[3]

_DOCKERFILE = """FROM python:3.11-slim
RUN pip install --no-cache-dir numpy pandas scikit-learn scipy pydantic{extras}
WORKDIR /workspace
COPY workspace/ /workspace/
COPY data/ /workspace/data/
"""
_SOLVE = """#!/bin/bash
set -e
cp -r /solution/files/. /workspace/
cd /workspace
python {script}
"""
_TEST = """#!/bin/bash
# Scores /workspace; the reward is 1 for success, and reward.json says more.
mkdir -p /logs/verifier
echo 0 > /logs/verifier/reward.txt
PYTHONPATH=/tests/lib python -P /tests/verify.py /workspace /tests /logs/verifier
"""
_VERIFY = '''"""Takes the declared files out of the workspace, grades them, and writes the reward."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tasks_catalog.library.grader import run_grader

ARTIFACTS = {artifacts}
BASELINE = {baseline}
SIGN = {sign}
SUCCESS = 0.10


def main(workspace, tests, logs):
    with tempfile.TemporaryDirectory() as folder:
        for pattern in ARTIFACTS:
            for path in workspace.glob(pattern):
                if path.is_file() and not path.is_symlink():
                    target = Path(folder) / path.relative_to(workspace)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, target)
        answer = run_grader(tests / "grade.py", Path(folder), tests / "private", Path(folder))
    score = answer.grade.score if answer.grade else None
    gained = SIGN * (score - BASELINE) / abs(BASELINE) if score is not None else 0.0
    reward = {{"reward": int(gained > SUCCESS), "improvement": gained}}
    if score is not None:
        reward["score"] = score
    print(answer.invalid or reward)
    (logs / "reward.txt").write_text(str(reward["reward"]))
    (logs / "reward.json").write_text(json.dumps(reward))


main(*map(Path, sys.argv[1:]))
'''


def export_harbor(task: Task, variant: Variant, prepared: Prepared, parent: Path) -> Path:
    """Make ``parent/<task>`` with ``task.toml``, ``instruction.md``, ``environment/``, ``tests/`` and ``solution/``.

    The hidden data goes into ``tests/``, which Harbor shows to the verifier alone.

    Args:
        task: The task.
        variant: Which of its data is packed in.
        prepared: That data.
        parent: Where the folder is made.

    Returns:
        The folder.

    Raises:
        TaskError: The task has its submission run by the harness, which Harbor's verifier cannot isolate,
            or has no measured baseline.
    """
    figures = task.spec.variants[variant]
    if task.spec.trials:
        raise TaskError(f"{task.name} cannot be exported: its grader times runs in sandboxes of its own")
    if figures.baseline is None:
        raise TaskError(f"{task.name} has no measured {variant.value} baseline", hint="Run mlab tasks verify first.")
    folder = parent / task.name
    if folder.exists():
        raise TaskError(f"{folder} exists already")
    environment, tests, solution = folder / "environment", folder / "tests", folder / "solution"
    shutil.copytree(task.starter, environment / "workspace")
    shutil.copytree(prepared.public, environment / "data")
    extras = "".join(f" {extra}" for extra in task.spec.extras)
    (environment / "Dockerfile").write_text(_DOCKERFILE.format(extras=extras), encoding="utf-8")
    if task.spec.drawn:
        draw_exam(task, variant, prepared, new_secret(), tests / "private")
    else:
        shutil.copytree(prepared.private, tests / "private")
    shutil.copy(task.grade_script, tests / "grade.py")
    shutil.copytree(task.starter, tests / task.starter.name)  # a grader may build on the starter's files
    for folder_of_modules in ("foundation", "tasks_catalog", "tasks_catalog/library"):
        (tests / "lib" / folder_of_modules).mkdir(parents=True)
        for module in (PACKAGES / folder_of_modules).glob("*.py"):
            shutil.copy(module, tests / "lib" / folder_of_modules)
    sign = 1 if task.spec.metric.direction is Direction.MAXIMIZE else -1
    verify = _VERIFY.format(artifacts=list(task.spec.artifacts), baseline=figures.baseline.mean, sign=sign)
    (tests / "verify.py").write_text(verify, encoding="utf-8")
    _write_script(tests / "test.sh", _TEST)
    shutil.copytree(task.solution, solution / "files")
    _write_script(solution / "solve.sh", _SOLVE.format(script=task.spec.script))
    (folder / "instruction.md").write_text(task.instruction + "\nThe workspace is `/workspace`.\n", encoding="utf-8")
    (folder / "task.toml").write_text(_spec(task, variant), encoding="utf-8")
    return folder


def _write_script(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def _spec(task: Task, variant: Variant) -> str:
    spec = task.spec
    return f"""schema_version = "1.1"

[task]
name = {json.dumps(f"mlagentbench/{spec.name}")}
description = {json.dumps(spec.summary)}
keywords = {json.dumps([spec.domain, variant.value])}

[metadata]
category = "machine-learning"
metric = {json.dumps(spec.metric.name)}
direction = {json.dumps(spec.metric.direction.value)}

[verifier]
timeout_sec = 600.0

[agent]
timeout_sec = {spec.budget.seconds}

[environment]
build_timeout_sec = 1800.0
cpus = {max(1, round(spec.resources.cpus))}
memory_mb = {spec.resources.memory_mib}
storage_mb = {spec.resources.workspace_mib}
"""
