"""A command that is stopped while it still imports what it needs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

STOPPED = """
import os, sys
number, module = int(sys.argv[1]), sys.argv[2]

class Stops:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), number)

sys.meta_path.insert(0, Stops())
sys.argv[1:] = ["list", "agents"]
from flows.cli.app import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("importing", ["typer", "flows.cli.commands.listing"])
def test_a_command_stopped_early_says_so(number: signal.Signals, importing: str) -> None:
    command = [sys.executable, "-c", STOPPED, str(int(number)), importing]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "Interrupted.\n")
