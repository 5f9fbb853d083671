"""Whether groups below a folder really hold a limit: a real process is moved into one and runs against it.

That a group can be made and takes a limit says little: below a *domain threaded* group of version 2 it takes no
process in, and within containers limits may be accepted that nobody heeds.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from environment.sandbox.base import Limits
from environment.sandbox.cgroups.group import ControlGroup, Hierarchy, limit
from foundation.sizes import MiB

_SECONDS = 20.0
"""A process that is held may be slow; one that is not has ended long before."""

_BEFORE, _AFTER = "import os, time, _thread; os.write(1, b'.'); os.read(0, 1)\n", "\nos._exit(0)"
"""It is moved when it has started, which would take long within the narrow limits tried here."""


class Overrun(NamedTuple):
    """A limit, a program that goes beyond it, and how it shows that the program was held."""

    limits: Limits
    program: str
    held: Callable[[ControlGroup, int], bool]


def _limits(*, memory: int | None = None, processes: int | None = None, cpus: float | None = None) -> Limits:
    return Limits(memory=memory, processes=processes, cpus=cpus)


OVERRUNS = {
    "memory": Overrun(
        _limits(memory=8 * MiB),  # little, since the kernel fills each page of it; what it had before is not counted
        "held = [b'x' * 2**20 for _ in range(16)]",
        lambda group, code: code == -signal.SIGKILL and bool(group.oom_kills()),
    ),
    "pids": Overrun(
        _limits(processes=4),
        "for _ in range(8): _thread.start_new_thread(time.sleep, (1,))",
        lambda group, _: group.refused_forks() > 0,
    ),
    "cpu": Overrun(
        _limits(cpus=0.05),  # little, so that it is reached on a busy machine as well
        "end = time.process_time() + 0.012\nwhile time.process_time() < end: pass",
        lambda group, _: group.throttled() > 0,
    ),
}
"""By controller."""


def refusal(version: int, controller: str, parent: Path) -> str | None:
    """Why groups below ``parent`` do not hold a limit, or ``None`` where one was seen to.

    On version 2 the controller is handed to the groups below for that, and taken back where it is of no use:
    in a group with processes of its own it would make all groups below unusable, for others too.
    """
    if version == 1:
        return _refusal(version, controller, parent)
    try:
        handed_down = _hand_down(controller, parent)
    except OSError as error:
        return f"does not hand the controller down: {error.strerror}"
    reason = _refusal(version, controller, parent)
    if reason and handed_down:
        with suppress(OSError):
            _subtree_control(parent).write_text(f"-{controller}")
    return reason


def _subtree_control(parent: Path) -> Path:
    return parent / "cgroup.subtree_control"


def _hand_down(controller: str, parent: Path) -> bool:
    """Switch a controller on for the groups below; whether that was necessary."""
    file = _subtree_control(parent)
    if controller in file.read_text().split():
        return False
    file.write_text(f"+{controller}")
    return True


def _refusal(version: int, controller: str, parent: Path) -> str | None:
    trial = OVERRUNS[controller]
    with limit(trial.limits, Hierarchy(version, {controller: parent})) as group:
        if controller in group.enforces:
            try:
                code = _run(trial.program, group)
            except OSError as error:
                return f"cannot be tried: {error}"
            if controller in group.enforces and not trial.held(group, code):
                return "accepts the limit, but does not enforce it"
        return group.refusals.get(controller)


def _run(program: str, group: ControlGroup) -> int:
    """Run a program in the group to its end, and return its exit code."""
    command = [sys.executable, "-I", "-S", "-c", _BEFORE + program + _AFTER]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, env={}) as process:
        if process.stdout:
            process.stdout.read(1)
        group.add(process.pid)
        if not group.enforces:
            process.kill()
        try:
            process.communicate(b"\n", timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.returncode
