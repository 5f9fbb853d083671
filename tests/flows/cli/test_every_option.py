"""Every option of every command, and every variable, takes any value or refuses it in words: the list is the app's own.

What a command would do at length is stopped where it begins; all that comes before, and all that only reads, is real.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from environment.store import Store
from flows.cli.tree import app
from flows.settings import Settings
from foundation.errors import MlabError
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run
from tests.flows.cli.in_process import Ended, command

_WORK = (
    "flows.cli.commands.run.execute",
    "flows.cli.commands.run.run_deployed",
    "flows.cli.commands.sweep.run_sweep",
    "flows.cli.commands.ablate.run_sweep",
    "flows.cli.commands.probe.run_sweep",
    "flows.cli.commands.best_of.teams",
    "flows.cli.commands.close.close",
    "flows.cli.commands.grade.grade_checkpoint",
    "flows.cli.commands.grade.grade_checkpoints",
    "flows.cli.commands.tasks.data_of",
    "flows.cli.commands.tasks.install_extras",
    "flows.cli.commands.ui.configure_process",
    "flows.cli.commands.worker.work",
    "flows.services.processes.Service.ensure",
    "flows.structured.StructuredModel.ask",
)
"""Where commands begin what takes long or reaches others."""

_LOOKS = ("flows.cli.commands.doctor._sandboxes", "flows.cli.commands.doctor._conformance")
"""What ``mlab doctor`` tries out on this machine, which no option and no variable says more about."""

_GIVEN = {
    "task": "vectorization",
    "run": "a-run",
    "runs": "a-run",
    "kind": "agents",
    "file": "sweep.yaml",
    "path": "a-run",
    "paths": "log.json",
    "name": "my-task",
    "source": "source",
    "number": "2",
    "end": "failed",
    "agent": "tuner",
    "switch": "trials=2",
    "tasks": "vectorization",
    "reason": "gone",
}
"""Usable values of what some commands cannot go without."""

_CHOSEN: dict[tuple[str, ...], dict[str, str]] = {
    ("judge",): {"model": "openai:none"},
    ("paper",): {"variant": "mini"},
    ("rm",): {"runs": "a-run", "yes": ""},
    ("tasks", "import"): {"direction": "minimize", "folder": "imported"},
}
"""Options without which a command has nothing to do."""

_ODD = (
    "", " ", "-", "--", "-1", "0", "1", "1e309", "nan", "-inf", "9" * 400, "x" * 5_000, "a/../..", "/proc/x",
    "~nobody/x", "\n", "\x1b[31m", "\u202e\u2066", "\udcff", "é", "a=", "=", "a=[", "a=\ud800", "openai:", ":", "a:b",
    "id:", "id:0,0", "id:-1", "auto", "none", "http://", "http://[", "http://x:99999", "sqlite:///", "file:///", "[",
    "{}", "maximize", "full", "a-run", "1-", "3-2", "1-10", "\x00",
)  # fmt: skip
_VALUES = st.sampled_from(_ODD) | st.text(st.characters(exclude_categories=()), max_size=30) | st.integers().map(str)
_QUICKLY = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


class BegunError(MlabError):
    """The command has got through to its work."""


class Parameter(NamedTuple):
    """An argument, or an option as it is typed."""

    name: str
    required: bool
    option: str | None
    takes_value: bool


class Named(NamedTuple):
    """A command as it is typed, and what it takes."""

    words: tuple[str, ...]
    parameters: tuple[Parameter, ...]


def _parameter(found: Any) -> Parameter:
    option = found.opts[0] if found.param_type_name == "option" else None
    return Parameter(found.name, found.required, option, not getattr(found, "is_flag", False))


def _commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[Named]:
    below = getattr(group, "commands", {})
    if not below or group.invoke_without_command:
        yield Named(words, tuple(map(_parameter, group.params)))
    for name, found in below.items():
        yield from _commands(found, (*words, name))


COMMANDS = list(_commands(typer.main.get_command(app)))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a home of one run, a sweep, a log and a task to import, in which no work begins."""

    def begin(*_: object, **__: object) -> NoReturn:
        raise BegunError("begun")

    for name in ("MLAB_STORE", "MLFLOW_TRACKING_URI", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for place in _WORK:
        monkeypatch.setattr(place, begin)
    for place in _LOOKS:
        monkeypatch.setattr(place, lambda *_: ())
    (tmp_path / "workspace").mkdir()
    run = sample_run(0, steps=2)
    run = run.model_copy(update={"result": run.result.model_copy(update={"run_id": "a-run"})})
    fill(Store(str(tmp_path / "home" / "store")), run, tmp_path / "workspace")
    (tmp_path / "sweep.yaml").write_text("tasks: [vectorization]\nagents: [nop]\n")
    (tmp_path / "log.json").write_text("{}")
    for folder in ("env", "scripts"):
        (tmp_path / "source" / folder).mkdir(parents=True)
    return tmp_path


def call(named: Named, values: dict[str, str]) -> Ended:
    """Run a command with these values, and usable ones where it needs more."""
    typed: list[str] = []
    arguments: list[str] = []
    for name, required, option, takes_value in named.parameters:
        value = values.get(name, _GIVEN[name] if required else None)
        if value is None:
            continue
        if option is None:
            arguments.append(value)
        else:
            typed += (option, value) if takes_value else (option,)
    done: Ended = copy_context().run(command, *named.words, *typed, "--", *arguments)
    return done


@pytest.mark.parametrize("named", COMMANDS, ids=lambda named: " ".join(named.words))
def test_usable_values_get_a_command_through_to_its_work(named: Named, here: Path) -> None:
    assert {parameter.name for parameter in named.parameters if parameter.required} <= set(_GIVEN), "name one"
    done = call(named, _CHOSEN.get(named.words, {}))
    assert done.fault is None
    assert done.code != 2, done.printed


def test_a_report_is_not_written_where_nobody_could_be_told(here: Path) -> None:
    done: Ended = copy_context().run(command, "report", "--out", "\udcff")
    assert done.code == 2
    assert "whose name can be printed" in done.printed


def test_a_folder_called_like_an_address_is_a_folder(here: Path) -> None:
    done: Ended = copy_context().run(command, "report", "--out", "http://")
    assert (done.fault, done.code) == (None, 0)
    assert Path("http:", "report.html").is_file()


@pytest.mark.parametrize("named", COMMANDS, ids=lambda named: " ".join(named.words))
def test_any_value_of_any_option_is_taken_or_refused(named: Named, here: Path) -> None:
    @_QUICKLY
    @given(st.data())
    def check(data: st.DataObject) -> None:
        names = [parameter.name for parameter in named.parameters]
        chosen = data.draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
        values = {name: data.draw(_VALUES, label=name) for name in chosen}
        done = call(named, values)
        assert done.fault is None, (named.words, values)
        assert done.code in {0, 1, 2}, (named.words, values)
        shutil.rmtree(here / "my-task", ignore_errors=True)

    check()


def _variables() -> list[str]:
    fields: dict[str, Any] = dict(Settings.model_fields)
    return [
        str(field.validation_alias.choices[0]) if field.validation_alias else f"MLAB_{name.upper()}"
        for name, field in fields.items()
    ]


_READERS = [
    ("show",),
    ("report",),
    ("doctor", "--json"),
    ("run", "vectorization", "--agent", "nop"),
    ("ui", "--status"),
]
_ADDRESSES = (
    "nonsense://x",
    "http://",
    "http://[",
    "http://127.0.0.1:1",
    "sqlite:///\x01",
    "postgresql://x",
    "databricks",
)


@pytest.mark.parametrize("variable", [*_variables(), "PREFECT_API_AUTH_STRING", "DOCKER_HOST", "MLAB_TRACEBACK"])
def test_any_value_of_any_variable_is_taken_or_refused(variable: str, here: Path) -> None:
    usable = _VALUES.filter(lambda value: "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value))

    @settings(_QUICKLY, max_examples=6)
    @given(st.sampled_from(_ADDRESSES) | usable, st.sampled_from(_READERS))
    def check(value: str, words: tuple[str, ...]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(variable, value)
            done: Ended = copy_context().run(command, *words)
        assert done.fault is None, (value, words)

    del here
    check()
