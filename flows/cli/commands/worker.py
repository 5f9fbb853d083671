"""``mlab worker``."""

from __future__ import annotations

import os

from environment.records.display import joined
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.services.server import connect
from flows.services.variables import configure_process
from flows.services.worker import hear_interrupts, worker_command, worker_environment
from flows.settings import Settings


def work(pool: str, limit: int) -> None:
    """Register the pool's deployments, and become a worker of Prefect's.

    Raises:
        UsageError: No server is named, and a worker of one of its own would get nothing to do.
    """
    settings = Settings()
    if settings.prefect_api_url is None:
        raise UsageError(
            "A worker needs to know which server it works for.",
            hint="Set PREFECT_API_URL and PREFECT_API_AUTH_STRING; `mlab ui --status` prints them where it runs.",
        )
    configure_process(settings)
    connect(settings)
    from flows.deploying.register import register

    names = register(pool)
    plain_console().print(f"Works for {joined(names)}, {limit} at once.", soft_wrap=True)
    hear_interrupts()
    command = worker_command(pool, limit)
    os.execve(command[0], command, worker_environment(settings))
