"""Every value that an option, a variable or a file can hold ends in a word, never in a traceback."""

from __future__ import annotations

import json
import os
import string
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from environment.records import RunConfig
from environment.store import Store
from flows.cli.commands.asked import new_config
from flows.cli.pairs import parse_settings
from flows.errors import UsageError
from flows.settings import Settings
from flows.sweep.cells import expand
from flows.sweep.spec import read_sweep
from foundation.errors import MlabError
from tasks_catalog.catalog import load_task
from tests.flows.cli.in_process import command

TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
NUMBERS = st.integers() | st.integers(-(10**30), 10**30) | st.floats() | TEXT | st.none()
VARIABLES = [f"MLAB_{name.upper()}" for name in ("home", "store", "sandbox_image", "unsafe_no_sandbox", "host", "auth")]
NO_NUL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
BOMB = "a: &a [1, 1]\n" + "\n".join(f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]" for a, b in pairwise("abcdefghijkl"))
HERE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    for name in ("MLAB_STORE", "MLFLOW_TRACKING_URI", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)


@HERE
@given(
    st.fixed_dictionaries(dict.fromkeys(("steps", "seconds", "tokens", "money", "disk_mib"), NUMBERS)),
    NUMBERS,
    TEXT,
)
def test_a_config_is_made_or_refused(budget: dict[str, object], seed: object, text: str) -> None:
    try:
        config = new_config(task=text, agent=text, seed=seed, budget=budget, model=text)
    except UsageError:
        return
    assert 0 <= config.seed < 2**63
    assert RunConfig.model_validate_json(config.model_dump_json()) == config


@HERE
@given(st.lists(TEXT, max_size=3))
@example(["a=" + "[" * 2_000])
@example(["a=" + "9" * 5_000])
@example(["a=NaN"])
def test_settings_are_read_or_refused(pairs: list[str]) -> None:
    with suppress(UsageError):
        new_config(task="t", settings=parse_settings(pairs)).model_dump_json()


@HERE
@given(TEXT)
@example("x" * 300)
@example("x/" * 3_000)
@example("~nobody-is-called-so/x")
@example("\0")
def test_a_task_is_found_or_not(name: str) -> None:
    with suppress(MlabError):
        load_task(name)


