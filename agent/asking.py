"""Asks a model until its answer can be read: repairs bad answers, and shortens a prompt that is too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from agent.answers.parsing import AnswerError
from agent.errors import GaveUpError
from agent.models.calls import ModelSession
from agent.models.endings import is_cut, is_empty
from agent.models.errors import PromptTooLongError, RefusedError

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

Read = TypeVar("Read")
REPAIRS = 5
"""Further attempts after an answer that cannot be read, the paper's number."""

LESS_AT_ONCE = "write a long file in several steps, or change only the lines that differ"
RAISE_LIMIT = "what helps is a larger limit, as with --set model.max_tokens=16000"
_CUT = (
    f"Your answer {{limit}}, and nothing of it was used.\nAnswer with less at once: {LESS_AT_ONCE}. Keep to the format "
    "asked for."
)
_UNREAD = "Your answer could not be used: {why}.\nGive the whole answer again, in the format asked for."


def ask_until_read(
    session: ModelSession,
    prompt: Callable[[int], Sequence[BaseMessage]],
    read: Callable[[str], Read],
    *,
    history: int,
    repairs: int = REPAIRS,
) -> Read:
    """The first answer that can be read.

    Args:
        session: Where the calls are made.
        prompt: The messages, with at most so many past steps.
        read: Reads an answer's text; raises ``AnswerError`` with what is wrong.
        history: Past steps shown; halved while the prompt is too long.
        repairs: Attempts after the first.

    Raises:
        GaveUpError: No attempt could be read.
        PromptTooLongError: Not even without past steps does the prompt fit.
    """
    from langchain_core.messages import AIMessage, HumanMessage

    repaired: list[BaseMessage] = []
    text, why = "", ""
    for _ in range(repairs + 1):
        answer, history = _fitting(session, prompt, repaired, history)
        text = str(answer.text)
        if is_cut(answer):
            why, correction = f"it {session.limit}; {RAISE_LIMIT}", _CUT.format(limit=session.limit)
        elif is_empty(answer):
            why, correction = "it was empty", _UNREAD.format(why="it was empty")
        else:
            try:
                return read(text)
            except AnswerError as error:
                why = str(error)
                correction = _UNREAD.format(why=why)
        repaired += [AIMessage(text or "(nothing)"), HumanMessage(correction)]
    raise GaveUpError(
        f"No answer could be read in {repairs + 1} attempts; the last one: {why}",
        prose={"unread": text},
        calls=tuple(session.calls),
    )


def _fitting(
    session: ModelSession,
    prompt: Callable[[int], Sequence[BaseMessage]],
    repaired: Sequence[BaseMessage],
    history: int,
) -> tuple[AIMessage, int]:
    """An answer, and the number of past steps with which the prompt fitted."""
    while True:
        try:
            answer = session.ask("main", [*prompt(history), *repaired], stop=["Observation:"])
        except PromptTooLongError:
            if history == 0:
                raise
            history //= 2
        else:
            return answer, history


@contextmanager
def giving_up(session: ModelSession) -> Iterator[None]:
    """Ends the run, rather than failing it, where no further call could help.

    Raises:
        GaveUpError: The prompt cannot be made short enough, or the model refused.
    """
    try:
        yield
    except (PromptTooLongError, RefusedError) as error:
        raise GaveUpError(error.message, calls=tuple(session.calls)) from error
