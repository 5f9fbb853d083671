"""An agent of the sweep tests: by its seed it works, fails, takes its process down, or is held."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from agent.commands import final_answer, write_file
from agent.protocol import AgentContext, View
from environment.records import Decision
from tests.flows.agents import Stateless

FAILS, KILLED_ONCE, UNLUCKY_ONCE = 3, 5, 7


class Scripted(Stateless):
    """Writes a file, then submits; leaves a line for each decision in the folder it is told."""

    def __init__(self, context: AgentContext) -> None:
        self.seed = context.seed
        self.notes = Path(os.environ["MLAB_TEST_NOTES"])

    def decide(self, view: View) -> Decision:
        step = len(view.steps)
        with (self.notes / f"seed-{self.seed}").open("a") as notes:
            notes.write(f"{step}\n")
        while (self.notes / f"held-{self.seed}").exists():
            time.sleep(0.05)
        if self.seed == FAILS and step == 1:
            raise ValueError("a mistake of the agent")
        if self.seed == KILLED_ONCE and step == 1 and self._first_time():
            os.kill(os.getpid(), signal.SIGKILL)
        if self.seed == UNLUCKY_ONCE and step == 1 and self._first_time():
            raise ConnectionError("the network went away")
        if step == 0:
            return Decision(action=write_file("note.txt", f"seed {self.seed}"))
        return Decision(action=final_answer("Done."))

    def _first_time(self) -> bool:
        marker = self.notes / f"accident-{self.seed}"
        if marker.exists():
            return False
        marker.touch()
        return True
