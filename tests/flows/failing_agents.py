"""An agent that fails at step 5 as long as something is missing."""

from __future__ import annotations

import os
from pathlib import Path

from agent.commands import execute_script, final_answer, write_file
from agent.protocol import View
from environment.records import Decision
from tests.flows.agents import Stateless

FAILS_AT, STEPS = 5, 8


class FailsAtFive(Stateless):
    """Writes and runs in turns; step 5 raises while the file that ``MLAB_TEST_MARKER`` names is missing."""

    def decide(self, view: View) -> Decision:
        n = len(view.steps)
        if n == FAILS_AT and not Path(os.environ["MLAB_TEST_MARKER"]).exists():
            raise ConnectionError("the model's server went away")
        if n == STEPS - 1:
            return Decision(action=final_answer("Done."))
        if n % 2:
            return Decision(action=execute_script(view.script))
        return Decision(prose={"thought": f"note {n}"}, action=write_file("note.txt", f"step {n}"))
