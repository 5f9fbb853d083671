"""Runs cells in processes of this machine: one process a run, so that none can harm another."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

from pydantic import ValidationError

from environment.config import RunConfig
from flows.execute import execute
from flows.settings import Settings
from flows.sweep.failures import Failure, FailureKind, failure_of
from tasks_catalog.errors import MlabError

_FAILED = 1
_PR_SET_PDEATHSIG = 1
_STOP_SECONDS = 30.0


class LocalRunner:
    """Runs each cell to its end in a process of its own, and notices when that dies."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def run(self, config: RunConfig) -> Failure | None:
        """Run a cell, or go on with it; ``None`` where it came to its end."""
        with self._lock:
            # In a session of its own, so that Ctrl-C reaches it once, through ``stop``.
            process = subprocess.Popen(
                [sys.executable, "-m", "flows.sweep.local"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            self._processes.add(process)
        try:
            said, complained = process.communicate(config.model_dump_json().encode())
        finally:
            with self._lock:
                self._processes.discard(process)
        return None if process.returncode == 0 else _failure(process.returncode, said, complained)

    def stop(self) -> None:
        """End what runs; each leaves its last commit."""
        with self._lock:
            processes = list(self._processes)
        for process in processes:
            with suppress(ProcessLookupError):
                process.terminate()
        for process in processes:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _failure(code: int, said: bytes, complained: bytes) -> Failure:
    """What the process says went wrong; where it could not say so, how it ended."""
    if code == _FAILED:
        with suppress(ValidationError, IndexError):
            return Failure.model_validate_json(said.splitlines()[-1])
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    last_line = complained.decode(errors="replace").strip().rpartition("\n")[2]
    return Failure(kind=FailureKind.INFRASTRUCTURE, message=f"its process ended with {how}: {last_line}".rstrip(": "))


def _end_with(parent: int) -> None:
    """Have the kernel end this process with the one that started it, so that no run outlives its sweep."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit(_FAILED)


def main() -> None:
    """Run the cell whose config is on standard input; say on standard output why it failed."""
    _end_with(os.getppid())
    config = RunConfig.model_validate_json(sys.stdin.read())
    try:
        execute(config, Settings(), None)
    except MlabError as error:
        print(failure_of(error).model_dump_json())
        sys.exit(_FAILED)


if __name__ == "__main__":
    main()
