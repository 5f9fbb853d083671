"""Every value that an option, a variable or a file can hold ends in a word, never in a traceback."""

from __future__ import annotations

import json
import os
import re
import string
from collections.abc import Sequence
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

pytestmark = pytest.mark.usefixtures("own_home")

TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
NUMBERS = st.integers() | st.integers(-(10**30), 10**30) | st.floats() | TEXT | st.none()
VARIABLES = [f"MLAB_{name.upper()}" for name in ("home", "store", "sandbox_image", "unsafe_no_sandbox", "host", "auth")]
NO_NUL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
BOMB = "a: &a [1, 1]\n" + "\n".join(f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]" for a, b in pairwise("abcdefghijkl"))
HERE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


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
    "url", ["foo://x", "s3", "://", "file://", "http://127.0.0.1:99999/x", "memory://", "~nobody/x", "~0"]
)
def test_a_store_is_listed_or_refused(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLAB_STORE", url)
    assert command("show").fault is None


@pytest.mark.parametrize("asked", ["audit", "import", "tasks import"])
def test_an_empty_name_is_no_folder(asked: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    done = command(*asked.split(), "")
    assert (done.code, done.fault) == (2, None)
    assert "An empty name" in done.printed


@pytest.mark.parametrize(("name", "hint"), [("My Task", "Use small letters"), ("there", "Give another name")])
def test_a_new_task_that_cannot_be_made_is_wrong_usage(name: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    ended = command("tasks", "new", name, "--folder", str(tmp_path))
    assert (ended.code, ended.fault) == (2, None)
    assert name in ended.printed
    assert hint in ended.printed


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
        ("tasks: [no-such-task]\nagents: [nop]", "There is no task"),
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


@pytest.mark.parametrize("text", ["tasks: [house-price\n", "a: 1\na: 2", "a: \0"])
def test_a_fault_in_a_sweep_file_is_told_with_its_place(text: str, tmp_path: Path) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match=rf'in "{re.escape(str(file))}", (line \d+, column|position) \d+'):
        read_sweep(file)


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
        (("tasks", "import", "{folder}/away"), "There is no folder"),
        (("tasks", "import", "{folder}"), "is neither a task of MLAgentBench"),
        (("tasks", "import", "{folder}/toy", "--folder", "{folder}/made"), "Say so with --direction."),
        (("tasks", "import", "{folder}/toy", "--folder", "{folder}", "--direction", "maximize"), "--folder imported"),
    ],
)
def test_what_is_named_and_is_no_such_thing_is_wrong_usage(words: Sequence[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "ag.py").write_text("NUMBER = 1\nclass Bad: ...\n")
    for part in ("env", "scripts"):
        (tmp_path / "toy" / part).mkdir(parents=True)
    for name, text in (("toml", "name = "), ("empty", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "task.toml").write_text(text)
    done = command(*(word.format(folder=tmp_path) for word in words))
    assert (done.fault, done.code) == (None, 2)
    assert said in done.printed


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
        assert "No Docker daemon answers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "unpriced"),
    [
        (("--model", "openai:unheard-of"), "openai:unheard-of"),
        (("--model", "openai:gpt-4.1", "--fast-model", "openai:unheard-of"), "openai:unheard-of"),
        (("--model", "openai:gpt-4.1", "--set", "model.base_url=http://a/v1"), "openai:gpt-4.1@http://a/v1"),
        (("--model", "openai:gpt-4.1"), None),
    ],
)
def test_a_limit_on_money_that_nothing_can_hold_is_refused_before_anything_is_paid(
    options: Sequence[str], unpriced: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    monkeypatch.delenv("MLAB_PRICES", raising=False)
    done = command("run", "house-price", "--agent", "react", *options, "--max-cost", "1", "--dry-run")
    assert (done.code, done.fault) == (2 if unpriced else 0, None)
    assert (f"{unpriced} has no known price" in done.printed) == bool(unpriced)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("show", "--step", "3"), "--step"),
        (("show", "--full"), "--full"),
        (("show", "--tree"), "--tree"),
        (("sweep", "any.yaml", "--at-once", "4"), "--at-once"),
        (("sweep", "any.yaml", "--local", "4", "--deployment", "mlab"), "--local"),
        (("ui", "--json"), "--json"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(arguments: Sequence[str], option: str) -> None:
    done = command(*arguments)
    assert (done.code, done.fault) == (2, None)
    assert f"Invalid value for {option}" in done.printed
