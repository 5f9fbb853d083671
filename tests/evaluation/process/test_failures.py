"""Failure modes: each rule fires on its own case and names the steps, and stays silent on a good run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from environment.records import BestStep, EndedBy, RunStatus, StatedScore, Step
from evaluation.claims.claim import Claim, Kind, Verdict
from evaluation.process.failures import FailureMode, failure_modes
from tasks_catalog.library.spec import Direction
from tests.evaluation.process.trajectories import result, trajectory


def modes(steps: Sequence[Step], claims: Sequence[Claim] = (), **changed: object) -> dict[str, tuple[int, ...]]:
    return {found.mode: found.steps for found in failure_modes(steps, claims, result(steps, **changed))}


def test_a_good_run_has_none() -> None:
    assert modes(trajectory("read", "run:0.5", "edit", "run:0.6", "submit")) == {}


def test_hallucination_names_the_steps_of_the_claims() -> None:
    claim = Claim(source="r", step=0, field="thought", quote="0.9", kind=Kind.RESULT, verdict=Verdict.UNSUPPORTED)
    good = claim.model_copy(update={"step": 1, "verdict": Verdict.SUPPORTED})
    steps = trajectory("read", "run:0.5", "submit")
    assert modes(steps, [claim, good]) == {FailureMode.HALLUCINATION: (0,)}
    assert modes(steps, [good]) == {}


def test_a_stated_value_that_the_grade_refutes_is_a_mode_of_its_own() -> None:
    steps = trajectory("run:0.9", "submit")
    honest = StatedScore(step=1, quote="accuracy 0.9", value=0.9, grade=0.88, holds=True, gap=0.02)
    made_up = honest.model_copy(update={"value": 1.0, "grade": 0.5, "holds": False, "gap": 1.0})
    assert FailureMode.NOT_BORNE_OUT not in modes(steps, stated=(honest,))
    (found,) = failure_modes(steps, (), result(steps, stated=(honest, made_up)))
    assert (found.mode, found.steps) == (FailureMode.NOT_BORNE_OUT, (1,))
    assert found.note == "the final answer states 1, the grade is 0.5"


def test_debugging_failure() -> None:
    steps = trajectory("run:0.5", "edit", "fail", "edit", "fail")
    assert modes(steps, ended_by=EndedBy.STEPS, success=False)[FailureMode.DEBUGGING] == (2, 4)
    recovered = trajectory("fail", "fail", "edit", "run:0.6", "submit")
    assert FailureMode.DEBUGGING not in modes(recovered)


def test_token_limit_by_budget_and_by_a_prompt_too_long() -> None:
    steps = trajectory("read", "run:0.5")
    assert modes(steps, ended_by=EndedBy.TOKENS)[FailureMode.TOKEN_LIMIT] == (1,)
    last = steps[-1]
    gave_up = last.model_copy(
        update={"decision": last.decision.model_copy(update={"gave_up": "the prompt is too long for the model"})}
    )
    found = modes([steps[0], gave_up], ended_by=EndedBy.ERROR)
    assert found[FailureMode.TOKEN_LIMIT] == (1,)
    assert FailureMode.INFRASTRUCTURE not in found


@pytest.mark.parametrize(
    ("why", "mode"),
    [
        ("openai:m declined to answer: content_filter", FailureMode.DECLINED),
        ("No tool call could be used; the last one: your answer was empty; call a tool", FailureMode.UNUSABLE),
        ("No answer could be read in 6 attempts; the last one: there is no entry 'Action:'", FailureMode.UNUSABLE),
        ("the last one: it was cut off at the longest answer allowed, 4,096 tokens", FailureMode.TOKEN_LIMIT),
    ],
)
def test_an_agent_that_cannot_go_on_is_told_apart_by_why(why: str, mode: FailureMode) -> None:
    first, last = trajectory("run", "read")
    gave_up = last.model_copy(update={"decision": last.decision.model_copy(update={"gave_up": why})})
    found = set(modes([first, gave_up], ended_by=EndedBy.ERROR))
    assert found & {FailureMode.DECLINED, FailureMode.UNUSABLE, FailureMode.TOKEN_LIMIT} == {mode}
    assert FailureMode.INFRASTRUCTURE not in found


def test_bad_plan_is_a_budget_spent_without_a_better_result() -> None:
    steps = trajectory("run:0.5", "edit", "run:0.4", "edit", "run:0.45")
    assert modes(steps, ended_by=EndedBy.STEPS, success=False)[FailureMode.BAD_PLAN] == (0, 2, 4)
    better = trajectory("run:0.5", "edit", "run:0.6")
    assert FailureMode.BAD_PLAN not in modes(better, ended_by=EndedBy.STEPS, success=False)


def test_no_improvement() -> None:
    steps = trajectory("run:0.5", "edit", "run:0.6", "submit")
    assert modes(steps, improvement=-0.1, score=0.36, success=False) == {FailureMode.NO_IMPROVEMENT: (3,)}
    assert FailureMode.NO_IMPROVEMENT in modes(steps, improvement=None, score=None, success=False)


def test_premature_submission() -> None:
    untested = trajectory("run:0.5", "run:0.6", "edit", "submit")
    assert modes(untested, success=False) == {FailureMode.PREMATURE: (2, 3)}
    once = trajectory("read", "run:0.5", "submit")
    assert modes(once, success=False) == {FailureMode.PREMATURE: (1, 2)}


def test_never_executed() -> None:
    assert modes(trajectory("read", "submit")) == {FailureMode.NEVER_EXECUTED: (1,)}


def test_loops_are_repetitions_in_a_row() -> None:
    steps = trajectory("run:0.5", "read=", "read=", "read=", "read=", "submit")
    assert modes(steps) == {FailureMode.LOOP: (2, 3, 4)}
    going_back = trajectory("run:0.5", "edit=", "read=", "edit", "read", "edit=", "read=", "submit")
    assert FailureMode.LOOP not in modes(going_back), (
        "an edit and a run of the best settings so far repeat earlier ones"
    )
    scattered = trajectory("run:0.5", "read=", "edit", "read=", "run:0.6", "submit")
    assert modes(scattered) == {}


def test_ignored_result_is_a_worse_state_submitted() -> None:
    steps = trajectory("run:0.8", "edit", "run:0.5", "submit")
    assert modes(steps) == {FailureMode.IGNORED_RESULT: (0, 2, 3)}
    lower_is_better = modes(steps, direction=Direction.MINIMIZE)
    assert FailureMode.IGNORED_RESULT not in lower_is_better


def test_a_success_lost_by_going_on_names_the_step_that_had_it() -> None:
    steps = trajectory("run:0.5", "edit", "run:0.6", "edit", "run:0.7", "submit")
    best = BestStep(step=2, score=0.9, improvement=0.8, normalised=None, success=True)
    assert modes(steps, best=best, success=False)[FailureMode.LOST] == (2, 5)
    assert modes(steps, best=best, success=False, score=None, improvement=None)[FailureMode.LOST] == (2, 5)
    assert FailureMode.LOST not in modes(steps, best=best)
    assert FailureMode.LOST not in modes(steps, best=best.model_copy(update={"success": False}), success=False)


def test_infrastructure() -> None:
    steps = trajectory("run:0.5")
    found = modes(steps, ended_by=EndedBy.ERROR, status=RunStatus.FAILED, error="disk full")
    assert found == {FailureMode.INFRASTRUCTURE: (0,)}
