from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from environment.journal.tables import to_parquet, trajectory_row
from environment.mlflow.names import metric_key, params_of, tags_of
from environment.records import Action, Checkpoint, Decision, Effect, Observation, Spent, Step
from foundation.storable import DEEPEST, TOO_DEEP, clamped, storable

TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
"""Half characters, NUL and control characters included."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**6000), 10**6000) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
DIGEST = "0" * 64
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def step_of(action: Action, text: str) -> Step:
    decision = Decision(prose={text: text}, action=action, gave_up=text)
    effect = Effect(observation=Observation(text=text))
    checkpoint = Checkpoint(
        step=0, workspace=DIGEST, agent_state=DIGEST, environment_state=DIGEST, spent=Spent(), committed=NOW
    )
    return Step(n=0, decision=decision, effect=effect, checkpoint=checkpoint, started=NOW)


@settings(max_examples=150, deadline=None)
@given(TEXT, st.dictionaries(TEXT, VALUES, max_size=4))
def test_whatever_json_can_carry_goes_into_journal_and_tables(text: str, args: dict[str, JsonValue]) -> None:
    step = step_of(Action(name=text, args=args), text)
    journalled = step.model_dump_json()
    assert Step.model_validate_json(journalled).model_dump_json() == journalled
    to_parquet("trajectory", [trajectory_row("run", step)], "runs/run/trajectory.parquet")
    shown = {**params_of({text: text}), **tags_of({"text": text}), metric_key(step.decision.action.name): ""}
    assert all(len(name) <= 250 for name in shown)


def test_what_cannot_be_kept_is_kept_escaped() -> None:
    assert storable(["\ud800x", {"\udfff": 1}]) == ["\\ud800x", {"\\udfff": 1}]
    assert storable("plain \0 \x1b[31m ü 😀") == "plain \0 \x1b[31m ü 😀"
    assert storable(10**5000) == f"{10**5000:#x}"
    assert storable(10**100) == 10**100


def test_what_is_nested_without_end_is_cut() -> None:
    value: JsonValue = "x"
    for _ in range(5_000):
        value = [value]
    action = Action(name="a", args={"x": value})
    assert TOO_DEEP in action.model_dump_json()
    assert action.model_dump_json().count("[") == DEEPEST - 1
    assert Action.model_validate_json(action.model_dump_json()) == action


def test_ten_megabytes_are_text_like_any_other() -> None:
    text = "\ud800" * 10 + "y" * 10_000_000
    step = step_of(Action(name="a", args={"x": text}), text)
    assert json.loads(step.model_dump_json())["decision"]["action"]["args"]["x"].endswith("y")


@pytest.mark.parametrize("value", [2**63, -(2**70), 5])
def test_whole_numbers_fit_the_tables(value: int) -> None:
    assert -(2**63) <= clamped(value) < 2**63
