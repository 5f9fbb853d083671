"""Keeps a long conversation within a model's context: earlier steps become a summary, with the record's results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.models.calls import ModelSession
from agent.models.errors import PromptTooLongError
from agent.prompts.conversation import Conversation
from agent.prompts.results import results_table
from agent.prompts.transcript import written
from agent.protocol import View
from environment.records import Step
from foundation.text import cut_middle

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

_KEPT = 4
"""The part of the allowed tokens that the last messages may take, kept as they are: one in so many."""
_SHOWN = (4_000, 800)
"""Characters of each text of a step that the summary is made from; fewer where the first are too many."""

_TASK = (
    "Write notes from which the researcher can go on without these steps: what was tried, with the step and its "
    "result, numbers exactly as written; what failed and why; what each file of the workspace is now; what is "
    "submitted so far; what was to be done next. At most 700 words, and nothing that does not stand above."
)


def tokens_of(messages: Sequence[AnyMessage]) -> int:
    """About how many tokens messages take."""
    from langchain_core.messages.utils import count_tokens_approximately

    return count_tokens_approximately(messages)


def compact(talk: Conversation, opening: str, view: View, session: ModelSession, tokens: int) -> None:
    """Shorten a conversation to its opening with a summary, and its last messages.

    Args:
        talk: All its calls have their results.
        opening: The first message, without what changes from step to step.
        view: What the agent sees.
        session: Where the summary is asked for, of the fast model.
        tokens: About how many the conversation may take.
    """
    from langchain_core.messages import HumanMessage

    before, first = talk.summary
    summary = _summary(view.steps[first:], before, session)
    opening_parts = [
        opening,
        f"## So far\nYour first {len(view.steps)} steps, in short:\n{summary}",
        f"## Results on record\n{results_table(view.steps) or 'No script was run so far.'}",
    ]
    kept = _last(talk.messages, tokens // _KEPT)
    talk.shorten([HumanMessage("\n\n".join(opening_parts)), *kept], summary, len(view.steps))


def _summary(steps: Sequence[Step], before: str, session: ModelSession) -> str:
    earlier = f"Notes on the steps before:\n{before}\n\n" if before else ""
    for limit in _SHOWN:
        listed = "\n\n".join(_in_words(step, limit) for step in steps)
        try:
            return session.text("fast", f"{earlier}A researcher took these steps:\n\n{listed}\n\n{_TASK}")
        except PromptTooLongError:
            if limit == _SHOWN[-1]:
                raise
    return before


def _in_words(step: Step, limit: int) -> str:
    said = cut_middle(written(step.decision), limit)
    return f"Step {step.n}:\n{said}\nObservation:\n{cut_middle(step.effect.observation.text, limit)}"


def _last(messages: Sequence[AnyMessage], tokens: int) -> list[AnyMessage]:
    """The last messages of at most so many tokens, from an answer of the model on; none where the last are too long."""
    starts = [n for n, message in enumerate(messages) if n and message.type == "ai"]
    fitting = (messages[start:] for start in starts)
    return next((list(kept) for kept in fitting if tokens_of(kept) <= tokens), [])
