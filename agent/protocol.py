"""What an agent is: it sees a view, and decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from environment.actions.spec import ActionSpec
from environment.records import (
    Action,
    Budget,
    Decision,
    Machine,
    ModelCall,
    Observation,
    Remaining,
    Spent,
    Step,
    remaining,
)
from environment.records.experience import Lesson
from tasks_catalog.library.spec import Direction

JSON = JsonValue


@dataclass(frozen=True)
class View:
    """What the agent may know at one step.

    Attributes:
        instruction: The research problem.
        script: The starter script's path in the workspace.
        metric: Name of the task's metric.
        direction: Which way it is better.
        actions: The actions on offer.
        steps: All committed steps, oldest first.
        budget: The limits of the run.
        spent: What has been used of them.
        look: Carries out an action that only reads (List Files, Read File, Inspect Script Lines …)
            without taking a step; other actions are refused.
        artifacts: The files that are graded.
        machine: Says what a script has; it is found out at the first call.
        lessons: What earlier runs showed, as the run's memory holds it.
    """

    instruction: str
    script: str
    metric: str
    direction: Direction
    actions: Sequence[ActionSpec]
    steps: Sequence[Step]
    budget: Budget
    spent: Spent
    look: Callable[[Action], Observation]
    artifacts: Sequence[str] = ()
    machine: Callable[[], Machine] = Machine
    lessons: Sequence[Lesson] = ()

    @property
    def remaining(self) -> Remaining:
        """What is left of the budget."""
        return remaining(self.budget, self.spent)


class Agent(Protocol):
    """Decides one step at a time, and can be stopped and restored between any two."""

    def decide(self, view: View) -> Decision:
        """Say what to do next."""
        ...

    def state(self) -> JSON:
        """All it remembers, as JSON."""
        ...

    def restore(self, state: JSON) -> None:
        """Take up a state that ``state`` returned."""
        ...


class CallRecorder(Protocol):
    """Keeps each paid answer before it is used, so that a crash never pays for it twice.

    The key names the step, the call's position in it and the digest of the prompt.
    """

    def load(self, key: str) -> JSON | None:
        """The recorded answer, or ``None``."""
        ...

    def save(self, key: str, answer: JSON, call: ModelCall) -> None:
        """Keep an answer."""
        ...


@dataclass(frozen=True)
class AgentContext:
    """What an agent is made from.

    Attributes:
        model: ``provider:model`` of the main model; ``None`` for agents that use none.
        fast_model: For summaries; falls back to ``model``.
        edit_model: For edits; falls back to ``model``.
        seed: Seeds every random choice the agent makes.
        settings: The agent's own settings, validated by it.
        calls: Where model answers are kept.
        solution: The reference solution, given to the oracle alone.
        recording: Decisions to repeat, given to the replay agent alone.
        transferred: Scripts of another task's run, by name, given to the transfer agent alone.
        turn: Waits until a call of a provider may begin, and holds its place while the call lasts.
    """

    seed: int = 0
    model: str | None = None
    fast_model: str | None = None
    edit_model: str | None = None
    settings: dict[str, JsonValue] = field(default_factory=dict)
    calls: CallRecorder | None = None
    solution: Path | None = None
    recording: Sequence[Decision] = ()
    transferred: Mapping[str, str] = field(default_factory=dict)
    turn: Callable[[str], AbstractContextManager[None]] = field(default=lambda _: nullcontext())
