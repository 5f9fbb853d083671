"""Scripts that a command starts by itself are training runs, and a script's own result files its evidence."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from environment.records import KilledBy
from environment.sandbox import open_sandbox
from environment.store import Store
from environment.training.background import Beside
from environment.training.runs import TrainingRuns
from environment.training.watcher import script_place
from environment.workspace.folder import Workspace
from tests.environment.bench import LIMITS

TRAIN = """
import json, subprocess, sys
print(f"validation MAE: {sys.argv[1]}")
print("a warning", file=sys.stderr)
json.dump({"validation": {"accuracy": 0.75}}, open("results.json", "w"))
subprocess.run([sys.executable, "part.py"])
sys.exit(int(sys.argv[2]))
"""
PART = "print('a part of it')\n"


@pytest.fixture
def runs(tmp_path: Path) -> TrainingRuns:
    root, starter = tmp_path / "workspace", tmp_path / "starter"
    (root / "deep").mkdir(parents=True)
    starter.mkdir()
    (root / "train.py").write_text(TRAIN)
    (root / "part.py").write_text(PART)
    (root / "deep" / "slow.py").write_text("import time\nprint('begun')\ntime.sleep(60)\n")
    return TrainingRuns(
        store=Store(str(tmp_path / "store")),
        sandbox=open_sandbox("bubblewrap", label="test"),
        workspace=Workspace(root, {}, (), None),
        starter=starter,
        run_id="r",
    )


def test_each_script_that_a_command_starts_is_a_training_run(runs: TrainingRuns) -> None:
    command = (
        'python -u train.py 2.5 0 2>/dev/null; bash -lc "$(command -v python) train.py 1.5 3" | tail -1; '
        "python -c 'print(1)'; timeout 3 python deep/slow.py; echo end"
    )
    execution, found = runs.watch(["sh", "-c", command], 4, LIMITS)
    assert execution.exit_code == 0
    printed = execution.output.decode()
    assert "validation MAE: 2.5" in printed
    assert printed.splitlines()[-1] == "end"
    assert [(run.script, run.args, run.exit_code, run.killed_by) for run in found] == [
        ("train.py", ("2.5", "0"), 0, None),
        ("train.py", ("1.5", "3"), 3, None),
        ("deep/slow.py", (), -15, None),
    ]
    assert printed.count("a warning") == 1
    values = [(point.source, point.title, point.value) for point in found[1].metrics]
    assert ("stdout", "validation MAE", 1.5) in values
    assert ("file", "validation accuracy", 0.75) in values
    assert found[0].diff.startswith("--- /dev/null")


def test_a_script_that_the_command_line_killed_is_told_as_cancelled(runs: TrainingRuns) -> None:
    _, (run,) = runs.watch(["sh", "-c", "timeout -s KILL 3 python deep/slow.py"], 0, LIMITS)
    assert (run.killed_by, run.exit_code) == (KilledBy.CANCELLED, None)


def test_a_script_in_the_background_has_the_files_that_it_wrote_itself(runs: TrainingRuns, tmp_path: Path) -> None:
    (tmp_path / "workspace" / "train.py").write_text(TRAIN + "\n")
    other = tmp_path / "workspace" / "other.json"

    def write_meanwhile(chunk: bytes) -> None:
        other.write_text('{"validation": {"accuracy": 0.99}}')
        time.sleep(0.01)

    run, _ = runs.execute("train.py", ["2.5", "0"], 0, LIMITS, Beside(write_meanwhile, threading.Event()))
    assert other.exists()
    assert [(point.file, point.value) for point in run.metrics if point.source == "file"] == [("results.json", 0.75)]


@pytest.mark.parametrize(
    ("argv", "place"),
    [
        (["python", "a.py", "-c"], 1),
        (["python", "-u", "-X", "dev", "-Werror", "-W", "x", "a.py"], 7),
        (["python", "-c", "print(1)"], None),
        (["python", "-uc", "print(1)"], None),
        (["python", "-m", "pytest"], None),
        (["python", "-"], None),
        (["python"], None),
    ],
)
def test_the_script_is_found_among_python_s_arguments(argv: list[str], place: int | None) -> None:
    assert script_place(argv) == place
