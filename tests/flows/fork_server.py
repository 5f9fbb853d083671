"""Forks a process a command, off one that has imported and compiled all that a run needs.

``python -m tests.flows.fork_server SOCKET SESSION`` answers whoever connects to the socket, until the process of the id
SESSION has ended: a command to start by its process id, the id of a process that has ended by its exit code.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import shutil
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from pydantic import BaseModel

from flows.sweep.loading import compile_rules, compile_templates, import_modules

IMPORTED = (
    "agent.models.calls",
    "agent.nop",
    "agent.tuner.agent",
    "alembic.command",
    "docker",
    "fastapi.encoders",
    "flows.cli.after_runs",
    "flows.cli.commands.run",
    "flows.cli.tree",
    "flows.structured",
    "jinja2",
    "langchain.chat_models",
    "langchain_openai.chat_models.base",
    "mlflow.store.tracking.sqlalchemy_store",
    "openai.resources.chat.completions.completions",
    "optuna",
    "prefect.concurrency.context",
    "pyarrow.parquet",
)
"""What else commands use that tests run."""
OURS = ("agent.", "environment.", "evaluation.", "flows.", "tasks_catalog.")


class Request(NamedTuple):
    """A command, and the files that are its standard input, output and error."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    streams: list[str]


def _serve(listener: socket.socket, session: int) -> Request:
    """Fork a process a command; returns in each of them."""
    begins = listener.fileno()
    while begins in select.select([begins, session], [], [])[0]:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw") as stream:
            asked = json.loads(stream.readline())
            if isinstance(asked, int):
                answer = os.waitstatus_to_exitcode(os.waitpid(asked, 0)[1])
            elif not (answer := os.fork()):
                return Request(*asked)
            print(answer, file=stream, flush=True)
    shutil.rmtree(Path(listener.getsockname()).parent)
    os._exit(0)


def _become(request: Request) -> None:
    """Make this process what it would be if it had been started for the request."""
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    for number, path in enumerate(request.streams):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    # Those of the server know what its own files can do.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", buffering=1, closefd=False)
    sys.argv = ["mlab", *request.arguments]


def _compile() -> None:
    """Make what is compiled as it is first used: templates, the patterns by which claims are read, models' schemas."""
    from sqlalchemy.orm import configure_mappers

    compile_templates()
    compile_rules()
    for model in _below(BaseModel):
        if model.__module__.startswith((*OURS, "prefect.")):
            model.model_rebuild(raise_errors=False, _types_namespace={})
    configure_mappers()


def _below(parent: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for child in parent.__subclasses__():
        yield child
        yield from _below(child)


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

    path, session = sys.argv[1:]
    os.environ.update({**CLIENT, **QUIET})
    import_modules()
    for name in IMPORTED:
        importlib.import_module(name)
    _compile()
    gc.freeze()  # or each process looks through all this for garbage, and so copies it
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("listening", flush=True)
        request = _serve(listener, os.pidfd_open(int(session)))
    _become(request)
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
