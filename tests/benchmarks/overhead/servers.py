"""Prefect servers to measure on, and the variables that lead there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flows.services.password import credentials
from flows.services.server import api_url, prefect_service
from flows.services.variables import DATABASE_VARIABLE
from flows.settings import Settings
from tests.postgres import postgres_server


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


def measured(variables: dict[str, str], kinds: str, steps: int, *, rounds: int = 1) -> dict[str, list[float]]:
    """Times of steps by kind, the kinds taking turns in one process."""
    times: dict[str, list[float]] = _told(variables, "child", kinds, steps, rounds)
    return times


def measured_at_once(variables: dict[str, str], kind: str, steps: int, processes: int) -> list[list[float]]:
    """Times of steps of each process that came to its end; all begin together."""
    times: list[list[float]] = _told(variables, "forked", kind, steps, processes)
    return times


def _told(variables: dict[str, str], module: str, *arguments: object) -> Any:
    command = [sys.executable, "-m", f"tests.benchmarks.overhead.{module}", *map(str, arguments)]
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)
