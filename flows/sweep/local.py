"""Runs cells in processes of this machine: one process a run, so that none can harm another.

Importing all that a run needs takes seconds of CPU. One process imports it, once, and the run's processes
are forked off it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from pydantic import ValidationError

from environment.records import RunConfig
from flows.run.executing import execute
from flows.run.observer import Observer
from flows.run.stopping import TO_STOP
from flows.services.server import connect
from flows.services.variables import configure_process
from flows.settings import Settings, choose
from flows.sweep.failures import Failure, FailureKind, failure_of
from foundation.errors import MlabError

PRELOADED = "flows.sweep.preloaded"
"""Named only: this process does without what it loads."""
_FAILED = 1
_STOP_SECONDS = 30.0
_FORKS = multiprocessing.get_context("forkserver")
_SAFE_PATH = "PYTHONSAFEPATH"


class LocalRunner:
    """Runs each cell to its end in a process of its own, and notices when that dies.

    What the processes see of the environment's variables is what was set before the first cell.
    """

    def __init__(self) -> None:
        self._unsafe = Settings().unsafe_no_sandbox
        _FORKS.set_forkserver_preload([PRELOADED])
        self._processes: set[ForkServerProcess] = set()
        self._lock = threading.Lock()
        self._stopped = False
        self._has_forked = False

    def run(self, config: RunConfig) -> Failure | None:
        """Run a cell, or go on with it; ``None`` where it came to its end."""
        with tempfile.NamedTemporaryFile(prefix="mlab-cell-") as printed:
            ours, theirs = _FORKS.Pipe()
            process = _FORKS.Process(target=_cell, args=(config.model_dump_json(), theirs, printed.name, self._unsafe))
            with ours:
                with self._lock, theirs:
                    if self._stopped:
                        return Failure(kind=FailureKind.INFRASTRUCTURE, message="the sweep was stopped")
                    try:
                        _start_fork_server()
                        process.start()
                        self._has_forked = True
                    except (EOFError, ConnectionError):
                        died = "the process that runs are forked off died; it is started anew"
                        return Failure(kind=FailureKind.INFRASTRUCTURE, message=died)
                    self._processes.add(process)
                try:
                    process.join()
                finally:
                    with self._lock:
                        self._processes.discard(process)
                return None if process.exitcode == 0 else _failure(process, ours, printed.read())

    def stop(self) -> None:
        """End what runs; each leaves its last commit."""
        self._stopped = True
        if not self._has_forked:
            _end_fork_server()
        with self._lock:
            processes = list(self._processes)
        for process in processes:
            process.terminate()
        at_last = time.monotonic() + _STOP_SECONDS
        for process in processes:
            process.join(max(0.0, at_last - time.monotonic()))
            if process.is_alive():
                process.kill()


def _start_fork_server() -> None:
    """Start what runs are forked off, unless it runs.

    Python would look for modules where it is started first, and there a person's agent.py would be our package agent.
    Ctrl-C reaches it as well, and it leaves when the sweep does: signals to stop are blocked before it begins.
    """
    kept = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    resource_tracker.ensure_running()  # not below: it would let the signals through again
    let_through = signal.pthread_sigmask(signal.SIG_BLOCK, TO_STOP)
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, let_through)
        if kept is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = kept


def _end_fork_server() -> None:
    """Let go of who waits for its first process: while it imports, for seconds, it hears of nothing."""
    pid: int | None = vars(forkserver)["_forkserver"]._forkserver_pid
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _failure(process: ForkServerProcess, said: Connection, printed: bytes) -> Failure:
    """What the process says went wrong; where it could not say so, how it ended."""
    with suppress(EOFError, OSError, ValidationError):
        return Failure.model_validate_json(said.recv_bytes())
    code = process.exitcode or 0
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    last_line = printed.decode(errors="replace").strip().rpartition("\n")[2]
    return Failure(kind=FailureKind.INFRASTRUCTURE, message=f"its process ended with {how}: {last_line}".rstrip(": "))


def _cell(config: str, parent: Connection, printed: str, unsafe: bool) -> None:
    """Run a cell in the process forked for it; tell the parent why it failed."""
    # In a session of its own, so that Ctrl-C reaches it once, through ``stop``.
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, TO_STOP)
    os.environ.pop(_SAFE_PATH, None)
    _print_into(Path(printed))
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if unsafe:
        choose(unsafe_no_sandbox=True)
    try:
        _execute(RunConfig.model_validate_json(config), Settings())
    except MlabError as error:
        parent.send_bytes(failure_of(error).model_dump_json().encode())
        sys.exit(_FAILED)


def _execute(config: RunConfig, settings: Settings) -> None:
    providers = {name.partition(":")[0] for name in (config.model, config.fast_model, config.edit_model) if name}
    if providers:
        configure_process(settings)
        connect(settings)
        # Not above: the sweep's own process does without Prefect's client, which takes seconds to import.
        from flows.services.turns import limit_providers

        limit_providers(providers)
    execute(config, settings, Observer())


def _print_into(file: Path) -> None:
    with file.open("ab") as output:
        for descriptor in (1, 2):
            os.dup2(output.fileno(), descriptor)


def _end_with(parent: Connection) -> None:
    """Interrupt this process when the sweep's is gone, so that no run outlives its sweep."""
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os.kill(os.getpid(), signal.SIGTERM)
