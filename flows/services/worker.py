"""A Prefect worker on this machine, which runs what people start in the interface."""

from __future__ import annotations

import os
import signal
import sys

from flows.services.addresses import answers
from flows.services.processes import Service
from flows.services.variables import CLIENT, QUIET
from flows.settings import LOOPBACK, Settings

POOL = "mlab"
PREFERRED_PORT = 4211
CONCURRENT_RUNS = 4
"""A SQLite server holds four runs at once; for more, use PostgreSQL and workers of your own."""


def worker_command(pool: str, limit: int) -> list[str]:
    """The argv of a process worker."""
    return [
        *(sys.executable, "-m", "prefect", "worker", "start", "--pool", pool, "--type", "process"),
        *("--limit", str(limit), "--install-policy", "never"),
    ]


def hear_interrupts() -> None:
    """Have a worker that is started from here hear SIGINT, which it sends itself in order to end.

    What a script starts in the background ignores it, and so would all that is started by that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def worker_environment(settings: Settings) -> dict[str, str]:
    """Its variables, besides those that tell it the server."""
    return {
        **os.environ,
        **QUIET,
        **CLIENT,
        "MLAB_HOME": str(settings.layout.home),
        "PREFECT_HOME": str(settings.layout.prefect),
        "PREFECT_WORKER_QUERY_SECONDS": "4",
        "PREFECT_RUNNER_POLL_FREQUENCY": "4",
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO",
    }


def worker_service(settings: Settings, prefect_api: str) -> Service:
    """A process worker of the pool ``mlab``; its port answers health checks."""
    return Service(
        name="The Prefect worker",
        folder=settings.layout.worker,
        port=PREFERRED_PORT,
        command=lambda _: [*worker_command(POOL, CONCURRENT_RUNS), "--with-healthcheck"],
        environment=lambda port: {
            **worker_environment(settings),
            "MLAB_HOST": settings.host,
            "PREFECT_API_URL": prefect_api,
            # The server of this home answers when there is a run.
            **({} if settings.prefect_api_url else {"PREFECT_WORKER_QUERY_SECONDS": "1"}),
            "PREFECT_WORKER_WEBSERVER_HOST": LOOPBACK,
            "PREFECT_WORKER_WEBSERVER_PORT": str(port),
        },
        ready=lambda record: answers(f"{record.url}/health"),
    )
