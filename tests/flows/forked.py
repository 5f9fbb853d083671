"""Processes of the command line that are forked off one which has imported all that a run needs.

Importing takes most of a short command's time. Everything else is as in a process started anew: variables, arguments,
output, exit code, signals, and what is done at the end.

``python -m tests.flows.forked`` reads requests, a line each: a command to start, answered by its process id, or the id
of a process that has ended, answered by its exit code.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

IMPORTED = (
    "agent.models.calls",
    "agent.tuner.agent",
    "environment.sandbox.bubblewrap",
    "flows.run.flow",
    "flows.cli.commands.run",
    "flows.structured",
    "langchain.chat_models",
    "langchain_openai.chat_models.base",
    "openai.resources.chat.completions.completions",
    "environment.mlflow.view",
    "evaluation.report.collect",
    "evaluation.report.write",
    "fastapi.encoders",
    "optuna",
    "mlflow.store.tracking.sqlalchemy_store",
    "docker",
    "jinja2",
    "plotly.offline",
    "pyarrow.pandas_compat",
    "pyarrow.parquet",
)


class Request(NamedTuple):
    """A command, and where its output goes."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    printed: str
    errors: str


class Forks:
    """The process that others are forked off; it ends with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.flows.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        atexit.register(self._process.kill)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Forked:
        """Start one command."""
        return Forked(self, arguments, environment)

    def ask(self, request: Request | int) -> int:
        """The process id of a command that is started by this, or the exit code of a process that has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps(request)}\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())


class Forked:
    """A command that runs, with what tests use of :class:`subprocess.Popen`.

    Attributes:
        pid: Its process id.
        returncode: Its exit code, negative where a signal ended it; ``None`` until somebody looked after its end.
    """

    def __init__(self, forks: Forks, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        self._forks = forks
        self._arguments = list(arguments)
        self._folder = tempfile.TemporaryDirectory(prefix="mlab-forked-")
        self._printed, self._errors = (Path(self._folder.name) / name for name in ("printed", "errors"))
        request = Request(self._arguments, dict(environment), str(Path.cwd()), str(self._printed), str(self._errors))
        self.pid = forks.ask(request)
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


def _serve() -> Request:
    """Fork a process a command; returns in each of them."""
    for line in sys.stdin:
        asked = json.loads(line)
        if isinstance(asked, int):
            print(os.waitstatus_to_exitcode(os.waitpid(asked, 0)[1]), flush=True)
        elif pid := os.fork():
            print(pid, flush=True)
        else:
            return Request(*asked)
    os._exit(0)


def _become(request: Request) -> None:
    """Make this process what it would be if it had been started for the request."""
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    for number, path in ((0, os.devnull), (1, request.printed), (2, request.errors)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["mlab", *request.arguments]


def _compile_templates() -> None:
    from evaluation.report.html import templates

    for name in templates().list_templates(extensions=("j2",)):
        templates().get_template(name)


def _end(code: int) -> NoReturn:
    """End as Python does, but leave what was imported where it is: clearing it away takes longer than most commands."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as multiprocessing's processes do
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if not stream.closed:
            stream.flush()
    os._exit(code)


def main() -> None:
    """Import, and serve."""
    from flows.services.variables import CLIENT, QUIET

    os.environ.update({**CLIENT, **QUIET})
    for name in IMPORTED:
        importlib.import_module(name)
    _compile_templates()
    gc.freeze()  # or each process looks through all this for garbage, and so copies it
    _become(_serve())
    from prefect.context import refresh_global_settings_context

    from flows.cli.app import main as run_command

    refresh_global_settings_context()
    try:
        run_command()
    except SystemExit as end:
        if isinstance(end.code, int):
            _end(end.code)
        raise


if __name__ == "__main__":
    main()
