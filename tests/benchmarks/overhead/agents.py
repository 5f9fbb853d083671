"""Agents that think for no time at all."""

from __future__ import annotations

from agent.commands import execute_script, final_answer, write_file
from agent.protocol import JSON, AgentContext, View
from environment.records import Decision

PROSE = {"thought": "The last change helped a little, so I change the same line again and see. " * 3}

WAITS = """import time
for epoch in range(5):
    time.sleep(0.1)
    print(f"epoch {epoch}: validation MAE: {1 / (1 + epoch):.4f} at {time.time():.3f}")
"""


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
    """Runs a script of half a second in each step but the first, which writes it."""

    def decide(self, view: View) -> Decision:
        if not view.steps:
            return Decision(action=write_file("wait.py", WAITS))
        return Decision(prose=PROSE, action=execute_script("wait.py"))
