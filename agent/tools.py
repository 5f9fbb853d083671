"""Native tool calling: LangChain's ``create_agent``, one turn of model and tool a step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from agent.asking import REPAIRS, giving_up
from agent.briefing import ROLE, PromptSettings, as_text, briefing, done, left
from agent.models.calls import Models
from agent.models.messages import from_json, to_json
from agent.protocol import JSON, AgentContext, View
from agent.settings import read_settings
from agent.skills.base import SkillContext, Toolbox
from agent.skills.choice import SKILLS
from agent.transcript import whole
from environment.actions.spec import ActionSpec
from environment.records import Decision

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AnyMessage
    from langchain_core.tools import BaseTool

    from agent.one_turn import OneTurn

_SYSTEM = f"{ROLE} You act by calling tools. Say briefly why before each call, and measure before and after a change."


class ToolsSettings(PromptSettings):
    """Settings of ``tools``."""

    skills: bool = Field(default=True, description="composite skills besides the environment's actions")
    repairs: int = Field(default=REPAIRS, ge=0, description="attempts after an answer without a usable tool call")
    context_tokens: int = Field(default=100_000, ge=1, description="from here on old tool results are left out")


class ToolsAgent:
    """Remembers the whole conversation, as LangChain's messages."""

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(ToolsSettings, "tools", context.settings)
        self._models = Models(context)
        self._toolbox = Toolbox(SKILLS if self._settings.skills else ())
        self._messages: list[AnyMessage] = []
        self._note = ""

    def decide(self, view: View) -> Decision:
        """Hand over the last observation, and let the model call one tool."""
        from agent.one_turn import OneTurn

        session = self._models.session(len(view.steps))
        offered = {tool_name(spec): spec for spec in self._toolbox.offered(view)}
        turn = OneTurn(session, offered, self._settings.repairs)
        with giving_up(session):
            self._messages = self._run([*self._messages, *self._news(view)], offered, turn)
            action, notes = turn.chosen
            self._note = "; ".join(notes)
            thought = str(cast("AIMessage", self._messages[-1]).text)
            prose = {"thought": thought} if thought else {}
            return self._toolbox.decision(action, prose, SkillContext(view, session))

    def state(self) -> JSON:
        """The conversation."""
        return {"messages": [to_json(message) for message in self._messages], "note": self._note}

    def restore(self, state: JSON) -> None:
        """Take up the conversation."""
        kept = cast("dict[str, Any]", state)
        self._messages = cast("list[AnyMessage]", from_json(kept["messages"]))
        self._note = kept["note"]

    def _news(self, view: View) -> Sequence[AnyMessage]:
        """The task at first, then what the tool called last has returned."""
        from langchain_core.messages import HumanMessage

        from agent.one_turn import tool_results

        if not self._messages:
            told = as_text(briefing(view, honesty_rules=self._settings.honesty_rules))
            return [HumanMessage(f"{told}\n\n{left(view)}")]
        note = f"(Note on your call: {self._note})" if self._note else ""
        text = "\n".join(part for part in (whole(view.steps[-1]), note, f"[{done(view)}]") if part)
        return tool_results(cast("AIMessage", self._messages[-1]), first=text)

    def _run(
        self, messages: Sequence[AnyMessage], offered: Mapping[str, ActionSpec], turn: OneTurn
    ) -> list[AnyMessage]:
        from langchain.agents import create_agent
        from langchain.agents.middleware import ClearToolUsesEdit, ContextEditingMiddleware

        editing = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=self._settings.context_tokens)])
        tools = [_tool(name, spec) for name, spec in offered.items()]
        agent = create_agent(self._models.chat("main"), tools, system_prompt=_SYSTEM, middleware=[editing, turn])
        limit = 10 * (self._settings.repairs + 2)
        state = agent.invoke({"messages": list(messages)}, config={"recursion_limit": limit})
        return list(state["messages"])


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
