"""Prefect servers to measure on, and the variables that lead there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from flows.services.password import credentials
from flows.services.server import api_url, prefect_service
from flows.services.variables import DATABASE_VARIABLE
from flows.settings import Settings
from tests.postgres import postgres_server

CHILD = [sys.executable, "-m", "tests.benchmarks.overhead.child"]


@contextmanager
def server_on(database: str, home: Path) -> Iterator[dict[str, str]]:
    """Start a server on ``sqlite`` or ``postgresql`` in a home folder; yields a client's variables."""
    if database == "postgresql":
        with postgres_server() as postgres:
            postgres.create("prefect")
            os.environ[DATABASE_VARIABLE] = postgres.url("prefect", "asyncpg")
            try:
                with _started(home) as variables:
                    yield variables
            finally:
                del os.environ[DATABASE_VARIABLE]
    else:
        with _started(home) as variables:
            yield variables


@contextmanager
def _started(home: Path) -> Iterator[dict[str, str]]:
    settings = Settings(home=home)
    service = prefect_service(settings)
    try:
        server = {"PREFECT_API_URL": api_url(service.ensure().url), "PREFECT_API_AUTH_STRING": credentials(settings)}
        yield {**os.environ, "MLAB_HOME": str(home), **server}
    finally:
        service.stop()


def measured(
    variables: dict[str, str], kinds: str, steps: int, *, rounds: int = 1, processes: int = 1
) -> list[dict[str, list[float]]]:
    """Times of steps by kind, of each process that came to its end; all begin together."""
    command = [*CHILD, kinds, str(steps), str(rounds)]
    started = [
        subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    for process in started:
        if process.stdout is not None:
            process.stdout.readline()
    with ThreadPoolExecutor(processes) as pool:
        outputs = list(pool.map(lambda process: process.communicate("begin\n")[0], started))
    return [json.loads(text) for text, process in zip(outputs, started, strict=True) if process.returncode == 0]
