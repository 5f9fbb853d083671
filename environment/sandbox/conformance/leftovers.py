"""Nothing is left behind: after a command's end, an interrupted harness, and one that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from environment.sandbox import open_sandbox
from environment.sandbox.backends import SANDBOXES
from environment.sandbox.base import Command
from environment.sandbox.conformance.bench import LIMITS, Bench, Suite, require
from environment.sandbox.conformance.endings import DAEMON, beats
from environment.sandbox.owner import Owner

suite = Suite("leftovers")

_HARNESS = """
import signal, sys
from pathlib import Path
from environment.sandbox import Command, Limits, open_sandbox
signal.signal(signal.SIGINT, signal.default_int_handler)
sandbox = open_sandbox(sys.argv[1], label="conformance", unsafe=True)
command = Command(["python", "-c", sys.argv[3]], workspace=Path(sys.argv[2]), limits=Limits(timeout=120))
sandbox.run(command)
"""
_PROJECT = Path(__file__).parents[3]
_GONE_SECONDS = 20.0


def _held(bench: Bench, owner: Owner) -> list[str]:
    """What sandboxes of an owner hold."""
    return [what for what, whose in SANDBOXES.load(bench.sandbox.name).held() if whose == owner]


def _mounts() -> set[str]:
    return {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}


def _stay(mounts: set[str]) -> bool:
    """Whether mounts are still there after a while; those of other programs come and go meanwhile."""
    deadline = time.monotonic() + _GONE_SECONDS
    while mounts & _mounts():
        if time.monotonic() > deadline:
            return True
        time.sleep(0.1)
    return False


@suite.check
def after_the_end(bench: Bench) -> None:
    """After a command no process, mount, control group or container is left."""
    mounts = _mounts()
    bench.python(DAEMON)
    bench.python("import time; time.sleep(60)", limits=LIMITS.model_copy(update={"timeout": 0.5}))
    left = _held(bench, Owner.current())
    require(not left, f"left behind: {left}")
    require(not _stay(_mounts() - mounts), "a mount was left behind")


def _stop_harness(bench: Bench, number: signal.Signals) -> Owner:
    """Run a daemonising command in another harness, stop that by a signal, and see what lives on."""
    beat = bench.workspace / "beat"
    command = [sys.executable, "-c", _HARNESS, bench.sandbox.name, str(bench.workspace), f"{DAEMON}time.sleep(100)"]
    environment = {**os.environ, "PYTHONPATH": str(_PROJECT)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as harness:
        try:
            owner = Owner.of(harness.pid)
            deadline = time.monotonic() + 60
            while not beat.exists():
                require(harness.poll() is None and time.monotonic() < deadline, "the command did not start")
                time.sleep(0.05)
            harness.send_signal(number)
            harness.wait(30)
        finally:
            harness.kill()
    deadline = time.monotonic() + 10
    while beats(beat):
        require(time.monotonic() < deadline, f"the command outlives a harness stopped by {number.name}")
    return owner


@suite.check
def after_interrupt(bench: Bench) -> None:
    """An interrupted harness takes everything with it."""
    owner = _stop_harness(bench, signal.SIGINT)
    left = _held(bench, owner)
    require(not left, f"left behind: {left}")


@suite.check
def after_kill(bench: Bench) -> None:
    """When the harness is killed its command ends at once, and a later harness's first command removes the rest.

    A control group goes once the machine's first process has taken note of the ends in it, which is its own affair.
    """
    owner = _stop_harness(bench, signal.SIGKILL)
    deadline = time.monotonic() + _GONE_SECONDS
    _begin_anew(bench)
    while left := _held(bench, owner):
        require(time.monotonic() < deadline, f"left behind even after later starts: {left}")
        _begin_anew(bench)


def _begin_anew(bench: Bench) -> None:
    """Open a sandbox as a harness does that is just started, and run its first command."""
    sandbox = open_sandbox(bench.sandbox.name, label="conformance", unsafe=True)
    sandbox.run(Command(["python", "-c", ""], workspace=bench.workspace, limits=LIMITS))
