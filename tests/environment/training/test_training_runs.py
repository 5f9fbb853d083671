"""Scripts as training runs, in a real sandbox."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from environment.records import KilledBy, TrainingRun
from environment.sandbox import open_sandbox
from environment.sandbox.base import Limits
from environment.store import Store
from environment.training.runs import TrainingRuns
from environment.workspace.folder import Workspace

STARTER = "LEARNING_RATE = 0.1\nprint('loss: 0.5')\n"

Execute = Callable[..., TrainingRun]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


@pytest.fixture
def execute(tmp_path: Path, store: Store) -> Execute:
    """Runs a source as ``train.py`` of a workspace made for it."""
    starter, root = tmp_path / "starter", tmp_path / "workspace"
    starter.mkdir()
    root.mkdir()
    (starter / "train.py").write_text(STARTER)
    runs = TrainingRuns(
        store=store,
        sandbox=open_sandbox("auto", label="test"),
        workspace=Workspace(root),
        starter=starter,
        run_id="run-1",
    )

    def run(source: str, *args: str, script: str = "train.py", timeout: float = 60) -> TrainingRun:
        (root / script).write_text(source)
        return runs.execute(script, args, 4, Limits(timeout=timeout))[0]

    return run


def test_a_run_is_on_record_with_all_that_it_was(execute: Execute, store: Store) -> None:
    source = "LEARNING_RATE = 0.2\nimport sys\nprint('val accuracy:', 0.93)\nprint(sys.argv[1:], file=sys.stderr)\n"
    run = execute(source, "--epochs", "3")
    assert (run.id, run.step, run.script, run.exit_code) == ("run-1.4", 4, "train.py", 0)
    assert run.succeeded
    assert run.script_sha256 == hashlib.sha256(source.encode()).hexdigest()
    assert {"-LEARNING_RATE = 0.1", "+LEARNING_RATE = 0.2"} <= set(run.diff.splitlines())
    assert run.params["LEARNING_RATE"] == "0.2"
    assert run.params["args"] == "--epochs 3"
    assert run.params["limit.seconds"] == "60.0"
    assert store.get_object(run.output) == b"val accuracy: 0.93\n['--epochs', '3']\n"
    (point,) = run.metrics
    assert (point.name, point.split, point.value, point.line) == ("accuracy", "validation", 0.93, 1)


def test_metrics_before_a_crash_are_kept(execute: Execute) -> None:
    run = execute("print('loss: 0.7', flush=True)\nraise SystemExit(3)\n")
    assert run.exit_code == 3
    assert not run.succeeded
    assert [point.value for point in run.metrics] == [0.7]


def test_a_run_over_its_time_is_kept_and_marked(execute: Execute) -> None:
    run = execute("import time\nprint('loss: 0.7', flush=True)\ntime.sleep(600)\n", timeout=10)
    assert run.killed_by is KilledBy.TIMEOUT
    assert [point.value for point in run.metrics] == [0.7]


def test_a_new_script_is_shown_whole(execute: Execute) -> None:
    run = execute("print(1)\n", script="other.py")
    assert run.diff.splitlines()[:2] == ["--- /dev/null", "+++ b/other.py"]


def test_a_script_whose_name_begins_with_a_dash_is_a_script(execute: Execute) -> None:
    assert execute("print('loss: 0.5')\n", script="-c.py").metrics[0].value == 0.5


def test_no_secret_of_this_process_reaches_a_script(
    execute: Execute, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-secret")
    run = execute("import os\nprint(dict(os.environ))\n")
    assert b"planted" not in store.get_object(run.output)


LOGS_BY_HAND = """
import os
from pathlib import Path
run = Path(os.environ["MLFLOW_TRACKING_URI"]) / "0" / ("a" * 32)
for folder in ("metrics/train", "params", "artifacts/plots"):
    (run / folder).mkdir(parents=True)
(run / "metrics/train/loss").write_text("1700000000000 0.5 0\\n1700000000001 0.25 1\\nnonsense\\n")
(run / "params/depth").write_text("3")
(run / "artifacts/plots/a.txt").write_text("plot")
os.symlink("/etc/passwd", run / "artifacts/stolen")
os.symlink("/etc/passwd", run / "params/stolen")
os.symlink("/etc", run / "artifacts/folder")
os.mkfifo(run / "artifacts/pipe")
with open(run / "artifacts/huge", "wb") as file:
    file.truncate(40 * 2**20)
(run / "artifacts/closed.txt").write_text("closed")
os.chmod(run / "artifacts/closed.txt", 0)
"""


def test_what_a_script_leaves_for_mlflow_is_taken_in_and_nothing_is_followed(execute: Execute, store: Store) -> None:
    run = execute(LOGS_BY_HAND)
    points = [(point.name, point.split, point.value, point.step, point.source) for point in run.metrics]
    assert points == [("loss", "train", 0.5, 0, "mlflow"), ("loss", "train", 0.25, 1, "mlflow")]
    assert run.params["depth"] == "3"
    assert "stolen" not in run.params
    assert {name: store.get_object(digest) for name, digest in run.artifacts.items()} == {
        "plots/a.txt": b"plot",
        "closed.txt": b"closed",
    }


@pytest.mark.slow
def test_a_script_that_uses_mlflow(execute: Execute, store: Store) -> None:
    run = execute(
        "import mlflow\n"
        "with mlflow.start_run():\n"
        "    mlflow.log_param('depth', 3)\n"
        "    for step in range(3):\n"
        "        mlflow.log_metric('val_loss', 1 / (step + 1), step=step)\n"
        "    mlflow.log_text('hello', 'notes/a.txt')\n",
        timeout=240,
    )
    assert run.succeeded, store.get_object(run.output)
    assert [(point.split, point.step) for point in run.metrics if point.source == "mlflow"] == [
        ("validation", step) for step in range(3)
    ]
    assert run.params["depth"] == "3"
    assert store.get_object(run.artifacts["notes/a.txt"]) == b"hello"


WRITES_RESULTS = """
import csv, json, os
json.dump({"test": {"accuracy": 0.5 + len(os.listdir()) * 0}}, open("results.json", "w"))
os.symlink("/etc/passwd", "metrics.json")
os.mkfifo("scores.json")
print("validation loss: 0.3")
"""


def test_result_files_that_a_run_wrote_are_evidence(execute: Execute, store: Store, tmp_path: Path) -> None:
    (tmp_path / "workspace" / "history.json").write_text('{"loss": 9.0}')
    run = execute(WRITES_RESULTS)
    points = [(point.name, point.split, point.value, point.source, point.file, point.key) for point in run.metrics]
    assert points == [
        ("accuracy", "test", 0.5, "file", "results.json", "test.accuracy"),
        ("loss", "validation", 0.3, "stdout", "", ""),
    ]
    assert store.get_object(run.artifacts["results.json"]) == b'{"test": {"accuracy": 0.5}}'
