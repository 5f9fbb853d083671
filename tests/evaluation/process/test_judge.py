"""The rubric by a model, asked over HTTP as any provider is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from evaluation.process.failures import FailureMode, failure_modes
from evaluation.process.judge import JudgeError, Rubric, agreement, judge, modes_of
from flows.structured import StructuredModel
from tests.agent.llm_server import LlmServer, Reply
from tests.evaluation.process.trajectories import result, trajectory

FAIR = Rubric(
    solved=True,
    hallucinated_answer=False,
    hallucinated_steps=False,
    stuck_debugging=False,
    ran_out_of_context=False,
    lacked_plan=False,
    lacked_expertise=False,
    summary="It went well.",
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")


def answered(rubric: dict[str, Any]) -> Reply:
    return Reply(tools=[("Rubric", rubric)])


@pytest.fixture
def server() -> Iterator[LlmServer]:
    """Answers fairly, after one failure that a second attempt mends; then with half a rubric."""
    replies = [Reply(status=500), answered(FAIR.model_dump()), answered({"solved": True})]
    with LlmServer(replies) as started:
        yield started


def test_the_judge_sees_the_task_and_every_step(server: LlmServer) -> None:
    model = StructuredModel("openai:judge", {"model.base_url": f"{server.address}/v1", "model.backoff": 0.01})
    steps = trajectory("read", "run:0.5", "submit")
    judgement = judge(model.ask, "Improve the model.", steps)
    assert judgement.rubric == FAIR
    assert (judgement.model, judgement.tokens, judgement.cost) == ("openai:judge", 120, None)
    prompt = server.requests[-1].prompt
    assert "Improve the model." in prompt
    assert all(f"## Step {n}" in prompt for n in range(3))
    assert len(prompt) < 70_000
    with pytest.raises(JudgeError):
        judge(model.ask, "Improve the model.", trajectory("submit"))


def test_agreement_with_the_rules() -> None:
    stuck = FAIR.model_copy(update={"stuck_debugging": True})
    assert modes_of(stuck) == {FailureMode.DEBUGGING}
    steps = trajectory("run:0.5", "fail", "fail")
    by_rules = {failure.mode for failure in failure_modes(steps, [], result(steps, success=False))}
    none = frozenset[str]()
    found = {a.mode: a for a in agreement([(stuck, by_rules), (FAIR, none), (stuck, none), (FAIR, none)])}
    debugging = found[FailureMode.DEBUGGING]
    assert (debugging.by_judge, debugging.by_rules, debugging.agreed) == (2, 1, 0.75)
    assert debugging.kappa == pytest.approx(0.5), "(0.75 - 0.5) / (1 - 0.5), by hand"
    assert found[FailureMode.TOKEN_LIMIT].kappa is None
