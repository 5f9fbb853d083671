"""Defaults from mlab.toml and pyproject.toml, and which of them holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from environment.store import Store, sweep_key
from flows.errors import UsageError
from flows.settings import Settings
from flows.sweep.kept import SweepRecord
from flows.sweep.spec import AgentEntry, SweepSpec
from tests.flows.cli.in_process import command


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, where no variable speaks."""
    for name in ("MLAB_HOME", "MLAB_HOST", "MLAB_STORE", "MLFLOW_TRACKING_URI", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def sources() -> dict[str, tuple[str | None, str]]:
    done = command("config", "--json")
    assert done.code == 0, done.printed
    return {one["name"]: (one["value"], one["source"]) for one in json.loads(done.printed)}


def test_each_place_comes_before_the_next(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user, own = tmp_path / "config" / "mlab" / "mlab.toml", here / "mlab.toml"
    write(user, f'home = "{tmp_path}/a"\nhost = "10.0.0.1"\nmlflow_tracking_uri = "sqlite:///u.db"\n')
    write(own, f'home = "{tmp_path}/b"\nauth = "me:long-secret"\n')
    assert sources()["home"] == (f"{tmp_path}/b", str(own))
    assert sources()["host"] == ("10.0.0.1", str(user))
    assert Settings().mlflow_uri == "sqlite:///u.db"
    assert sources()["auth"] == ("(hidden)", str(own))
    write(here / ".env", f"MLAB_HOME={tmp_path}/c\n")
    assert sources()["home"] == (f"{tmp_path}/c", str(here / ".env"))
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "d"))
    assert sources()["home"] == (f"{tmp_path}/d", "MLAB_HOME")


def test_options_have_their_defaults_from_a_table(here: Path, tmp_path: Path) -> None:
    home = f'home = "{tmp_path}/home"\n'
    write(here / "pyproject.toml", f'[tool.mlab]\n{home}[tool.mlab.run]\nagent = "nop"\nmax-steps = 3\nset = ["a=1"]\n')
    assert sources()["run --max-steps"] == ("3", str(here / "pyproject.toml"))
    write(here / "mlab.toml", f'{home}[run]\nagent = "nop"\nmax-steps = 3\n')
    planned = json.loads(command("run", "house-price", "--dry-run", "--json").printed)
    assert (planned["config"]["agent"], planned["config"]["budget"]["steps"]) == ("nop", 3)
    planned = json.loads(command("run", "house-price", "--dry-run", "--json", "--max-steps", "5").printed)
    assert planned["config"]["budget"]["steps"] == 5
    assert (planned["cost"], planned["seconds"]) == (0.0, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hom = 1", "settings that there are not: hom"),
        ("[run]\nagnt = 'nop'", "the option agnt, which there is not"),
        ("[run]\nagnt = 'nop'", "Did you mean agent?"),
        ("[rnu]\nagent = 'nop'", "[rnu] is no command"),
        ("[rnu]\nagent = 'nop'", "Did you mean run?"),
        ("[run]\nagent = 'nop'\nmax-steps = 'abc'", "mlab.toml, line 3: max_steps of [run] cannot be 'abc'"),
        ("[run]\nmax-cost = -1", "mlab.toml, line 2: max_cost of [run] cannot be -1"),
        ("[run]\nvariant = 'fulll'", "'fulll' is not one of"),
        ("run = {max-steps = 'abc'}", "mlab.toml: max_steps of [run]"),
        ("home = ", "/mlab.toml cannot be read: Invalid value"),
        ("[run]\nagent = 'nop", "/mlab.toml cannot be read: "),
        ("host = 'a'\nhome = 3", "mlab.toml, line 2: home: should be a path, as text"),
        ("server_idle_seconds = -1", "mlab.toml, line 1: server_idle_seconds: "),
        ("[run]\nset = 'trials=3'", "mlab.toml, line 2: set of [run] takes a list."),
        ("server_idle_seconds = true", "mlab.toml, line 1: server_idle_seconds is not true or false"),
        ("[run]\nseed = true", "mlab.toml, line 2: seed of [run] cannot be true: it is not true or false"),
        ("[run]\nmax-cost = false", "mlab.toml, line 2: max_cost of [run] cannot be false"),
        ("[run]\nset = [true]", "mlab.toml, line 2: set of [run] cannot be [true]"),
        ("[run]\nset = 'trials=3'", 'Write set = ["trials=3"]'),
    ],
)
def test_a_mistake_in_the_file_is_named(here: Path, text: str, said: str) -> None:
    write(here / "mlab.toml", text)
    done = command("config")
    assert done.code == 2
    assert said in done.printed


