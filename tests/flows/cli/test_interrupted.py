"""A command that is stopped while it still imports what it needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from environment.journal.lease import RunLease
from environment.store import RunKeys
from tests.flows.cli.damaging import Home
from tests.flows.cli.in_process import command
from tests.flows.command import TUNER

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


BEFORE_IT_BEGINS = """
import os, signal, sys, time
from flows.run import flow

def stopped(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)

flow.open_session = stopped
from flows.cli.app import main
main()
"""


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_that_is_stopped_before_it_is_in_the_store_is_not_to_be_resumed() -> None:
    command = [sys.executable, "-c", BEFORE_IT_BEGINS, *TUNER]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == 3
    assert "Interrupted.\nThe run had not begun" in done.stderr
    assert "mlab resume" not in done.stderr


def test_a_run_that_another_process_works_is_not_resumed_and_that_process_is_named(damaged_home: Home) -> None:
    (damaged_home.root / RunKeys(run_id=damaged_home.victim).result).unlink()
    with RunLease(damaged_home.store, damaged_home.victim):
        done = command("resume", damaged_home.victim)
    assert done.code == 2
    assert f"Run {damaged_home.victim} is being worked by process {os.getpid()} on " in done.printed
    assert "Wait for it or stop it" in " ".join(done.printed.split())
