"""Native tool calling: LangChain's ``create_agent``, one call of a tool a step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from agent.asking import REPAIRS, giving_up
from agent.errors import GaveUpError
from agent.models.calls import Models, ModelSession
from agent.models.errors import PromptTooLongError
from agent.prompts.briefing import ROLE, PromptSettings, as_text, briefing, done, left
from agent.prompts.compaction import compact, tokens_of
from agent.prompts.conversation import Conversation
from agent.prompts.transcript import whole
from agent.protocol import JSON, AgentContext, View
from agent.settings import read_settings
from agent.skills.base import SkillContext, Toolbox
from agent.skills.choice import SKILLS
from environment.actions.spec import ActionSpec
from environment.records import Decision

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import AIMessage, AnyMessage
    from langchain_core.tools import BaseTool

_SYSTEM = f"{ROLE} You act by calling tools. Say briefly why before each call, and measure before and after a change."
_SEVERAL = "Each call is a step of its own; of several in one answer all are carried out in order, also if one fails."
_TAKES_ONE_CALL = ("openai", "anthropic")
"""Providers that can be told to call one tool at a time."""


class ToolsSettings(PromptSettings):
    """Settings of ``tools``."""

    skills: bool = Field(default=True, description="composite skills besides the environment's actions")
    repairs: int = Field(default=REPAIRS, ge=0, description="attempts after an answer without a usable tool call")
    context_tokens: int = Field(default=100_000, ge=1, description="from here on earlier steps become a summary")
    parallel_tool_calls: bool = Field(default=True, description="carry out all calls of an answer, a step each")


class ToolsAgent:
    """Remembers the whole conversation, as LangChain's messages."""

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(ToolsSettings, "tools", context.settings)
        self._models = Models(context)
        self._toolbox = Toolbox(SKILLS if self._settings.skills else ())
        self._talk = Conversation(parallel=self._settings.parallel_tool_calls)

    def decide(self, view: View) -> Decision:
        """Hand over the last observation; carry on with the last answer's calls, or let the model answer anew."""
        session = self._models.session(len(view.steps))
        offered = {tool_name(spec): spec for spec in self._toolbox.offered(view)}
        if self._talk.messages:
            self._talk.observed(whole(view.steps[-1]), f"[{done(view)}]")
        with giving_up(session):
            action, thought = self._talk.next_call(offered), ""
            if action is None:
                thought = self._answered(view, offered, session)
                action = self._talk.next_call(offered)
            if action is None:
                raise GaveUpError("No tool call could be used", calls=tuple(session.calls))
            prose = {"thought": thought} if thought else {}
            return self._toolbox.decision(action, prose, SkillContext(view, session))

    def state(self) -> JSON:
        """The conversation."""
        return self._talk.state()

    def restore(self, state: JSON) -> None:
        """Take up the conversation."""
        self._talk.restore(state)

    def _answered(self, view: View, offered: Mapping[str, ActionSpec], session: ModelSession) -> str:
        """Have the model answer, and remember it; returns what it said beside its calls."""
        from langchain_core.messages import HumanMessage

        talk, allowed = self._talk, self._settings.context_tokens
        sections = briefing(view, honesty_rules=self._settings.honesty_rules)
        opening = as_text(
            {name: text if name == "Task" else _by_tools(text, offered) for name, text in sections.items()}
        )
        if not talk.messages:
            talk.messages = self._run([HumanMessage(f"{opening}\n\n{left(view)}")], offered, session)
            return _said(talk)
        if tokens_of(talk.messages) > allowed:
            compact(talk, opening, view, session, allowed)
        try:
            talk.messages = self._run(talk.messages, offered, session)
        except PromptTooLongError:  # the model takes less than was allowed
            compact(talk, opening, view, session, tokens_of(talk.messages) // 2)
            talk.messages = self._run(talk.messages, offered, session)
        return _said(talk)

    def _run(
        self, messages: list[AnyMessage], offered: Mapping[str, ActionSpec], session: ModelSession
    ) -> list[AnyMessage]:
        from langchain.agents import create_agent

        from agent.one_turn import OneTurn

        provider = self._models.name("main").partition(":")[0]
        one_call = not self._settings.parallel_tool_calls and provider in _TAKES_ONE_CALL
        sent = {"parallel_tool_calls": False} if one_call else {}
        turn = OneTurn(session, offered, self._settings.repairs, sent)
        tools = [_tool(name, spec) for name, spec in offered.items()]
        middleware = [turn, *_caching(provider)]
        system = _SYSTEM if one_call else f"{_SYSTEM} {_SEVERAL}"
        agent = create_agent(self._models.chat("main"), tools, system_prompt=system, middleware=middleware)
        limit = 10 * (self._settings.repairs + 2)
        state = agent.invoke({"messages": list(messages)}, config={"recursion_limit": limit})
        return list(state["messages"])


def _by_tools(text: str, offered: Mapping[str, ActionSpec]) -> str:
    """A text with the actions called as the tools are."""
    for name, spec in offered.items():
        text = text.replace(spec.name, name)
    return text


def _said(talk: Conversation) -> str:
    return str(cast("AIMessage", talk.messages[-1]).text)


def _caching(provider: str) -> list[AgentMiddleware[Any, Any]]:
    """Marks for Anthropic what it may cache: system prompt, tools and messages; others see for themselves."""
    if provider != "anthropic":
        return []
    from langchain_anthropic.middleware import AnthropicPromptCachingMiddleware

    return [AnthropicPromptCachingMiddleware()]


def tool_name(spec: ActionSpec) -> str:
    """``Edit Script (AI)`` -> ``edit_script_ai``, as providers want it."""
    return re.sub(r"[^a-z0-9]+", "_", spec.name.lower()).strip("_")


def _tool(name: str, spec: ActionSpec) -> BaseTool:
    """The action as a tool for the model to see; the environment carries it out between two turns."""
    from langchain_core.tools import StructuredTool

    def carried_out_elsewhere(**given: object) -> str:
        raise NotImplementedError(f"{name} is carried out by the environment, not within the model's turn")

    return StructuredTool.from_function(
        carried_out_elsewhere,
        name=name,
        description=f"{spec.description} Returns: {spec.returns}",
        args_schema=dict(spec.input_schema),
        infer_schema=False,
    )
