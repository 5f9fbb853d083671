"""Process measures, each on a trajectory where the answer is plain."""

from __future__ import annotations

import pytest

from evaluation.process.kinds import ActionKind
from evaluation.process.measures import measure
from evaluation.process.plans import plan_measures
from tests.evaluation.process.trajectories import trajectory


def test_executions_edits_and_cycles() -> None:
    found = measure(trajectory("read", "run:0.5", "edit", "edit", "run:0.6", "run:0.6", "edit", "submit"))
    assert found.first_execution == 1
    assert found.executions == 3
    assert found.edits == 3
    assert found.edit_run_cycles == 1
    assert found.failed_executions == 0


def test_recoveries_count_each_failure_once() -> None:
    found = measure(trajectory("fail", "edit", "fail", "edit", "run", "fail"))
    assert found.failed_executions == 3
    assert found.recoveries == 2
    assert found.steps_to_recover == pytest.approx(3.0)


def test_repeated_actions_need_the_same_answer() -> None:
    assert measure(trajectory("read", "read", "read=", "read=", "edit=")).repeated_actions == 1


def test_time_and_tokens_by_kind() -> None:
    found = measure(trajectory("read", "edit", "run", "run"))
    assert found.steps_by_kind == {ActionKind.READ: 1, ActionKind.EDIT: 1, ActionKind.EXECUTE: 2}
    assert found.seconds_by_kind[ActionKind.EXECUTE] == 6
    assert found.tokens_by_kind[ActionKind.EXECUTE] == 22
    assert found.thinking_seconds == 8


def test_nothing_was_done() -> None:
    found = measure([])
    assert (found.steps, found.first_execution, found.steps_to_recover) == (0, None, None)


PLAN = """1. Understand the script
2. Train the baseline
3. Change the learning rate
4. Submit the final answer"""


def test_a_plan_is_carried_out_by_actions_of_its_kinds() -> None:
    steps = trajectory("read", "run", "fail", plans={0: PLAN})
    found = plan_measures(steps)
    assert found.items == 4
    assert found.carried_out == 0.5


def test_marks_of_status_are_no_change_of_plan() -> None:
    marked = PLAN.replace("1. Understand the script", "1. **Understand the script** (done)")
    changed = marked + "\n5. Try another model"
    assert plan_measures(trajectory("read", "run", plans={0: PLAN, 1: marked})).changes == 0
    assert plan_measures(trajectory("read", "run", plans={0: PLAN, 1: changed})).changes == 1


def test_no_plan() -> None:
    assert plan_measures(trajectory("read", "run")).carried_out is None


def test_measures_in_words() -> None:
    steps = trajectory("edit", "fail", "edit", "run:0.5", "submit")
    assert measure(steps).facts() == {
        "first training run": "step 1",
        "training runs": "2, 1 failed",
        "edit-run cycles": "2",
        "recoveries": "1, 2 steps each",
    }
    assert measure([]).facts() == {}


def test_time_and_tokens_go_to_the_kind_of_action() -> None:
    uses = {use.kind: use for use in measure(trajectory("edit", "run:0.5", "run:0.6")).by_kind}
    assert (uses["execute"].steps, uses["execute"].seconds, uses["execute"].tokens) == (2, 6, 22)
    assert (uses["edit"].steps, uses["edit"].seconds, uses["edit"].tokens) == (1, 3, 11)
    assert (uses["thinking"].steps, uses["thinking"].seconds) == (0, 6)
