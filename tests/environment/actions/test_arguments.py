from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from environment.actions.arguments import LONGEST_ARGUMENT, MOST_ARGUMENTS
from environment.actions.registry import ACTIONS
from environment.records import Action, Effect, Outcome
from tests.environment.bench import Bench, make_bench
from tests.foundation.test_storable import TEXT, VALUES

RUNS_CODE = {"Execute Script", "Run Shell Command", "Python REPL"}
NAMES = sorted({name for action in ACTIONS.everything().values() for name in action.input.model_fields})


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = make_bench(tmp_path_factory.mktemp("bench"))
    (bench.root / "train.py").write_text("import sys; print(len(sys.argv))\n")
    return bench


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("Run Shell Command", {"command": "echo \0"}),
        ("Run Shell Command", {"command": "echo " + "a" * 140_000}),
        ("Execute Script", {"script_name": "train.py", "arguments": ["a\0b"]}),
        ("Execute Script", {"script_name": "train.py", "arguments": ["a"] * 9_500}),
        ("Execute Script", {"script_name": "train.py", "arguments": "a " * 700_000}),
        ("Execute Script", {"script_name": "train.py", "arguments": ["a" * 100_000] * 20}),
    ],
)
def test_what_no_command_line_can_hold_is_refused(bench: Bench, name: str, args: dict[str, JsonValue]) -> None:
    assert bench.environment.act(Action(name=name, args=args), 0).observation.outcome is Outcome.REFUSED


def test_the_longest_that_is_taken_runs(bench: Bench) -> None:
    shell = bench.act("Run Shell Command", command=": " + "a" * (LONGEST_ARGUMENT - 2))
    script = bench.act("Execute Script", script_name="train.py", arguments=["a" * 200] * MOST_ARGUMENTS)
    assert shell.observation.outcome is Outcome.OK
    assert str(MOST_ARGUMENTS + 1) in script.observation.text


def test_half_a_character_in_an_argument_is_a_text_like_any_other(bench: Bench) -> None:
    assert bench.text("Run Shell Command", command="echo '\ud800'").endswith("\\ud800")


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(sorted(set(ACTIONS.names()) - RUNS_CODE)) | TEXT,
    st.dictionaries(st.sampled_from(NAMES) | TEXT, st.sampled_from(["train.py", "."]) | VALUES, max_size=5),
)
def test_whatever_is_asked_ends_in_an_observation(bench: Bench, name: str, args: dict[str, JsonValue]) -> None:
    effect = bench.environment.act(Action(name=name, args=args), 0)
    assert Effect.model_validate_json(effect.model_dump_json()) == effect


def test_the_workspace_is_still_there(bench: Bench) -> None:
    assert Path(bench.root).is_dir()
