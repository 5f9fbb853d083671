"""Composite skills: actions of an agent that are made of looks, model calls and ordinary actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import JsonValue, ValidationError

from agent.errors import SkillError
from agent.models.calls import ModelSession
from agent.protocol import View
from environment.actions.spec import ActionInput, ActionSpec, describe
from environment.records import Action, Decision, Observation, Outcome
from foundation.validation import faults

Input = TypeVar("Input", bound=ActionInput)


@dataclass
class SkillContext:
    """What a skill may use.

    Attributes:
        view: What the agent sees.
        session: Where its model calls are made.
        log: The research log; a skill may add to it.
    """

    view: View
    session: ModelSession
    log: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Skill(Generic[Input]):
    """One skill.

    Its handler returns the text of the observation, or the action that carries the skill out, or raises
    ``SkillError``.
    """

    name: str
    description: str
    returns: str
    input: type[Input]
    handler: Callable[[SkillContext, Input], str | Action]

    def spec(self) -> ActionSpec:
        """The skill as it is offered beside the actions of the environment."""
        return describe(self.name, self.description, self.returns, self.input)

    def use(self, context: SkillContext, args: Mapping[str, JsonValue]) -> Observation | Action:
        """Check the arguments and carry the skill out; what is wrong with them is the observation."""
        try:
            arguments = self.input.model_validate(dict(args))
        except ValidationError as error:
            wrong = "; ".join(faults(error))
            text = f"The arguments of {self.name} are wrong; nothing was done. {wrong}"
            return Observation(text=text, outcome=Outcome.REFUSED)
        try:
            done = self.handler(context, arguments)
        except SkillError as error:
            return Observation(text=error.message, outcome=Outcome.FAILED)
        return done if isinstance(done, Action) else Observation(text=done)


class Toolbox:
    """The actions an agent may name: the environment's and its own skills."""

    def __init__(self, skills: Sequence[Skill[Any]]) -> None:
        self._skills = {skill.name: skill for skill in skills}

    def offered(self, view: View) -> list[ActionSpec]:
        """All of them, the environment's first and Final Answer last."""
        actions = [spec for spec in view.actions if spec.name not in self._skills]
        skills = [skill.spec() for skill in self._skills.values()]
        return [*actions[:-1], *skills, *actions[-1:]]

    def decision(self, action: Action, prose: Mapping[str, str], context: SkillContext) -> Decision:
        """The decision to take an action; a skill is carried out here, up to its last action."""
        skill = self._skills.get(action.name)
        done = skill.use(context, action.args) if skill else None
        return Decision(
            prose=dict(prose),
            action=action,
            performs=done if isinstance(done, Action) else None,
            answer=done if isinstance(done, Observation) else None,
            calls=tuple(context.session.calls),
        )
