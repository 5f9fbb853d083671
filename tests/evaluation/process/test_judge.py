"""The rubric by a model, with a real LangChain chat model that answers what it is told to."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda

from evaluation.process.failures import Failure, FailureMode, failure_modes
from evaluation.process.judge import JudgeError, Rubric, agreement, judge, modes_of
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


class StructuredModel(GenericFakeChatModel):
    """Gives one structured answer and keeps the prompt it got."""

    messages: Any = iter(())
    answer: Any = FAIR
    prompts: list[str] = []  # noqa: RUF012

    def with_structured_output(self, schema: Any, **_: Any) -> Runnable[Any, Any]:
        def reply(prompt: str | list[BaseMessage]) -> Any:
            self.prompts.append(str(prompt))
            return self.answer

        return RunnableLambda(reply)


def test_the_judge_sees_the_task_and_every_step() -> None:
    model = StructuredModel(prompts=[])
    steps = trajectory("read", "run:0.5", "submit")
    assert judge(model, "Improve the model.", steps) == FAIR
    (prompt,) = model.prompts
    assert "Improve the model." in prompt
    assert all(f"## Step {n}" in prompt for n in range(3))
    assert len(prompt) < 70_000


def test_an_answer_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(JudgeError):
        judge(StructuredModel(answer=None), "Improve the model.", trajectory("submit"))


def test_agreement_with_the_rules() -> None:
    stuck = FAIR.model_copy(update={"stuck_debugging": True})
    assert modes_of(stuck) == {FailureMode.DEBUGGING}
    steps = trajectory("run:0.5", "fail", "fail")
    by_rules = failure_modes(steps, [], result(steps, success=False))
    none: tuple[Failure, ...] = ()
    found = {a.mode: a for a in agreement([(stuck, by_rules), (FAIR, none), (stuck, none), (FAIR, none)])}
    assert found[FailureMode.DEBUGGING].agreed == 0.75
    assert found[FailureMode.DEBUGGING].kappa == pytest.approx(0.5)
    assert found[FailureMode.TOKEN_LIMIT].kappa is None
