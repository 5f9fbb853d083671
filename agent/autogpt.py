"""AutoGPT: thoughts, reasoning, plan and criticism as one JSON object, and a running memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field, JsonValue

from agent.answers.lenient_json import NotAnObjectError, read_object
from agent.answers.parsing import Answer, AnswerError, read_action
from agent.asking import REPAIRS, ask_until_read, giving_up
from agent.models.calls import Models, ModelSession
from agent.prompts.briefing import budget, left
from agent.prompts.transcript import cut, described
from agent.protocol import JSON, AgentContext, View
from agent.settings import AgentSettings, read_settings
from agent.skills.base import SkillContext, Toolbox
from agent.skills.choice import SKILLS
from environment.actions.spec import ActionSpec
from environment.records import Decision, Step
from foundation.records import Record

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

THOUGHTS = ("text", "reasoning", "plan", "criticism", "speak")
_FORMAT = """Answer with one JSON object and nothing else:
{
    "thoughts": {
        "text": "what you think",
        "reasoning": "why",
        "plan": "- the next things to do\\n- one a line",
        "criticism": "what is wrong with it, or could go wrong",
        "speak": "one sentence for a person who looks on"
    },
    "command": {"name": "name of an action", "args": {"name of an argument": "its value"}}
}"""


class AutoGptSettings(AgentSettings):
    """Settings of ``autogpt``."""

    skills: bool = Field(default=True, description="composite skills besides the environment's actions")
    history: int = Field(default=5, ge=0, description="past events in the prompt; older ones go into the memory")
    repairs: int = Field(default=REPAIRS, ge=0, description="attempts after an answer that cannot be read")


class AutoGptState(Record):
    """Memory of the events that left the prompt, how many they are, and remarks on answers by step number."""

    memory: str = ""
    remembered: int = 0
    remarks: dict[str, str] = Field(default_factory=dict)


class AutoGptAgent:
    """Thinks in JSON; what leaves its prompt is summarised into its memory."""

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(AutoGptSettings, "autogpt", context.settings)
        self._models = Models(context)
        self._toolbox = Toolbox(SKILLS if self._settings.skills else ())
        self._state = AutoGptState()

    def decide(self, view: View) -> Decision:
        """Bring the memory up to date, and answer until the answer can be read."""
        session = self._models.session(len(view.steps))
        actions = self._toolbox.offered(view)
        with giving_up(session):
            self._remember(view, session)
            answer: Answer = ask_until_read(
                session,
                lambda history: self._prompt(view, actions, history),
                lambda text: read_command(text, actions),
                history=self._settings.history,
                repairs=self._settings.repairs,
            )
            if answer.notes:
                remarks = {**self._state.remarks, str(len(view.steps)): "; ".join(answer.notes)}
                self._state = self._state.model_copy(update={"remarks": remarks})
            return self._toolbox.decision(answer.action, answer.prose, SkillContext(view, session))

    def state(self) -> JSON:
        """The memory."""
        return self._state.model_dump(mode="json")

    def restore(self, state: JSON) -> None:
        """Take up the memory."""
        self._state = AutoGptState.model_validate(state)

    def _remember(self, view: View, session: ModelSession) -> None:
        """Summarise what leaves the prompt now into the memory."""
        leaving = view.steps[self._state.remembered : max(len(view.steps) - self._settings.history, 0)]
        if not leaving:
            return
        events = "\n\n".join(self._event(step) for step in leaving)
        memory = session.text(
            "fast",
            f"This is the memory of a researcher:\n{self._state.memory or '(empty)'}\n\n"
            f"These events are new:\n{events}\n\n"
            "Write the memory anew with what they add: what was done, with which result, and what was learnt. Keep "
            "numbers exactly as written; leave out what no longer matters.",
        )
        update = {"memory": memory, "remembered": self._state.remembered + len(leaving)}
        self._state = self._state.model_copy(update=update)

    def _prompt(self, view: View, actions: Sequence[ActionSpec], history: int) -> Sequence[BaseMessage]:
        from langchain_core.messages import HumanMessage, SystemMessage

        system = (
            "You are an autonomous researcher in machine learning. You decide alone and act through commands. Be "
            f"critical of what you did, and state no result that no run has printed.\n\nYour goal:\n{view.instruction}"
            f"\n\nYour budget:\n{budget(view)}\n\nYour commands, with their args:\n\n{described(actions)}\n\n{_FORMAT}"
        )
        shown = view.steps[max(len(view.steps) - history, 0) :]
        parts = [f"Your memory:\n{self._state.memory}"] if self._state.memory else []
        parts += [self._event(step) for step in shown]
        return [
            SystemMessage(system),
            HumanMessage("\n\n".join([*parts, f"{left(view)} Which command do you use next?"])),
        ]

    def _event(self, step: Step) -> str:
        remark = self._state.remarks.get(str(step.n))
        note = f"\n(Note on your answer: {remark})" if remark else ""
        command = {"name": step.decision.action.name, "args": step.decision.action.args}
        said = json.dumps({"thoughts": step.decision.prose, "command": command}, ensure_ascii=False)
        return f"{said}\nResult:\n{cut(step)}{note}"


def read_command(text: str, actions: Sequence[ActionSpec]) -> Answer:
    """Read the first JSON object of an answer.

    Raises:
        AnswerError: There is none, or it has no command that can be carried out.
    """
    start = text.find("{")
    if start < 0:
        raise AnswerError("there is no JSON object")
    try:
        found = read_object(text, start).value
    except NotAnObjectError as error:
        raise AnswerError(f"the JSON object cannot be read: {error}") from error
    command = found.get("command")
    name, args = (command.get("name"), command.get("args", {})) if isinstance(command, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(args, dict):
        raise AnswerError('there is no "command" with a "name" and an object "args"')
    action, notes = read_action(name, args, actions)
    return Answer(prose=_prose(found.get("thoughts")), action=action, notes=notes)


def _prose(thoughts: JsonValue) -> dict[str, str]:
    if isinstance(thoughts, str):
        return {"text": thoughts}
    if not isinstance(thoughts, dict):
        return {}
    return {name: _as_text(thoughts[name]) for name in THOUGHTS if thoughts.get(name)}


def _as_text(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(f"- {_as_text(item)}" for item in value)
    return json.dumps(value, ensure_ascii=False)
