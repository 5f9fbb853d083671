"""The proof that a task can be solved: lays the reference solution over the starter, and submits."""

from __future__ import annotations

from pathlib import Path

from agent.commands import execute_script, final_answer, write_file
from agent.errors import AgentError
from agent.protocol import AgentContext, View
from agent.stateless import Stateless
from environment.records import Decision


class OracleAgent(Stateless):
    """Writes each file of the reference solution through ordinary actions, runs the script, submits.

    Raises:
        AgentError: The context holds no reference solution.
    """

    def __init__(self, context: AgentContext) -> None:
        if context.solution is None:
            raise AgentError(
                "The oracle needs the task's reference solution, and this task has none",
                hint="Add a solution/ folder to the task, or choose another agent",
            )
        self._solution = context.solution

    def decide(self, view: View) -> Decision:
        """Write the next file; after the last one run the script, then submit."""
        files = solution_files(self._solution)
        n = len(view.steps)
        if n < len(files):
            name = files[n].relative_to(self._solution).as_posix()
            thought = f"I write {name} of the reference solution."
            return Decision(prose={"thought": thought}, action=write_file(name, files[n].read_text(encoding="utf-8")))
        if n == len(files):
            thought = f"I run {view.script} of the reference solution."
            return Decision(prose={"thought": thought}, action=execute_script(view.script))
        outcome = view.steps[-1].effect.observation.outcome
        return Decision(action=final_answer(f"The reference solution was run once: {outcome}."))


def solution_files(folder: Path) -> list[Path]:
    """The files of a solution in a stable order, without what Python leaves behind."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
