"""What keeps runs of a sweep from beginning is told before anything is started."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from environment.records import RunConfig
from flows.sweep.failures import Failure, FailureKind, failure_of
from flows.sweep.running import Sweep, Watcher
from tasks_catalog.library.errors import MissingExtraError
from tests.flows.cli.in_process import command
from tests.flows.command import SLOPE


class EndsNothing:
    """A runner whose runs fail for good."""

    def run(self, config: RunConfig) -> Failure | None:
        return Failure(kind=FailureKind.AGENT, message=f"{config.run_id} was begun")

    def stop(self) -> None:
        pass


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Sweeps that would have begun; none does."""
    begun: list[object] = []

    def begin(sweep: object, *_: object, **__: object) -> None:
        begun.append(sweep)
        raise SystemExit(0)

    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    for name in ("ablate", "sweep"):
        monkeypatch.setattr(f"flows.cli.commands.{name}.run_sweep", begin)
    return begun


def _file(folder: Path, agents: str) -> str:
    path = folder / "some.yaml"
    path.write_text(f"tasks: [{SLOPE}]\nagents: {agents}\nseeds: 2\n")
    return str(path)


def test_runs_that_cannot_begin_are_told_and_the_others_begin(tmp_path: Path, begun: list[object]) -> None:
    done = command("sweep", _file(tmp_path, "[nop, tunr]"))
    assert "2 runs of 4 cannot begin: None of the agents is called 'tunr'" in done.printed
    assert "Did you mean tuner?" in done.printed
    assert len(begun) == 1


@pytest.mark.parametrize("option", ["--jobs", "--workers=4", "-j"])
def test_other_names_for_how_many_runs_at_once(tmp_path: Path, begun: list[object], option: str) -> None:
    done = command("sweep", _file(tmp_path, "[nop]"), option, "4")
    assert (done.code, done.fault) == (2, None)
    assert "--local N sets how many runs go on at once" in done.printed
    assert begun == []


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ("[nop, {agent: react, models: ['openai:m']}]", "There is no key for openai"),
        ("[nop, {agent: nop, guard: true, guard_model: 'foo:bar'}]", "The model foo:bar cannot be made"),
    ],
)
def test_a_model_that_cannot_be_made_is_told_where_this_machine_makes_the_runs(
    agents: str, said: str, tmp_path: Path, begun: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    file = _file(tmp_path, agents)
    planned = command("sweep", file, "--dry-run")
    assert (planned.code, planned.fault) == (2, None)
    assert said in planned.printed
    assert f"2 runs of 4 cannot begin: {said}" in command("sweep", file).printed
    assert len(begun) == 1
    assert command("sweep", file, "--dry-run", "--deployment", "mlab").code == 0, "the workers may have it"


def test_a_sweep_of_which_nothing_can_begin_starts_nothing(tmp_path: Path, begun: list[object]) -> None:
    done = command("sweep", _file(tmp_path, "[tunr]"))
    assert done.code != 0
    assert "Nothing was started. Mend this, then run the same command again." in done.printed
    assert not begun


@pytest.fixture
def broken_task(tmp_path: Path) -> Path:
    """A task whose data cannot be made."""
    folder = tmp_path / "broken"
    shutil.copytree(SLOPE, folder)
    (folder / "prepare.py").write_text("def prepare(job):\n    raise RuntimeError('boom')\n")
    return folder


def test_a_task_whose_data_cannot_be_made_keeps_only_its_own_runs(
    tmp_path: Path, begun: list[object], broken_task: Path
) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(f"tasks: [{broken_task}, {SLOPE}]\nagents: [nop]\nseeds: 2\n")
    done = command("sweep", str(path))
    assert re.search(r"2 runs of 4 cannot begin: prepare\.py of slope failed: RuntimeError: boom \(", done.printed)
    (sweep,) = begun
    assert isinstance(sweep, Sweep)
    report = sweep.run(EndsNothing(), 2, Watcher())
    kinds = [cell.failure and cell.failure.kind for cell in report.cells]
    assert kinds == [FailureKind.SETUP] * 2 + [FailureKind.AGENT] * 2, "the other runs were begun"

    planned = command("sweep", str(path), "--dry-run")
    assert planned.code == 1
    assert "prepare.py of slope failed: RuntimeError: boom" in planned.printed


@pytest.fixture
def misspelt_task(tmp_path: Path) -> Path:
    """A task whose task.toml was spoilt."""
    folder = tmp_path / "misspelt"
    shutil.copytree(SLOPE, folder)
    (folder / "task.toml").write_text('name = "misspelt"\nmetric =\n')
    return folder


def test_tasks_that_are_missing_or_broken_keep_only_their_own_runs(
    tmp_path: Path, begun: list[object], misspelt_task: Path
) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(
        f"tasks: [{misspelt_task}, {tmp_path}/none/a, {tmp_path}/other/a, {SLOPE}]\nagents: [nop]\nseeds: 2\n"
    )
    done = command("sweep", str(path))
    wrong = f"2 runs of 8 cannot begin: {misspelt_task}/task.toml is not valid TOML: Invalid value (at line 2"
    assert wrong in done.printed
    assert f"2 runs of 8 cannot begin: There is no task '{tmp_path}/none/a'" in done.printed
    (sweep,) = begun
    assert isinstance(sweep, Sweep)
    kinds = [cell.failure and cell.failure.kind for cell in sweep.run(EndsNothing(), 2, Watcher()).cells]
    assert kinds == [FailureKind.SETUP] * 6 + [FailureKind.AGENT] * 2, "the other runs were begun"
    assert command("sweep", str(path), "--dry-run").code == 2


@pytest.mark.parametrize("ablated", ["all", "some"])
def test_an_ablation_goes_on_with_the_tasks_that_there_are(
    ablated: str, begun: list[object], misspelt_task: Path
) -> None:
    tasks = f"{misspelt_task},{SLOPE}" if ablated == "some" else str(misspelt_task)
    done = command("ablate", "tuner", "--switch", "trials=1", "--tasks", tasks, "--seeds", "1")
    assert "task.toml is not valid TOML" in done.printed
    assert len(begun) == (ablated == "some")


def test_a_sweep_of_tasks_without_data_starts_nothing(tmp_path: Path, begun: list[object], broken_task: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(f"tasks: [{broken_task}]\nagents: [nop]\n")
    assert "Nothing was started." in command("sweep", str(path)).printed
    assert not begun


def test_a_failure_of_several_lines_stays_readable_in_one() -> None:
    failure = failure_of(MissingExtraError("a needs torch", hint="Install it with: mlab prepare a\nBy hand: pip"))
    assert failure.kind is FailureKind.SETUP
    assert failure.message == "a needs torch. Install it with: mlab prepare a. By hand: pip"
