"""The action that recalls what earlier runs showed."""

from __future__ import annotations

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.spec import ActionInput
from environment.errors import RefusedActionError
from environment.recall import worded

RECALL_EXPERIENCE = "Recall Experience"


class RecallExperienceInput(ActionInput):
    """Arguments of Recall Experience."""

    query: str = Field(min_length=1, max_length=1_000, description="what you want to know or are about to try")
    max_results: int = Field(default=5, ge=1, le=20, description="how many lessons to show")


def recall_experience(context: ActionContext, arguments: RecallExperienceInput) -> Reply:
    """Look up, and show what was found."""
    if context.recall is None:
        raise RefusedActionError("No experience of earlier runs is set up for this run.")
    found = context.recall.search(arguments.query, arguments.max_results)
    return Reply("\n\n".join(map(worded, found)) or "Nothing is known from earlier runs.")


RECALL_EXPERIENCE_ACTION = ActionDefinition(
    name=RECALL_EXPERIENCE,
    description="Recalls changes that earlier runs tried on other data, and what each did to their metric.",
    returns="The changes nearest to the query, with measured effects and the training runs they are known from.",
    input=RecallExperienceInput,
    handler=recall_experience,
    reads_only=True,
)
