"""The paper's research agent: reflects, plans, checks its facts, thinks, and acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.answers.parsing import parse_answer
from agent.asking import ask_until_read, giving_up
from agent.models.calls import Models, ModelSession
from agent.prompts.transcript import transcript
from agent.protocol import JSON, AgentContext, View
from agent.research.memory import Memory, MemoryState
from agent.research.prompt import step_sections, system_sections
from agent.research.settings import ResearchSettings
from agent.settings import read_settings
from agent.skills.base import SkillContext, Toolbox
from agent.skills.choice import LOG_SKILLS, SKILLS
from environment.records import Decision

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


class ResearchAgent:
    """One answer a step, in entries; the last steps in the prompt, older ones in the Research Log."""

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(ResearchSettings, "research", context.settings)
        self._models = Models(context)
        self._memory = Memory(self._settings)
        log_skills = LOG_SKILLS if self._settings.log else ()
        self._toolbox = Toolbox((*SKILLS, *log_skills) if self._settings.skills else ())

    def decide(self, view: View) -> Decision:
        """Take in what came back, and answer until the answer can be read."""
        session = self._models.session(len(view.steps))
        with giving_up(session):
            self._memory.learn(view, session)
            recalled = self._memory.recall(view, session)
            actions = self._toolbox.offered(view)
            answer = ask_until_read(
                session,
                lambda history: self._prompt(view, recalled, history),
                lambda text: parse_answer(text, actions),
                history=self._settings.shown(view.steps, self._memory.observed),
                repairs=self._settings.repairs,
            )
            self._memory.remark(len(view.steps), answer.notes)
            return self._toolbox.decision(answer.action, answer.prose, self._skill_context(view, session))

    def state(self) -> JSON:
        """Log, summaries and remarks."""
        return self._memory.state().model_dump(mode="json")

    def restore(self, state: JSON) -> None:
        """Take up the memory."""
        self._memory.restore(MemoryState.model_validate(state))

    def _prompt(self, view: View, recalled: str, history: int) -> Sequence[BaseMessage]:
        from langchain_core.messages import HumanMessage, SystemMessage

        memory, is_todays = self._memory, self._settings.is_todays
        steps = transcript(view.steps, last=history, observed=memory.observed, remarks=memory.remarks, blocks=is_todays)
        system = system_sections(view, self._toolbox.offered(view), self._settings)
        complete = history >= len(view.steps)
        step = step_sections(view, self._settings, recalled=recalled, steps=steps, complete=complete)
        return [SystemMessage("\n\n".join(system.values())), HumanMessage("\n\n".join(step.values()))]

    def _skill_context(self, view: View, session: ModelSession) -> SkillContext:
        return SkillContext(view, session, self._memory.log)
