"""Middleware that ends LangChain's agent loop after one usable tool call, and has its model calls recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse, hook_config
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from agent.asking import LESS_AT_ONCE, RAISE_LIMIT
from agent.errors import GaveUpError
from agent.models.calls import ModelSession
from agent.models.endings import is_cut
from agent.parsing import AnswerError, read_action
from environment.actions.spec import ActionSpec
from environment.records import Action

_NOT_DONE = "Not carried out: one tool is called at a time."


class OneTurn(AgentMiddleware[AgentState[Any], None]):
    """Lets the model speak until it calls a tool that can be carried out; the call ends the turn.

    Attributes:
        chosen: The action of that call, and notes on arguments that were not used.
    """

    def __init__(self, session: ModelSession, offered: Mapping[str, ActionSpec], repairs: int) -> None:
        super().__init__()
        self.chosen: tuple[Action, tuple[str, ...]]
        self._session = session
        self._offered = offered
        self._repairs = repairs

    def wrap_model_call(
        self, request: ModelRequest[None], handler: Callable[[ModelRequest[None]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Make the call through the session, which records, repeats and counts it."""
        prompt = [*([request.system_message] if request.system_message else []), *request.messages]
        answer = self._session.perform("main", prompt, lambda: cast(AIMessage, handler(request).result[0]))
        return ModelResponse(result=[answer])

    @hook_config(can_jump_to=["model", "end"])
    def after_model(self, state: AgentState[Any], runtime: Runtime[None]) -> dict[str, Any]:
        """End the turn, or say what was wrong and ask again."""
        del runtime
        answer = cast(AIMessage, state["messages"][-1])
        try:
            self.chosen = self._read(answer)
        except AnswerError as error:
            if self._repairs == 0:
                raise self._given_up(answer, str(error)) from error
            self._repairs -= 1
            return {"messages": _corrections(answer, str(error)), "jump_to": "model"}
        return {"jump_to": "end"}

    def _read(self, answer: AIMessage) -> tuple[Action, tuple[str, ...]]:
        if is_cut(answer):
            raise AnswerError(f"your answer {self._session.limit}; call the tool with less at once: {LESS_AT_ONCE}")
        if answer.invalid_tool_calls:
            wrong = answer.invalid_tool_calls[0]
            raise AnswerError(f"the arguments of {wrong.get('name')} are no JSON object: {wrong.get('error') or ''}")
        if not answer.tool_calls:
            raise AnswerError("no tool was called; call one")
        call = answer.tool_calls[0]
        spec = self._offered.get(call["name"])
        if spec is None:
            raise AnswerError(f"there is no tool {call['name']!r}; the tools are: {', '.join(self._offered)}")
        return read_action(spec.name, call["args"], [spec])

    def _given_up(self, answer: AIMessage, why: str) -> GaveUpError:
        helps = f" ({RAISE_LIMIT})" if is_cut(answer) else ""
        return GaveUpError(
            f"no tool call could be used; the last one: {why}{helps}",
            prose={"unread": str(answer.text)},
            calls=tuple(self._session.calls),
        )


def tool_results(answer: AIMessage, *, first: str, others: str = _NOT_DONE) -> list[AnyMessage]:
    """What each tool call of an answer returned; providers want a result for every one."""
    calls = [*answer.tool_calls, *answer.invalid_tool_calls]
    return [
        ToolMessage(first if i == 0 else others, tool_call_id=call["id"] or "", name=call["name"] or "")
        for i, call in enumerate(calls)
    ]


def _corrections(answer: AIMessage, why: str) -> list[AnyMessage]:
    message = f"Nothing was done: {why}"
    return tool_results(answer, first=message, others=message) or [HumanMessage(message)]
