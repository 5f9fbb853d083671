"""An agent that takes its time, so that something can happen meanwhile."""

from __future__ import annotations

import os
import time
from pathlib import Path

from agent.commands import execute_script, final_answer, write_file
from agent.protocol import AgentContext, View
from environment.records import Decision
from tests.flows.agents import Stateless

SECONDS = 1.0


class Deliberate(Stateless):
    """Four steps, each noted when it is decided."""

    def __init__(self, context: AgentContext) -> None:
        self._notes = Path(os.environ["MLAB_TEST_NOTES"]) / f"seed-{context.seed}"

    def decide(self, view: View) -> Decision:
        n = len(view.steps)
        with self._notes.open("a") as notes:
            notes.write(f"{n}\n")
        time.sleep(SECONDS)
        match n:
            case 0 | 2:
                return Decision(action=write_file("note.txt", f"step {n}"))
            case 1:
                return Decision(action=execute_script(view.script))
            case _:
                return Decision(action=final_answer("Done."))