@HERE
@given(st.sampled_from(VARIABLES), NO_NUL)
@example("MLAB_HOME", "x" * 300)
@example("MLAB_HOME", "~nobody-is-called-so")
def test_variables_are_taken_or_refused(name: str, value: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(name, value)
        with suppress(MlabError):
            Store(Settings().store_url).children("runs/")


@pytest.mark.parametrize(
    "url", ["foo://x", "s3", "://", "file://", "http://127.0.0.1:99999/x", "memory://", "~nobody/x"]
)
def test_a_store_is_listed_or_refused(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLAB_STORE", url)
    assert command("show").fault is None


@pytest.mark.parametrize("arguments", [("show",), ("report",), ("doctor", "--json"), ("audit", "x"), ("resume", "x")])
@pytest.mark.parametrize("name", ["MLAB_HOME", "MLAB_STORE"])
def test_a_home_or_store_that_is_a_file_is_named(
    arguments: tuple[str, ...], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "a-file"
    file.touch()
    monkeypatch.setenv(name, str(file))
    done = command(*arguments)
    assert done.fault is None
    assert done.code in {1, 2}
    assert "a-file" in done.printed


@pytest.mark.parametrize(("name", "part"), [("a%41b", "%41"), ("a?b", "?")])
def test_a_home_whose_databases_would_be_looked_for_elsewhere_is_refused(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / name))
    done = command("run", "vectorization", "--agent", "nop")
    assert (done.code, done.fault) == (2, None)
    assert f"has {part} in its name" in done.printed
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_cannot_be_made_is_not_said_to_be_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", "/proc/x")
    for options in ((), ("--dry-run",)):
        done = command("run", "vectorization", "--agent", "nop", *options)
        assert (done.code, done.fault) == (2, None)
        assert "/proc/x cannot be written" in done.printed


@pytest.mark.parametrize("asked", ["audit", "import", "tasks import"])
def test_an_empty_name_is_no_folder(asked: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    done = command(*asked.split(), "")
    assert (done.code, done.fault) == (2, None)
    assert "An empty name" in done.printed


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a file system in memory, with options; skips where nobody may."""
    folder = tmp_path / "mounted"
    folder.mkdir()

    def mount(options: str) -> Path:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=False).returncode:
            pytest.skip("nothing can be mounted here")
        return folder

    yield mount
    subprocess.run(["umount", "-q", folder], check=False)


def test_a_home_that_cannot_be_written_is_named_with_what_to_do(
    mounted: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = mounted("ro")
    monkeypatch.setenv("MLAB_HOME", str(home))
    for arguments in (("run", "vectorization", "--agent", "nop"), ("report",), ("import", __file__), ("learn",)):
        done = command(*arguments)
        assert (done.code, done.fault) == (2, None)
        assert f"{home} cannot be written: Read-only file system" in done.printed
        assert "MLAB_HOME names a folder" in done.printed
    monkeypatch.setattr("flows.cli.commands.doctor._sandboxes", lambda: ())
    found = {one["what"]: one for one in json.loads(command("doctor", "--json").printed)}
    assert "cannot be written" in found["home"]["detail"]


def test_a_report_that_finds_no_space_says_where_and_what_to_do(mounted: Callable[[str], Path]) -> None:
    folder = mounted("size=64k")
    done = command("report", "--out", str(folder / "report"))
    assert (done.code, done.fault) == (1, None)
    assert f"{folder}/report: No space left on device" in done.printed
    assert "--out" in done.printed


@pytest.mark.parametrize("name", ["My Task", "there"])
def test_a_new_task_that_cannot_be_made_is_wrong_usage(name: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    ended = command("tasks", "new", name, "--folder", str(tmp_path))
    assert (ended.code, ended.fault) == (2, None)
    assert name in ended.printed


@pytest.mark.parametrize("verb", ["audit", "import"])
def test_what_is_no_file_is_not_read(verb: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", "/dev/null", tmp_path / ("x" * 300), "/proc/self/mem"):
        done = command(verb, str(path))
        assert (done.fault, done.code) in {(None, 1), (None, 2)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: " + "[" * 5_000 + "]" * 5_000, "nested too deeply"),
        (BOMB, "says too much"),
        ("a: &a [*a]", "says too much"),
        ("tasks: [house-price]\nagents: [nop]\nseeds: 100000000", "at most 100,000"),
        ("tasks: [house-price]\nagents: [nope]", "is called 'nope'"),
        ("tasks: [house-price]\nagents: [nop]\nagents: [tuner]", "there twice"),
        ("tasks: [house-price]\nagents: [nop]\nseeds: [-1]", "seed: "),
        ("tasks: [house-price]\nagents: [nop]\nseeds: .inf", "seeds"),
        ("tasks: [house-price]\nagents: [nop]\nsettings: [{foo: bar}]", "knows no settings"),
        ("tasks: [house-price]\nagents: [nop]\n? [a]\n: 3", "is not YAML"),
        ("tasks: [no-such-task]\nagents: [nop]", "there is no task"),
        ("\0", "is not YAML"),
        ("- 1", "must be a mapping"),
    ],
)
def test_a_sweep_that_cannot_be_run_is_refused_with_the_reason(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text(text)
    done = command("sweep", str(file), "--dry-run")
    assert done.fault is None
    assert done.code == 2
    assert said in done.printed


@HERE
@given(st.text(string.printable, max_size=60) | TEXT.filter(lambda text: text.isprintable()))
def test_any_sweep_file_is_read_or_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text(f"tasks: [house-price]\nagents: [nop]\n{text}", encoding="utf-8", errors="replace")
    with suppress(MlabError):
        expand(read_sweep(file))


@pytest.mark.parametrize(
    "options",
    [
        ("--max-time", "inf"),
        ("--max-time", "nan"),
        ("--max-time", "-1"),
        ("--max-disk", "1e300"),
        ("--max-cost", "inf"),
        ("--max-steps", "9" * 5_000),
        ("--seed", "12345678901234567890123456"),
        ("--script-timeout", "1e300"),
        ("--person-timeout", "inf"),
        ("--set", "foo=bar"),
        ("--agent", "\udcff"),
        ("--agent", "x:" + "y" * 300),
        ("--approve", "Nothing"),
    ],
)
def test_a_run_that_cannot_be_is_refused(options: tuple[str, str]) -> None:
    agent = () if options[0] == "--agent" else ("--agent", "nop")
    done = command("run", "vectorization", *agent, *options)
    assert done.fault is None
    assert done.code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "vectorization", "--agent", "{folder}/ag.py:Bad"), "ag.py:Bad is no agent: it lacks decide"),
        (("run", "vectorization", "--agent", "{folder}/ag.py:NUMBER"), "ag.py:NUMBER is a int, not an agent"),
        (("run", "vectorization", "--agent", ":X"), ":X names no module or file"),
        (("run", "{folder}", "--agent", "nop"), "is not a task folder"),
        (("run", "{folder}/toml", "--agent", "nop"), "is not valid TOML"),
        (("run", "{folder}/empty", "--agent", "nop"), "is not a task specification"),
        (("tasks", "import", "{folder}/away"), "there is no folder"),
        (("tasks", "import", "{folder}"), "is neither a task of MLAgentBench"),
    ],
)
def test_what_is_named_and_is_no_such_thing_is_wrong_usage(words: Sequence[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "ag.py").write_text("NUMBER = 1\nclass Bad: ...\n")
    for name, text in (("toml", "name = "), ("empty", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "task.toml").write_text(text)
    done = command(*(word.format(folder=tmp_path) for word in words))
    assert (done.fault, done.code) == (None, 2)
    assert said in done.printed


def test_a_store_of_no_known_kind_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_STORE", "nosuch://x")
    done = command("show")
    assert (done.fault, done.code) == (None, 2)
    assert "A store is a folder or an fsspec URL" in done.printed


def test_a_run_whose_libraries_are_missing_is_told_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks_catalog.library.extras._installed", lambda _: False)
    done = command("run", "cifar10", "--agent", "nop")
    assert (done.code, done.fault) == (2, None)
    assert "mlab prepare cifar10" in done.printed


def test_an_mlflow_that_cannot_be_is_told_by_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    for uri, said in (("nonsense://x", "unsupported URI"), ("http://127.0.0.1:1", "nothing listens there")):
        monkeypatch.setenv("MLFLOW_TRACKING_URI", uri)
        monkeypatch.setattr("flows.cli.commands.doctor._sandboxes", lambda: ())
        done = command("doctor", "--json")
        assert (done.fault, done.code) == (None, 1)
        found = next(found for found in json.loads(done.printed) if found["what"] == "MLflow")
        assert found["state"] == "failed"
        assert said in found["detail"]


def test_a_plan_tells_of_a_sandbox_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    file = tmp_path / "sweep.yaml"
    file.write_text("tasks: [vectorization]\nagents: [nop]\nsandbox: docker\n")
    for words in (("run", "vectorization", "--agent", "nop", "--sandbox", "docker"), ("sweep", str(file))):
        assert command(*words, "--dry-run").code == 2
        assert "no Docker daemon answers" in capsys.readouterr().err
