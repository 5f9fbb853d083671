"""Processes of the command line that are forked off one which has imported all that a run needs.

Importing takes most of a short command's time. Everything else is as in a process started anew: variables, arguments,
output, exit code, signals, and what is done at the end.

``python -m tests.flows.forked`` reads requests and answers with process ids, then with exit codes, a line each.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

IMPORTED = (
    "flows.run.flow",
    "flows.cli.commands.run",
    "environment.mlflow.view",
    "evaluation.report.collect",
    "evaluation.report.write",
    "fastapi.encoders",
    "mlflow.store.tracking.sqlalchemy_store",
    "docker",
    "jinja2",
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

    def run(
        self, arguments: Sequence[str], environment: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run one command to its end.

        Raises:
            subprocess.TimeoutExpired: It took longer, and was killed.
        """
        with self._lock, tempfile.TemporaryDirectory(prefix="mlab-forked-") as folder:
            printed, errors = Path(folder) / "printed", Path(folder) / "errors"
            request = Request(list(arguments), dict(environment), str(Path.cwd()), str(printed), str(errors))
            pid = int(self._ask(json.dumps(request)))
            late = threading.Timer(timeout, os.kill, (pid, signal.SIGKILL))
            late.start()
            code = int(self._read())
            late.cancel()
            if late.finished.is_set() and code == -signal.SIGKILL:
                raise subprocess.TimeoutExpired(list(arguments), timeout, printed.read_text(), errors.read_text())
            return subprocess.CompletedProcess(list(arguments), code, printed.read_text(), errors.read_text())

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@functools.cache
def forks() -> Forks:
    """The one of this test process."""
    return Forks()


def _serve() -> Request:
    """Fork a process a request; returns in each of them."""
    for line in sys.stdin:
        request = Request(*json.loads(line))
        pid = os.fork()
        if pid == 0:
            return request
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
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


def main() -> None:
    """Import, and serve."""
    from flows.services.variables import CLIENT, QUIET

    os.environ.update({**CLIENT, **QUIET})
    for name in IMPORTED:
        importlib.import_module(name)
    _become(_serve())
    from prefect.context import refresh_global_settings_context

    from flows.cli.app import main as run_command

    refresh_global_settings_context()
    run_command()


if __name__ == "__main__":
    main()
