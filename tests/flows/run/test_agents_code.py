"""What an agent's own code raises, forks and leaves running is told, or ends with the run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import psutil
import pytest

from environment.store import RunKeys
from tests.flows.command import SLOPE, mlab, only_run

UNSENDABLE = """
from tests.flows.agents import SubmitsNothing

class Plain(SubmitsNothing):
    def decide(self, view):
        raise ValueError("boom \\udcff")

class Behind(SubmitsNothing):
    def decide(self, view):
        try:
            raise ValueError("boom \\udcff")
        except ValueError as error:
            raise RuntimeError("boom too") from error
"""


@pytest.mark.parametrize(
    ("name", "said"), [("Plain", "ValueError: boom \\udcff"), ("Behind", "RuntimeError: boom too")]
)
@pytest.mark.usefixtures("mlab_environment")
def test_what_no_utf_8_can_hold_is_told_escaped(home: Path, tmp_path: Path, name: str, said: str) -> None:
    file = tmp_path / "unsendable.py"
    file.write_text(UNSENDABLE)
    failed = mlab("run", str(SLOPE), "--agent", f"{file}:{name}")
    told = failed.stderr.replace("\n", " ")
    assert failed.returncode == 3, told
    assert f"{said} (" in told
    assert "unsendable.py, line " in told
    assert "UnicodeEncodeError" not in told
    assert "agent_error.txt" in told
    kept = (home / "store" / RunKeys(run_id=only_run(home)).agent_error).read_text()
    assert "ValueError: boom \\udcff" in kept


MISTAKEN = """
import sys
from tests.flows.agents import SubmitsNothing

class Exits(SubmitsNothing):
    def decide(self, view):
        sys.exit(0)

class BadState(SubmitsNothing):
    def state(self):
        return {1, 2}
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Exits", r"decide\(\) of {agent} wanted to end the process: SystemExit: 0 \({file}, line 7, in decide\)"),
        ("BadState", r"state\(\) of {agent} must return JSON: .*set"),
    ],
)
@pytest.mark.usefixtures("mlab_environment")
def test_what_an_agent_must_not_do_fails_like_any_mistake(home: Path, tmp_path: Path, name: str, told: str) -> None:
    file = tmp_path / "mistaken.py"
    file.write_text(MISTAKEN)
    agent = f"{file}:{name}"
    failed = mlab("run", str(SLOPE), "--agent", agent)
    assert failed.returncode == 3, failed.stderr
    assert re.search(told.format(agent=re.escape(agent), file=re.escape(str(file))), failed.stderr), failed.stderr
    assert f"mlab resume {only_run(home)}" in failed.stderr


FORKS = """
import os
from pathlib import Path
from tests.flows.agents import SubmitsNothing

def fork():
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        with Path(__file__).with_name("ended").open("a") as file:
            print(os.waitstatus_to_exitcode(status), file=file)

class Forks(SubmitsNothing):
    def __init__(self):
        fork()

    def decide(self, view):
        own = os.getpid()
        fork()
        if os.getpid() == own:
            fork()
            if os.getpid() != own:
                raise ValueError("in the child")
        return super().decide(view)
"""


@pytest.mark.usefixtures("mlab_environment")
def test_a_copy_of_the_process_that_an_agent_forks_ends_with_what_it_was_asked_for(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "forks.py"
    file.write_text(FORKS)
    done = mlab("run", str(SLOPE), "--agent", f"{file}:Forks", "--json")
    assert json.loads(done.stdout)["steps"] == 1, done.stderr
    assert (tmp_path / "ended").read_text().split() == ["0"] * 3, "one constructed, one returned, one raised"
    assert not (home / "store" / RunKeys(run_id=only_run(home)).agent_error).exists()


LEAVES = """
import os, subprocess, time
from pathlib import Path
from tests.flows.agents import SubmitsNothing

def left(how):
    return Path(__file__).with_name(f"{how}.pid")

def copy_itself():
    if child := os.fork():
        left("copied").write_text(str(child))
    else:
        time.sleep(300)

def copy_itself_detached():
    if child := os.fork():
        os.waitpid(child, 0)
        return
    os.setsid()
    if child := os.fork():
        left("detached").write_text(str(child))
        os._exit(0)
    time.sleep(300)

def start_a_program(how):
    subprocess.run(["sh", "-c", f"setsid sleep 300 & echo $! > {left(how)}"], check=True)

class Leaves(SubmitsNothing):
    def __init__(self):
        start_a_program("constructed")

    def decide(self, view):
        copy_itself()
        copy_itself_detached()
        start_a_program("decided")
        return super().decide(view)
"""


@pytest.mark.usefixtures("mlab_environment")
def test_what_an_agent_leaves_running_ends_with_the_run(tmp_path: Path) -> None:
    file = tmp_path / "leaves.py"
    file.write_text(LEAVES)
    done = mlab("run", str(SLOPE), "--agent", f"{file}:Leaves", "--json", timeout=100)
    assert json.loads(done.stdout)["steps"] == 1, done.stderr
    left = {path.stem: int(path.read_text()) for path in tmp_path.glob("*.pid")}
    assert set(left) == {"constructed", "copied", "detached", "decided"}
    assert [how for how, process in left.items() if psutil.pid_exists(process)] == []
