"""Lets plain functions and LangGraph graphs take part as agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from agent.errors import AgentError
from agent.protocol import JSON, View
from agent.stateless import Stateless
from environment.records import Action, Decision, ModelCall


def decision_of(answer: object) -> Decision:
    """What an agent of a user's own answered as a decision; an action alone will do.

    Raises:
        AgentError: It is neither.
    """
    if isinstance(answer, Action):
        return Decision(action=answer)
    if isinstance(answer, Decision):
        return answer
    raise AgentError(
        f"The agent returned {type(answer).__name__} and no decision",
        hint="Return an environment.records.Decision, or an Action alone.",
    )


class FunctionAgent(Stateless):
    """A function ``view -> Decision`` or ``view -> Action``."""

    def __init__(self, function: Callable[[View], Decision | Action]) -> None:
        self._function = function

    def decide(self, view: View) -> Decision:
        """Ask the function.

        Raises:
            AgentError: It returned something else.
        """
        return decision_of(self._function(view))


class Graph(Protocol):
    """What LangGraph's compiled graphs and LangChain's runnables have in common."""

    def invoke(self, input: Any, /) -> Any:  # noqa: A002 (LangChain's name)
        """Run to the end."""
        ...


class GraphAnswer(BaseModel):
    """The keys of a graph's final state that are read; it may have others."""

    model_config = ConfigDict(extra="ignore", defer_build=True)

    action: Action
    prose: dict[str, str] = Field(default_factory=dict)
    memory: JsonValue = None


class GraphAgent:
    """A graph that runs once a step.

    It is invoked with ``{"view": View, "memory": what it returned last}`` and ends with ``action`` (an
    Action, or a dict of ``name`` and ``args``) and, where it likes, ``prose`` and ``memory`` (JSON) in its
    state. Model calls inside it are counted through LangChain's usage callback.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._memory: JSON = None

    def decide(self, view: View) -> Decision:
        """Run the graph once.

        Raises:
            AgentError: Its final state holds no action.
        """
        from langchain_core.callbacks import get_usage_metadata_callback

        with get_usage_metadata_callback() as usage:
            state = self._graph.invoke({"view": view, "memory": self._memory})
        try:
            answer = GraphAnswer.model_validate(state)
        except ValidationError as error:
            raise AgentError(
                f"The graph's final state has no usable action: {error.errors()[0]['msg']}",
                hint="End with {'action': {'name': ..., 'args': {...}}} in its state",
            ) from error
        self._memory = answer.memory
        calls = tuple(
            ModelCall(model=model, prompt_tokens=tokens["input_tokens"], completion_tokens=tokens["output_tokens"])
            for model, tokens in usage.usage_metadata.items()
        )
        return Decision(prose=answer.prose, action=answer.action, calls=calls)

    def state(self) -> JSON:
        """The graph's memory."""
        return self._memory

    def restore(self, state: JSON) -> None:
        """Take up its memory."""
        self._memory = state
