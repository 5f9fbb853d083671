"""Middleware that ends LangChain's agent loop after one usable answer, and has its model calls recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse, hook_config
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from agent.answers.parsing import AnswerError
from agent.asking import LESS_AT_ONCE, RAISE_LIMIT
from agent.errors import GaveUpError
from agent.models.calls import ModelSession
from agent.models.endings import is_cut, is_empty
from agent.prompts.conversation import not_json, read_call
from environment.actions.spec import ActionSpec

_NOTHING = "(nothing)"
"""Stands for an empty answer, which providers do not take back."""


class OneTurn(AgentMiddleware[AgentState[Any], None]):
    """Lets the model speak until its first tool call can be carried out; then the turn ends.

    Args:
        session: Where the calls are made.
        offered: The actions by the names of their tools.
        repairs: Attempts after the first.
        sent: Settings of the call itself, such as ``parallel_tool_calls``.
    """

    def __init__(
        self, session: ModelSession, offered: Mapping[str, ActionSpec], repairs: int, sent: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self._session = session
        self._offered = offered
        self._repairs = repairs
        self._sent = sent

    def wrap_model_call(
        self, request: ModelRequest[None], handler: Callable[[ModelRequest[None]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Make the call through the session, which records, repeats and counts it."""
        prompt = [*([request.system_message] if request.system_message else []), *request.messages]
        asked = request.override(model_settings={**request.model_settings, **self._sent})
        answer = self._session.perform("main", prompt, lambda: cast(AIMessage, handler(asked).result[0]))
        return ModelResponse(result=[answer])

    @hook_config(can_jump_to=["model", "end"])
    def after_model(self, state: AgentState[Any], runtime: Runtime[None]) -> dict[str, Any]:
        """End the turn, or say what was wrong and ask again."""
        del runtime
        answer = cast(AIMessage, state["messages"][-1])
        try:
            self._check(answer)
        except AnswerError as error:
            if self._repairs == 0:
                raise self._given_up(answer, str(error)) from error
            self._repairs -= 1
            return {"messages": _corrections(answer, str(error)), "jump_to": "model"}
        return {"jump_to": "end"}

    def _check(self, answer: AIMessage) -> None:
        if is_cut(answer):
            raise AnswerError(f"your answer {self._session.limit}; call the tool with less at once: {LESS_AT_ONCE}")
        if is_empty(answer):
            raise AnswerError("your answer was empty; call a tool")
        if answer.tool_calls:
            read_call(answer.tool_calls[0], self._offered)
        elif answer.invalid_tool_calls:
            raise AnswerError(not_json(dict(answer.invalid_tool_calls[0])))
        else:
            raise AnswerError("no tool was called; call one")

    def _given_up(self, answer: AIMessage, why: str) -> GaveUpError:
        helps = f" ({RAISE_LIMIT})" if is_cut(answer) else ""
        return GaveUpError(
            f"No tool call could be used; the last one: {why}{helps}",
            prose={"unread": str(answer.text)},
            calls=tuple(self._session.calls),
        )


def _corrections(answer: AIMessage, why: str) -> list[AnyMessage]:
    """What is wrong, as the result of each call, or as a message of its own."""
    message = f"Nothing was done: {why}"
    calls = [*answer.tool_calls, *answer.invalid_tool_calls]
    if calls:
        return [ToolMessage(message, tool_call_id=call["id"] or "", name=call["name"] or "") for call in calls]
    said = [answer.model_copy(update={"content": _NOTHING})] if is_empty(answer) else []
    return [*said, HumanMessage(message)]
