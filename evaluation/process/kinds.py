"""What kind of action a step took, under the names that agents and foreign logs use."""

from __future__ import annotations

import re
from enum import StrEnum

from environment.records import Outcome, Step


class ActionKind(StrEnum):
    """What an action is for."""

    READ = "read"
    EDIT = "edit"
    EXECUTE = "execute"
    REFLECT = "reflect"
    ASK = "ask"
    SUBMIT = "submit"
    OTHER = "other"


_KINDS: tuple[tuple[ActionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (ActionKind.SUBMIT, r"final answer|^submit"),
        (ActionKind.EXECUTE, r"execute|^run\b|repl|^python\b|^torchrun\b|^accelerate\b|validate"),
        (ActionKind.REFLECT, r"reflection|research log|^think"),
        (ActionKind.EDIT, r"edit|write|append|copy|undo|patch|^create\b|^insert\b|^mv\b|^cp\b|^rm\b"),
        (
            ActionKind.READ,
            r"list|read|inspect|^check|understand|search|^ls\b|^cat\b|^open\b|^goto\b|scroll|find|^head\b",
        ),
        (ActionKind.ASK, r"help|^ask"),
    )
)


def kind_of(step: Step) -> ActionKind:
    """The kind of a step; one that started a training run executed, whatever its action is called."""
    if step.effect.final:
        return ActionKind.SUBMIT
    if step.effect.training_run is not None:
        return ActionKind.EXECUTE
    name = step.decision.action.name
    return next((kind for kind, pattern in _KINDS if pattern.search(name)), ActionKind.OTHER)


def succeeded(step: Step) -> bool:
    """Whether the step's action did what it was meant to."""
    run = step.effect.training_run
    return run.succeeded if run is not None else step.effect.observation.outcome is Outcome.OK


def executed(steps: list[Step]) -> list[Step]:
    """The steps that ran a script as a training run."""
    return [step for step in steps if step.effect.training_run is not None]
