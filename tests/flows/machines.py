"""Machines of a small network: each in namespaces of its own for network, processes and host name."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

BRIDGE = "mlab-test0"
HOST = "10.213.77.1"
"""Where the servers listen, as seen from every machine."""


def missing() -> str | None:
    """Why there can be no such network here, or ``None``."""
    if os.getuid() != 0:
        return "needs root to make network namespaces"
    absent = [name for name in ("ip", "unshare") if shutil.which(name) is None]
    if absent:
        return f"not installed: {', '.join(absent)}"
    made = subprocess.run(["ip", "link", "add", f"{BRIDGE}p", "type", "bridge"], capture_output=True, check=False)
    if made.returncode:
        return "no network namespaces here"
    _ip("link", "delete", f"{BRIDGE}p")
    return None


@dataclass
class Machine:
    """One machine: a worker runs on it until it is switched off."""

    name: str
    number: int
    worker: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def cable(self) -> str:
        """Its end of the network at the switch."""
        return f"mlab-test{self.number}"

    def start_worker(self, variables: Mapping[str, str], log: Path) -> None:
        """Start a process worker of the pool ``mlab``, two runs at once."""
        # Another pid namespace makes it another machine for leases; all in it ends with its first process.
        inside = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts"]
        worker = ["prefect", "worker", "start", "--pool", "mlab", "--type", "process"]
        options = ["--limit", "2", "--install-policy", "never", "--name", self.name]
        command = ["ip", "netns", "exec", self.name, *inside, sys.executable, "-m", *worker, *options]
        with log.open("ab") as output:
            self.worker = subprocess.Popen(
                command, env=dict(variables), stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=log.parent
            )

    def cut_off(self) -> None:
        """Pull the cable."""
        _ip("link", "set", self.cable, "down")

    def plug_in(self) -> None:
        """Put it back."""
        _ip("link", "set", self.cable, "up")

    def switch_off(self) -> None:
        """Kill all that runs on it, at once and without a word."""
        if self.worker is None:
            return
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(self.worker.pid)
            for member in [*process.children(recursive=True), process]:
                with suppress(psutil.NoSuchProcess):
                    member.send_signal(signal.SIGKILL)
        self.worker.wait()
        self.worker = None


@contextmanager
def machines(*names: str) -> Iterator[list[Machine]]:
    """Machines on one network with this one, which is ``HOST`` to them."""
    _clear(names)
    with ExitStack() as stack:
        _ip("link", "add", BRIDGE, "type", "bridge")
        stack.callback(_ip, "link", "delete", BRIDGE)
        _ip("addr", "add", f"{HOST}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        yield [stack.enter_context(_machine(name, number)) for number, name in enumerate(names, start=1)]


def _clear(names: Iterable[str]) -> None:
    """Take away what a test that was killed has left."""
    for left in (["link", "delete", BRIDGE], *(["netns", "delete", name] for name in names)):
        subprocess.run(["ip", *left], capture_output=True, check=False)


@contextmanager
def _machine(name: str, number: int) -> Iterator[Machine]:
    machine = Machine(name, number)
    _ip("netns", "add", name)
    try:
        _ip("link", "add", machine.cable, "type", "veth", "peer", "name", "eth0", "netns", name)
        _ip("link", "set", machine.cable, "master", BRIDGE, "up")
        _ip("-n", name, "addr", "add", f"{HOST.rpartition('.')[0]}.{10 + number}/24", "dev", "eth0")
        _ip("-n", name, "link", "set", "eth0", "up")
        _ip("-n", name, "link", "set", "lo", "up")
        yield machine
    finally:
        machine.switch_off()
        # A namespace goes some time after it is deleted, and its cable with it: the next machine needs the name.
        subprocess.run(["ip", "link", "delete", machine.cable], capture_output=True, check=False)
        _ip("netns", "delete", name)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
