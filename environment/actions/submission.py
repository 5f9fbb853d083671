"""Actions that end the run, and that check what will be graded."""

from __future__ import annotations

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.spec import ActionInput
from environment.errors import RefusedActionError
from environment.records import HOW_TO_CITE, CitedResult, Outcome
from tasks_catalog.library.errors import InvalidSubmissionError

VALIDATE_SUBMISSION = "Validate Submission"


class ValidateSubmissionInput(ActionInput):
    """Validate Submission takes no arguments."""


class FinalAnswerInput(ActionInput):
    """Arguments of Final Answer."""

    final_answer: str = Field(description="what was done and what came of it")
    claims: tuple[CitedResult, ...] = Field(
        default=(),
        description=f"the results the answer rests on, {HOW_TO_CITE}",
    )


def validate_submission(context: ActionContext, arguments: ValidateSubmissionInput) -> Reply:
    """Check the format of the submission as it stands; nothing is said about its score."""
    del arguments
    if context.validate is None:
        raise RefusedActionError("This task has no format check.")
    try:
        context.validate.ask(context.workspace.root)
    except InvalidSubmissionError as error:
        return Reply(f"The submission is not valid: {error}\n{context.validate.left}", Outcome.FAILED)
    return Reply(f"The format of the submission is valid. {context.validate.left}")


def final_answer(context: ActionContext, arguments: FinalAnswerInput) -> Reply:
    """End the run.

    Raises:
        RefusedActionError: Several scripts run in the background, and the last step has one training run.
    """
    del arguments
    if len(context.background.scripts) > 1:
        there = ", ".join(script.plan.title for script in context.background.scripts)
        raise RefusedActionError(
            f"Several scripts are in the background: {there}; nothing was submitted.",
            hint="See their ends first, with Check Script or Stop Script, so that each is recorded.",
        )
    return Reply(context.profile.final, final=True)


VALIDATE_SUBMISSION_ACTION = ActionDefinition(
    name=VALIDATE_SUBMISSION,
    description="Checks whether the submission has the right form, on other inputs than the grade's; its score "
    "stays hidden. A run has a limited number of checks.",
    returns="Whether it is valid, and if not in which of a few ways; how many checks are left.",
    input=ValidateSubmissionInput,
    handler=validate_submission,
)

FINAL_ANSWER = ActionDefinition(
    name="Final Answer",
    description="Submits the workspace as it is and ends the run; it cannot be taken back.",
    returns="Nothing more; the run is over.",
    input=FinalAnswerInput,
    handler=final_answer,
)
