"""Commands that only read load little: what each loads is counted, which no load of the machine disturbs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.cli.groups import server, tasks
from flows.cli.tree import app
from flows.run.early import start_early
from flows.services.processes import Service
from tests.flows.command import SLOPE
from tests.flows.conftest import Finished

LOG = '{"source": "log", "task": "x", "steps": [{"prose": {"thought": "The accuracy is 0.9."}}]}'
HEAVY = {
    *("numpy", "scipy", "pandas", "pyarrow", "prefect", "mlflow", "langchain_core", "optuna", "sklearn", "docker"),
    *("packaging", "filelock"),
}
LOADED = """
import atexit, sys
from flows.cli.app import main
told = sys.stderr
atexit.register(lambda: print(len(sys.modules), *{module.split(".")[0] for module in sys.modules}, file=told))
main()
"""


def loaded_by(*arguments: str) -> tuple[int, set[str]]:
    """How many modules a command has loaded when it ends, and of which packages."""
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    count, *packages = done.stderr.splitlines()[-1].split()
    return int(count), set(packages)


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        (("tasks",), 400),
        (("config",), 480),
        (("show",), 515),
        (("show", "no-such-run"), 515),
        (("server", "status"), 515),
        (("list", "agents"), 510),
        (("doctor",), 580),
        (("run", "house-price", "--agent", "tuner", "--dry-run"), 600),
        (("audit", "."), 745),
    ],
)
def test_a_command_that_reads_loads_little(
    arguments: tuple[str, ...], most: int, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(home))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere")  # a daemon that answers is asked with its library
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    (tmp_path / "log.json").write_text(LOG)
    monkeypatch.chdir(tmp_path)
    count, packages = loaded_by(*arguments)
    assert HEAVY.isdisjoint(packages), HEAVY.intersection(packages)
    assert count <= most


@pytest.mark.parametrize("command", ["show", "audit"])
def test_a_run_is_shown_by_the_claims_that_are_kept_with_it(
    command: str, undisturbed: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(undisturbed.home))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    count, packages = loaded_by(command, undisturbed.run_id)
    assert HEAVY.isdisjoint(packages), "its claims are kept in plain text as well"
    assert count <= 560, "the rules by which claims are read are a hundred modules more"


def test_whether_tables_are_whole_is_told_without_what_reads_them(
    undisturbed: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(undisturbed.home))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    count, packages = loaded_by("doctor")
    assert HEAVY.isdisjoint(packages), HEAVY.intersection(packages)
    assert count <= 580


def test_no_signature_waits_for_its_annotations_to_be_compiled() -> None:
    commands = [command.callback for group in (app, tasks, server) for command in group.registered_commands]
    postponed = [command.__name__ for command in commands if command and _has_texts(command)]
    assert postponed == [], "typer compiles each annotation of all commands, whichever is called"


def _has_texts(command: Callable[..., object]) -> bool:
    return any(isinstance(annotation, str) for annotation in command.__annotations__.values())


FIRST_DECISION = """
import sys
from flows.services.variables import configure_process
from flows.settings import Settings
import flows.cli.commands.run
before = len(sys.modules)
configure_process(Settings())
import flows.run.flow
print(before, len(sys.modules), *sorted({module.split(".")[0] for module in sys.modules}))
"""


def test_a_run_loads_what_its_first_decision_needs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(home))
    done = subprocess.run([sys.executable, "-c", FIRST_DECISION], capture_output=True, text=True, check=True)
    before, all_of_it, *packages = done.stdout.split()
    heavy = HEAVY - {"prefect", "packaging", "filelock"}
    assert heavy.isdisjoint(packages), heavy.intersection(packages)
    assert int(before) <= 900
    assert int(all_of_it) <= 1_650


MEANWHILE = """
import atexit, sys, time
import flows.run.executing as executing
from flows.cli.app import main
known, make, connect, end = set(), executing.data_of, executing.connect, time.monotonic() + 60
def made(*arguments):
    while "prefect.flow_engine" not in sys.modules and time.monotonic() < end:
        time.sleep(0.01)
    print("loaded" if "prefect.flow_engine" in sys.modules else "waited", file=sys.stderr)
    return make(*arguments)
def connected(settings):
    known.update(sys.modules)
    return connect(settings)
executing.data_of, executing.connect = made, connected
told, late = sys.stderr, ("prefect.", "fastapi.")
atexit.register(lambda: print(*(name for name in set(sys.modules) - known if name.startswith(late)), file=told))
sys.argv[1:] = ["run", sys.argv[1], "--agent", "nop", "--json"]
main()
"""


@pytest.mark.usefixtures("mlab_environment")
def test_prefect_is_loaded_while_the_server_starts_and_data_is_made() -> None:
    done = subprocess.run([sys.executable, "-c", MEANWHILE, SLOPE], capture_output=True, text=True, check=True)
    first, *_, last = done.stderr.splitlines()
    assert first == "loaded", "what makes data waits here until Prefect is there"
    assert len(last.split()) <= 10, done.stderr


def test_a_server_is_started_early_only_for_a_task_that_is_there(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(Service, "begin", lambda service: begun.append(service.name))
    monkeypatch.setenv("MLAB_HOME", str(home))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    start_early(str(tmp_path / "nowhere"))
    assert begun == []
    start_early(str(SLOPE))
    assert begun == ["The local Prefect server"]
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    start_early(str(SLOPE))
    assert len(begun) == 1