@pytest.mark.parametrize(("name", "head"), [("mlab.toml", ""), ("pyproject.toml", "[tool.mlab]\n")])
def test_a_mistake_is_named_also_where_a_variable_speaks_over_it(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, head: str
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    write(here / name, f"{head}home = 3\n")
    done = command("show")
    assert done.code == 2
    assert f"{here / name}, line {1 + bool(head)}: home: should be a path" in done.printed


def test_an_env_file_that_is_no_text_is_named(here: Path) -> None:
    (here / ".env").write_bytes(b"x=\xff\n")
    done = command("config")
    assert done.code == 2
    assert f"{here}/.env cannot be read: 'utf-8' codec" in done.printed


def test_a_value_that_only_the_command_finds_wrong_is_told_with_its_place(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "mlab.toml", '[run]\nmax-steps = 3\nagent = "tunner"\n')
    assert command("run", "house-price", "--dry-run", "--max-steps", "4").code == 2
    said = capsys.readouterr().err
    assert f"agent = 'tunner' ({here / 'mlab.toml'}, line 3)" in said
    assert "max-steps" not in said
    assert command("run", "house-price", "--dry-run", "--agent", "nopp").code == 2
    assert "line 3" not in capsys.readouterr().err


def test_another_projects_broken_file_says_nothing(here: Path) -> None:
    write(here / "pyproject.toml", "[tool.mlab\n")
    assert sources()["host"][1] == "default"
    (here / "mlab.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot be read"):
        Settings()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("run ho", "house-price"),
        ("run x --agent tu", "tuner"),
        ("run x --sandbox bub", "bubblewrap"),
        ("sw", "sweep"),
        ("list ac", "actions"),
        ("report --sweep ni", "nightly"),
        ("rm --agent tu", "tuner"),
        ("report --task ho", "house-price"),
        ("audit x --format aid", "aider"),
    ],
)
def test_the_shell_completes_what_there_is(
    typed: str, offered: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(home))
    spec = SweepSpec(name="nightly", tasks=("house-price",), agents=(AgentEntry(agent="nop"),))
    Store(Settings().store_url).put_record(sweep_key(spec.name), SweepRecord(spec=spec, runs=()))
    words = {"COMP_WORDS": f"mlab {typed}", "COMP_CWORD": str(len(typed.split()))}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from flows.cli.app import main; sys.argv[0] = 'mlab'; main()"],
        env={**os.environ, **words, "_MLAB_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert offered in done.stdout.split(), done.stderr


def test_a_missing_key_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = command("run", "house-price", "--model", "openai:gpt-4.1", "--dry-run")
    assert done.code == 2
    assert "There is no key for openai" in done.printed


def test_an_empty_value_says_nothing_and_a_relative_home_is_told_whole(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/kept")
    for name in ("MLAB_HOME", "MLAB_STORE"):
        monkeypatch.setenv(name, "")
    write(here / "mlab.toml", 'home = ""\n')
    assert sources()["home"] == ("/kept/mlab", "default")
    monkeypatch.setenv("MLAB_HOME", "near")
    assert sources()["home"] == (f"{here}/near", "MLAB_HOME")


def test_what_is_used_where_nobody_says_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path))
    shown = sources()
    assert shown["store"] == (f"{tmp_path}/store", "default")
    assert shown["mlflow_tracking_uri"] == (f"sqlite:///{tmp_path}/mlflow/mlflow.db", "default")
    assert shown["prefect_api_url"] == (None, "default")
