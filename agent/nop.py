"""The baseline: runs the starter script as it is, and submits."""

from __future__ import annotations

from agent.commands import execute_script, final_answer
from agent.protocol import AgentContext, View
from agent.stateless import Stateless
from environment.records import Decision


class NopAgent(Stateless):
    """Changes nothing; its score is the task's baseline."""

    def __init__(self, context: AgentContext) -> None:
        del context

    def decide(self, view: View) -> Decision:
        """Execute the starter, then submit."""
        if not view.steps:
            thought = f"I run the starter script {view.script} unchanged."
            return Decision(prose={"thought": thought}, action=execute_script(view.script))
        outcome = view.steps[-1].effect.observation.outcome
        return Decision(action=final_answer(f"The unchanged starter script {view.script} was run once: {outcome}."))
