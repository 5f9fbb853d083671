"""A language model that fills in a record, outside of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.output_parsers.openai_tools import PydanticToolsParser
from langchain_core.utils.json import parse_json_markdown
from pydantic import BaseModel, JsonValue

from agent.models.calls import Models
from agent.protocol import AgentContext
from environment.records import ModelCall
from environment.records.display import counted, money
from flows.errors import SpendLimitError, UnknownPriceError, UsageError
from foundation.records import Record

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableSequence

Answer = TypeVar("Answer", bound=BaseModel)
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
"""What a local model that reasons writes in front of its answer."""


class Spend(Record):
    """What calls of a model used.

    Attributes:
        calls: Calls that were answered.
        tokens: Of prompts and answers.
        cost: US dollars, as far as known.
        unknown_cost: A call had no known price.
    """

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    unknown_cost: bool = False

    def plus(self, calls: Iterable[ModelCall]) -> Spend:
        """The sum with further calls."""
        made = list(calls)
        return Spend(
            calls=self.calls + len(made),
            tokens=self.tokens + sum(call.prompt_tokens + call.completion_tokens for call in made),
            cost=self.cost + sum(call.cost or 0.0 for call in made),
            unknown_cost=self.unknown_cost or any(call.cost is None for call in made),
        )

    def line(self) -> str:
        """``12 calls, 3,400 tokens, $0.02``."""
        price = "at an unknown price" if self.unknown_cost else money(self.cost)
        return f"{counted(self.calls, 'call')}, {counted(self.tokens, 'token')}, {price}"


class StructuredModel:
    """Asks a model, with the keys, repetitions and prices of the agents' own calls.

    Args:
        name: ``provider:model``.
        settings: ``model.`` settings, as agents take them.
        limit: US dollars that all calls together may cost; the last one may pass it.

    Attributes:
        spent: What the calls so far used.
        unfit: The last answer, where it did not fit the record that was asked for.

    Raises:
        AgentSettingsError: A setting is wrong.
        UsageError: A setting is none of a model's, or nothing can hold the limit (UnknownPriceError).
    """

    def __init__(self, name: str, settings: Mapping[str, JsonValue], *, limit: float | None = None) -> None:
        foreign = [setting for setting in settings if not setting.startswith("model.")]
        if foreign:
            raise UsageError(f"{foreign[0]} is no setting of a model.", hint="Those are called model.…")
        self.spent = Spend()
        self.unfit: AIMessage | None = None
        self._limit = limit
        self._models = Models(AgentContext(model=name, settings=dict(settings)))
        if limit is not None and self._models.price("main") is None:
            raise UnknownPriceError(name)

    def ask(self, prompt: str, record: type[Answer]) -> tuple[Answer | None, ModelCall]:
        """The model's answer, or ``None`` where it does not fit the record; and what it cost.

        Raises:
            ModelCallError: The model cannot be asked.
            SpendLimitError: The limit is reached, or nothing can hold it any more.
        """
        self._refuse_beyond_limit()
        filled = self._models.chat("main").with_structured_output(record, method="function_calling")
        # The model alone: with what parses its answer beside it, LangChain asks in a thread that no signal ends.
        chat = cast("RunnableSequence[Any, Any]", filled).first
        session = self._models.session(0)
        try:
            answer = session.perform("main", [HumanMessage(prompt)], lambda: cast(AIMessage, chat.invoke(prompt)))
        finally:
            # A refusal is paid for like an answer.
            self.spent = self.spent.plus(session.calls)
        parsed = _called(answer, record) or _written(answer, record)
        self.unfit = None if parsed else answer
        return parsed, session.calls[-1]

    def line(self) -> str:
        """What the calls so far used, and whether the last of them went beyond the limit."""
        is_passed = self._limit is not None and self.spent.cost > self._limit
        passed = f"; the last call passed the limit of {money(self._limit)}" if is_passed else ""
        return f"{self.spent.line()}{passed}"

    def _refuse_beyond_limit(self) -> None:
        if self._limit is None:
            return
        if self.spent.unknown_cost:
            raise SpendLimitError(
                "The model's server tells no numbers of tokens, so that no limit on money can be held.",
                hint="Leave the limit out.",
            )
        if self.spent.cost >= self._limit:
            raise SpendLimitError(f"The limit of {money(self._limit)} is reached after {self.line()}.")


def _called(answer: AIMessage, record: type[Answer]) -> Answer | None:
    """The record that the model gave to the tool it was offered."""
    with suppress(ValueError):
        given = PydanticToolsParser(tools=[record], first_tool_only=True).invoke(answer)
        return given if isinstance(given, record) else None
    return None


def _written(answer: AIMessage, record: type[Answer]) -> Answer | None:
    """The record where a model without tools, as many local ones are, has written it as JSON into its answer."""
    with suppress(ValueError):
        return record.model_validate(parse_json_markdown(_THOUGHT.sub("", str(answer.text)), parser=json.loads))
    return None
