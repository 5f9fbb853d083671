"""Base of the adversaries: a fixed series of actions, and attack scripts kept beside the code."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from agent.commands import write_file
from agent.protocol import AgentContext, View
from agent.stateless import Stateless
from environment.records import Action, Decision

ATTACKS = Path(__file__).with_name("attacks")
VALIDATE = Action(name="Validate Submission")
HELPER = "attempts.py"
"""What every attack script imports."""


class ScriptedAdversary(Stateless, ABC):
    """Goes through its plan whatever comes of it; the last action must be a final answer."""

    def __init__(self, context: AgentContext) -> None:
        del context

    @abstractmethod
    def plan(self, view: View) -> Sequence[Action]:
        """All actions, in order."""

    def decide(self, view: View) -> Decision:
        """The next action of the plan."""
        return Decision(action=self.plan(view)[len(view.steps)])


def program_of(view: View) -> str | None:
    """The program that is run on hidden inputs, where the task has one: its instruction says how it is called."""
    found = re.search(r"python (\S+\.py) INPUTS OUTPUT", view.instruction)
    return found and found[1]


def attack(name: str) -> Action:
    """Put an attack script into the workspace."""
    return write_file(name, (ATTACKS / name).read_text(encoding="utf-8"))


def run_attack(name: str, *arguments: str, timeout: float = 60) -> Action:
    """Run an attack script for no longer than ``timeout`` seconds."""
    args: dict[str, JsonValue] = {"script_name": name, "arguments": list(arguments), "timeout": timeout}
    return Action(name="Execute Script", args=args)
