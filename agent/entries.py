"""Agents that write a few entries a step: ReAct with its thoughts, and action only without any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from agent.answers.parsing import Answer, parse_answer
from agent.asking import REPAIRS, ask_until_read, giving_up
from agent.models.calls import Models
from agent.prompts.briefing import ROLE, ProfiledSettings, as_text, briefing, left
from agent.prompts.transcript import BLOCKS, described, transcript, whole
from agent.protocol import JSON, AgentContext, View
from agent.settings import read_settings
from agent.skills.base import SkillContext, Toolbox
from agent.skills.choice import SKILLS
from environment.records import Decision

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


class EntrySettings(ProfiledSettings):
    """Settings of agents that write entries."""

    skills: bool = Field(default=True, description="composite skills besides the environment's actions")
    history: int = Field(default=3, ge=0, description="past steps in the prompt")
    repairs: int = Field(default=REPAIRS, ge=0, description="attempts after an answer that cannot be read")


class EntryAgent:
    """Answers with entries; remembers only what the parser did not use of its answers.

    Args:
        name: The prefix of its settings.
        context: What it is made from.
        settings: The class of its settings.
        entries: The format: how each entry is asked for.
    """

    def __init__(self, name: str, context: AgentContext, settings: type[EntrySettings], entries: Sequence[str]) -> None:
        self._settings = read_settings(settings, name, context.settings)
        self._models = Models(context)
        self._toolbox = Toolbox(SKILLS if self._settings.skills else ())
        self._entries = "\n".join(entries)
        self._remarks: dict[str, str] = {}

    def decide(self, view: View) -> Decision:
        """Answer until the answer can be read."""
        session = self._models.session(len(view.steps))
        actions = self._toolbox.offered(view)
        with giving_up(session):
            answer: Answer = ask_until_read(
                session,
                lambda history: self._prompt(view, history),
                lambda text: parse_answer(text, actions),
                history=min(self._settings.history, len(view.steps)),
                repairs=self._settings.repairs,
            )
            if answer.notes:
                self._remarks[str(len(view.steps))] = "; ".join(answer.notes)
            return self._toolbox.decision(answer.action, answer.prose, SkillContext(view, session))

    def state(self) -> JSON:
        """The remarks."""
        return dict(self._remarks)

    def restore(self, state: JSON) -> None:
        """Take up the remarks."""
        self._remarks = {str(step): str(text) for step, text in state.items()} if isinstance(state, dict) else {}

    def _prompt(self, view: View, history: int) -> Sequence[BaseMessage]:
        from langchain_core.messages import HumanMessage, SystemMessage

        if self._settings.is_todays:
            return [SystemMessage(self._standing(view)), HumanMessage(self._so_far(view, history))]
        system = (
            f"Solve this problem as well as you can:\n{view.instruction}\n\nYou can take these actions:\n\n"
            f"{described(self._toolbox.offered(view))}\n\n"
            f"Answer in this format, each entry on a new line:\n{self._entries}"
        )
        steps = transcript(view.steps, last=history, remarks=self._remarks)
        return [SystemMessage(system), HumanMessage(f"{steps}\n\nGo on." if steps else "Begin.")]

    def _standing(self, view: View) -> str:
        """Today's prompt, as far as it is the same at every step."""
        sections = briefing(view, honesty_rules=self._settings.honesty_rules)
        sections["Actions"] = described(self._toolbox.offered(view))
        sections["Format"] = f"Answer with these entries, each on a new line:\n{self._entries}\n\n{BLOCKS}"
        return f"{ROLE} You name one action at a time, and see what came of it.\n\n{as_text(sections)}"

    def _so_far(self, view: View, history: int) -> str:
        steps = transcript(view.steps, last=history, observed=whole, remarks=self._remarks, blocks=True)
        return "\n\n".join(part for part in (steps, f"{left(view)} Give your next answer.") if part)
