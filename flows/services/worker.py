"""A Prefect worker on this machine, which runs what people start in the interface."""

from __future__ import annotations

import os
import sys

from flows.services.processes import Service, answers
from flows.services.variables import CLIENT, QUIET
from flows.settings import LOOPBACK, Settings

POOL = "mlab"
PREFERRED_PORT = 4211
CONCURRENT_RUNS = 4
"""A SQLite server holds four runs at once; for more, use PostgreSQL and workers of your own."""


def worker_service(settings: Settings, prefect_api: str) -> Service:
    """A process worker of the pool ``mlab``; its port answers health checks."""
    return Service(
        name="The Prefect worker",
        folder=settings.layout.worker,
        port=PREFERRED_PORT,
        command=lambda _: [
            *(sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process"),
            *("--limit", str(CONCURRENT_RUNS), "--install-policy", "never", "--with-healthcheck"),
        ],
        environment=lambda port: {
            **os.environ,
            **QUIET,
            **CLIENT,
            "MLAB_HOME": str(settings.layout.home),
            "MLAB_HOST": settings.host,
            "PREFECT_API_URL": prefect_api,
            "PREFECT_HOME": str(settings.layout.prefect),
            "PREFECT_WORKER_WEBSERVER_HOST": LOOPBACK,
            "PREFECT_WORKER_WEBSERVER_PORT": str(port),
            "PREFECT_WORKER_QUERY_SECONDS": "2",
            "PREFECT_RUNNER_POLL_FREQUENCY": "2",
            "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO",
        },
        ready=lambda record: answers(f"{record.url}/health"),
    )
