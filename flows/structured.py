"""A language model that fills in a record, outside of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel, JsonValue

from agent.models.calls import Models
from agent.protocol import AgentContext
from environment.records import ModelCall
from flows.errors import UsageError

Answer = TypeVar("Answer", bound=BaseModel)


class StructuredModel:
    """Asks a model, with the keys, repetitions and prices of the agents' own calls.

    Args:
        name: ``provider:model``.
        settings: ``model.`` settings, as agents take them.

    Raises:
        AgentSettingsError: A setting is wrong.
        UsageError: A setting is none of a model's.
    """

    def __init__(self, name: str, settings: Mapping[str, JsonValue]) -> None:
        foreign = [setting for setting in settings if not setting.startswith("model.")]
        if foreign:
            raise UsageError(f"{foreign[0]} is no setting of a model.", hint="Those are called model.…")
        self._models = Models(AgentContext(model=name, settings=dict(settings)))

    def ask(self, prompt: str, record: type[Answer]) -> tuple[Answer | None, ModelCall]:
        """The model's answer, or ``None`` where it does not fit the record; and what it cost.

        Raises:
            ModelCallError: The model cannot be asked.
        """
        chat = self._models.chat("main").with_structured_output(record, method="function_calling", include_raw=True)
        session = self._models.session(0)
        answers: list[Any] = []

        def call() -> AIMessage:
            answers.append(chat.invoke(prompt))
            message: AIMessage = answers[-1]["raw"]
            return message

        session.perform("main", [HumanMessage(prompt)], call)
        parsed = answers[-1]["parsed"]
        return parsed if isinstance(parsed, record) else None, session.calls[-1]
