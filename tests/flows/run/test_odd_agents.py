"""Agents that end oddly, or leave this process other than it was: their failure, and nobody else's."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from prefect.exceptions import MissingResult, TerminationSignal

from environment.store import RunKeys
from foundation.faults import is_fault
from tests.flows.command import SLOPE, mlab, mlab_json, only_run
from tests.flows.sweeping import sweep_json, write_sweep

ODD = """
import asyncio, os, sys
from agent.nop import NopAgent
from tests.flows.agents import SubmitsNothing

class Cancels(SubmitsNothing):
    def decide(self, view):
        raise asyncio.CancelledError

class Closes(SubmitsNothing):
    def state(self):
        raise GeneratorExit("over")

class Own(SubmitsNothing):
    def decide(self, view):
        class Odd(BaseException): ...
        raise Odd("boom \\udcff")

class Silent(NopAgent):
    def decide(self, view):
        sys.stdout = sys.stderr = None
        os.chdir("/")
        os.environ.pop("HOME", None)
        return super().decide(view)

class Shuts(NopAgent):
    def __init__(self, context):
        super().__init__(context)
        with sys.stderr:
            print("said by the constructor")

    def decide(self, view):
        print("said before")
        sys.stdout.buffer.close()
        sys.__stdout__.close()
        sys.stdout.detach()
        sys.stdout.close()
        sys.stderr.close()
        os.close(1)
        os.close(2)
        return super().decide(view)
"""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    file = tmp_path / "odd.py"
    file.write_text(ODD)
    return file


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Cancels", r"decide\(\) of {agent} raised .*: CancelledError \({file}, line 8, in decide\)"),
        ("Closes", r"state\(\) of {agent} raised .*: GeneratorExit: over \({file}, line 12, in state\)"),
        ("Own", r"decide\(\) of {agent} raised .*: Odd: boom \\udcff \({file}, line 17, in decide\)"),
    ],
)
@pytest.mark.usefixtures("mlab_environment")
def test_what_an_agent_raises_is_its_mistake_whatever_its_kind(home: Path, odd: Path, name: str, told: str) -> None:
    failed = mlab("run", str(SLOPE), "--agent", f"{odd}:{name}")
    assert failed.returncode == 3, failed.stderr
    expected = told.format(agent=re.escape(f"{odd}:{name}"), file=re.escape(str(odd)))
    assert re.search(expected, failed.stderr), failed.stderr
    assert "Traceback" not in failed.stderr
    assert f"mlab resume {only_run(home)}" in failed.stderr
    kept = (home / "store" / RunKeys(run_id=only_run(home)).agent_error).read_text()
    assert f", line {re.findall('line ([0-9]+)', told)[0]}, in " in kept


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("mlab_environment")
def test_in_a_sweep_it_is_the_agents_failure_and_never_tried_again(tmp_path: Path, odd: Path) -> None:
    report = sweep_json(write_sweep(tmp_path, agents=[f"{odd}:Cancels"]), "--local", "1")
    (cell,) = report["cells"]
    assert (cell["state"], cell["failure"]["kind"], cell["attempts"]) == ("agent failed", "agent", 1)
    assert "CancelledError" in cell["failure"]["message"]


@pytest.mark.parametrize("name", ["Silent", "Shuts"])
@pytest.mark.usefixtures("mlab_environment")
def test_a_run_is_told_whatever_became_of_the_streams_in_its_agents_hands(odd: Path, name: str) -> None:
    done = mlab("run", str(SLOPE), "--agent", f"{odd}:{name}")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert "final answer" in done.stdout
    assert name == "Silent" or "said before" in done.stdout
    assert mlab_json("run", str(SLOPE), "--agent", f"{odd}:{name}", "--seed", "1")["steps"] == 2


def test_what_stops_a_run_from_outside_is_no_mistake_of_whom_it_interrupts() -> None:
    assert not is_fault(KeyboardInterrupt())
    assert not is_fault(TerminationSignal(15))
    assert is_fault(asyncio.CancelledError())
    assert is_fault(MissingResult())
