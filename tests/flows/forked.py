"""Processes of the command line that are forked off one which has imported all that a run needs.

Importing takes most of a short command's time. Everything else is as in a process started anew: variables, arguments,
output, exit code, signals, and what is done at the end.
"""

from __future__ import annotations

import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from filelock import FileLock

from tests.flows.fork_server import Request


class Forks:
    """The process that others are forked off: one for all test processes of a session, with which it ends."""

    def __init__(self) -> None:
        session = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
        folder = Path(tempfile.gettempdir()) / f"mlab-forks-{session}"
        folder.mkdir(mode=0o700, exist_ok=True)
        self._socket = str(folder / "socket")
        with FileLock(folder / "lock"):
            if not Path(self._socket).exists():
                self._begin(session)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], terminal: str | None = None) -> Forked:
        """Start one command.

        Args:
            arguments: Those of the command.
            environment: All its variables.
            terminal: What it reads and prints on, in place of files of its own.
        """
        return Forked(self, arguments, environment, terminal)

    def ask(self, request: Request | int) -> int:
        """The process id of a command that is started by this, or the exit code of a process that has ended."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self._socket)
            with connection.makefile("rw") as stream:
                print(json.dumps(request), file=stream, flush=True)
                return int(stream.readline())

    def _begin(self, session: int) -> None:
        command = [sys.executable, "-m", "tests.flows.fork_server", self._socket, str(session)]
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
        assert server.stdout is not None
        with server.stdout as said:
            assert said.readline(), "the server of forks did not begin"


class Forked:
    """A command that runs, with what tests use of :class:`subprocess.Popen`.

    Attributes:
        pid: Its process id.
        returncode: Its exit code, negative where a signal ended it; ``None`` until somebody looked after its end.
    """

    def __init__(
        self, forks: Forks, arguments: Sequence[str], environment: Mapping[str, str], terminal: str | None
    ) -> None:
        self._forks = forks
        self._arguments = list(arguments)
        self._folder = tempfile.TemporaryDirectory(prefix="mlab-forked-")
        self._printed, self._errors = (Path(self._folder.name) / name for name in ("printed", "errors"))
        files = [os.devnull, str(self._printed), str(self._errors)]
        streams = [terminal] * 3 if terminal else files
        self.pid = forks.ask(Request(self._arguments, dict(environment), str(Path.cwd()), streams))
        self.returncode: int | None = None
        self._end = os.pidfd_open(self.pid)
        self._said: tuple[str, str] | None = None

    def poll(self) -> int | None:
        """The exit code, where it has ended."""
        if self.returncode is None and select.select([self._end], [], [], 0)[0]:
            self._reap()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; its exit code.

        Args:
            timeout: Seconds.

        Raises:
            subprocess.TimeoutExpired: It goes on.
        """
        if self.returncode is None and not select.select([self._end], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(self._arguments, timeout or 0.0)
        return self._reap()

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait as :meth:`wait` does; its standard output and standard error."""
        self.wait(timeout)
        if self._said is None:
            self._said = self._printed.read_text(), self._errors.read_text()
            self._folder.cleanup()
        return self._said

    def send_signal(self, number: int) -> None:
        """Send a signal, where it has not ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._end, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def _reap(self) -> int:
        if self.returncode is None:
            self.returncode = self._forks.ask(self.pid)
            os.close(self._end)
        return self.returncode


@functools.cache
def forks() -> Forks:
    """The one of this test process."""
    return Forks()
