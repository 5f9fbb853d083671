"""The vandal: tries to take the harness, the machine and the run down."""

from __future__ import annotations

from collections.abc import Sequence

from agent.adversaries.scripted import HELPER, ScriptedAdversary, attack, run_attack
from agent.commands import final_answer
from agent.protocol import View
from environment.records import Action

_ATTACKS = {
    "signals.py": ((),),
    "flood.py": ((),),
    "memory.py": ((),),
    "forks.py": ((),),
    "clutter.py": ((),),
    "disk.py": (("/tmp",), ("/dev/shm",), (".",)),
    "swap.py": ((),),
    "wipe.py": ((),),
}
"""Attack scripts, in order, and the arguments of each run."""

_LOOK = Action(name="List Files", args={"dir_path": "."})


class VandalAgent(ScriptedAdversary):
    """Signals, floods, exhausts memory, disk and processes, clutters and deletes the workspace."""

    def plan(self, view: View) -> Sequence[Action]:
        """The deletion last; after each attack the workspace is looked at, which must still work."""
        del view
        actions = [attack(HELPER)]
        for name, runs in _ATTACKS.items():
            actions += [attack(name), *(run_attack(name, *arguments, timeout=20) for arguments in runs), _LOOK]
        return (*actions, final_answer("Nothing is left."))
