"""An agent whose script looks at its cards for a while."""

from __future__ import annotations

from agent.commands import execute_script, final_answer, write_file
from agent.protocol import AgentContext, View
from environment.records.run import Decision
from tests.flows.agents import Stateless

LOOKS = """
import subprocess, time
print(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout)
time.sleep(0.5)
"""


class Looking(Stateless):
    """Writes the script, runs it, runs the starter, submits."""

    def __init__(self, context: AgentContext) -> None:
        del context

    def decide(self, view: View) -> Decision:
        actions = (
            write_file("look.py", LOOKS),
            execute_script("look.py"),
            execute_script(view.script),
            final_answer("Done."),
        )
        return Decision(action=actions[len(view.steps)])
