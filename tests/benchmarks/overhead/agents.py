"""Agents that think for no time at all."""

from __future__ import annotations

from agent.commands import execute_script, final_answer, write_file
from agent.protocol import JSON, AgentContext, View
from environment.records import Decision

PROSE = {"thought": "The last change helped a little, so I change the same line again and see. " * 3}


class Writes:
    """Changes a file in each step; ends with the run's budget of steps, or after the setting ``steps``."""

    def __init__(self, context: AgentContext) -> None:
        self.steps = context.settings.get("steps")

    def state(self) -> JSON:
        return None

    def restore(self, state: JSON) -> None:
        pass

    def decide(self, view: View) -> Decision:
        n = len(view.steps)
        if n == self.steps:
            return Decision(action=final_answer("Done."))
        return Decision(prose=PROSE, action=write_file("note.txt", f"step {n}\n" * 20))


class Runs(Writes):
    """Runs the starter script in each step."""

    def decide(self, view: View) -> Decision:
        return Decision(prose=PROSE, action=execute_script(view.script))
