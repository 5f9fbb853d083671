"""A command under bubblewrap: started, told to go, read, ended."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, suppress

from environment.errors import SandboxError
from environment.sandbox import inside
from environment.sandbox.bwrap_arguments import Descriptors
from environment.sandbox.descriptors import memory_file, pipe, read_available
from environment.sandbox.user_namespaces import setup_failure

_START_SECONDS = 30.0
_END_SECONDS = 30.0
_MOST_NAMES = 4_096

_Arguments = Callable[[Descriptors], Iterable[str]]
"""The command line of bubblewrap, given the descriptors that it is to read."""


class BwrapJob:
    """See ``Job``. Killing the first process of a namespace makes the kernel end all others in it.

    Attributes:
        pid: The first process of the namespace, as seen from the host.
    """

    def __init__(self, bwrap: str, arguments: _Arguments, program: bytes, within: AbstractContextManager[None]) -> None:
        """Start bubblewrap, within a block that counts for its processes; the command itself waits for ``go``.

        Raises:
            SandboxError: Bubblewrap could not set the sandbox up.
        """
        self._bwrap = bwrap
        self._descriptors = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._status = b""
        try:
            self._start(bwrap, arguments, program, within)
        except BaseException:
            self.close()
            raise

    def _start(self, bwrap: str, arguments: _Arguments, program: bytes, within: AbstractContextManager[None]) -> None:
        ours = self._descriptors
        with ExitStack() as theirs:
            self.output_fd, output = pipe(ours, theirs)
            self._status_fd, status = pipe(ours, theirs)
            block, self._block_fd = pipe(theirs, ours)
            stdin, self._talk = theirs_and_ours(theirs, ours)
            files = {path: memory_file(text.encode(), theirs) for path, text in inside.ETC_FILES.items()}
            descriptors = Descriptors(status, block, memory_file(program, theirs), files)
            with within:
                self._process = subprocess.Popen(
                    [bwrap, *arguments(descriptors)],
                    stdin=stdin.fileno(),
                    stdout=output,
                    stderr=output,
                    pass_fds=(status, block, descriptors.seccomp, *files.values()),
                    start_new_session=True,
                    cwd="/",
                    env={},
                )
        os.set_blocking(self.output_fd, False)
        os.set_blocking(self._status_fd, False)
        self.pid = self._await_first_process()
        try:
            self.exit_fd = os.pidfd_open(self.pid)
        except ProcessLookupError as error:
            raise self._setup_error() from error
        ours.callback(os.close, self.exit_fd)

    def __enter__(self) -> BwrapJob:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def go(self) -> None:
        """Let the command run."""
        with suppress(BrokenPipeError):  # it has failed already; exit_code says so
            os.write(self._block_fd, b"\n")
            self._talk.send(b"\n")

    def read(self) -> bytes | None:
        """See ``Job.read``."""
        return read_available(self.output_fd)

    def kill(self) -> None:
        """See ``Job.kill``; returns when all is gone.

        Raises:
            SandboxError: A process cannot be ended: it waits for a device.
        """
        if self._process is None or self._process.returncode is not None:
            return
        if hasattr(self, "exit_fd"):
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.exit_fd, signal.SIGKILL)
            if not select.select([self.exit_fd], [], [], _END_SECONDS)[0]:
                raise SandboxError(f"Process {self.pid} of a sandbox does not end, even when killed")
        else:
            self._process.kill()
        self._process.wait(_END_SECONDS)  # bubblewrap ends after its child, once it has reported how that ended

    def exit_code(self) -> int | None:
        """How the command ended by itself, negative for a signal; ``None`` where it never started."""
        self.kill()
        self._read_status()
        code = self._field("exit-code")
        return None if code is None else signal_or_code(code)

    def left_running(self) -> tuple[str, ...]:
        """Names of the processes that the command left behind when it ended by itself; untrusted texts."""
        try:
            names = self._talk.recv(_MOST_NAMES, socket.MSG_DONTWAIT)
        except OSError:
            return ()
        return tuple(names.decode("utf-8", "replace").splitlines())

    def close(self) -> None:
        """End what still runs and release the descriptors."""
        try:
            self.kill()
        finally:
            self._descriptors.close()

    def _await_first_process(self) -> int:
        deadline = time.monotonic() + _START_SECONDS
        while (pid := self._field("child-pid")) is None:
            ready, _, _ = select.select([self._status_fd], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise SandboxError(f"Bubblewrap did not start within {_START_SECONDS:.0f} s")
            if not self._read_status():
                raise self._setup_error()
        return pid

    def _read_status(self) -> bool:
        """Take what bubblewrap reports; false at the end of its report."""
        chunk = read_available(self._status_fd)
        self._status += chunk or b""
        return chunk is not None

    def _field(self, name: str) -> int | None:
        complete = self._status[: self._status.rfind(b"\n") + 1]
        return next((report[name] for report in map(json.loads, complete.splitlines()) if name in report), None)

    def _setup_error(self) -> SandboxError:
        self.kill()
        message = (self.read() or b"").decode(errors="replace")
        return setup_failure(message, self._bwrap)


def theirs_and_ours(theirs: ExitStack, ours: ExitStack) -> tuple[socket.socket, socket.socket]:
    """Both ends of a connection, each closed by its own side."""
    one, other = socket.socketpair()
    return theirs.enter_context(one), ours.enter_context(other)


def signal_or_code(code: int) -> int:
    """The exit code of a wrapped command, where 128 + n stands for signal n: the shells' convention."""
    return -(code - 128) if 128 < code <= 128 + signal.SIGRTMAX else code
