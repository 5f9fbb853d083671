"""Prefect's server; on SQLite, its default here, with transactions that wait for their turn.

As shipped, a transaction that reads before it writes fails at once when another one writes first. The
server then answers 503, the client sleeps two seconds or more, and after some tries the flow run fails.
Here every transaction that may write takes the write lock as it begins, and waits for it.

It also looks less often for work that it has set itself, ends when it is of no use any more, and answers no page but
its own.

Run as ``python -m flows.services.prefect_server PORT IDLE_SECONDS``; everything else comes from Prefect's own settings.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import uvicorn
from docket import Docket, Worker
from prefect.server.api import background_workers
from prefect.server.api.server import create_app
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import MODELS_DEPENDENCIES
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL, PREFECT_HOME, PREFECT_SERVER_API_HOST
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction

from flows.services.idling import Activity, end_when_unused
from flows.services.own_pages import OwnPages
from flows.services.sign_in import SignIn

_CALM = timedelta(seconds=2)
_SHUTDOWN_SECONDS = 10

DATABASE_VARIABLE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"
"""Leads to another database than SQLite in the home folder, such as ``postgresql+asyncpg://…``."""


class WaitingSqlite(AioSqliteConfiguration):
    """Begins each transaction with the write lock; plain reads, which use none, are not held up."""

    @asynccontextmanager
    async def begin_transaction(
        self, session: AsyncSession, with_for_update: bool = False
    ) -> AsyncGenerator[AsyncSessionTransaction, None]:
        """Begin a transaction that no other can overtake."""
        del with_for_update
        async with super().begin_transaction(session, with_for_update=True) as transaction:
            yield transaction


class CalmWorker(Worker):
    """Looks for due work every two seconds; as shipped, four times a second, most of what an idle server costs."""

    def __init__(self, docket: Docket) -> None:
        super().__init__(docket, minimum_check_interval=_CALM, scheduling_resolution=_CALM)

    async def _cancellation_listener(self) -> None:
        # Prefect's server cancels none of its work, for which this listens ten times a second.
        if (session := self._processing_session) is not None:
            session.cancellation_ready.set()
            await session.stopping.wait()


def main() -> None:
    """Serve until terminated."""
    database = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if database.startswith("sqlite"):
        MODELS_DEPENDENCIES["database_config"] = WaitingSqlite(connection_url=database)
    vars(background_workers)["Worker"] = CalmWorker
    port, idle_seconds = int(sys.argv[1]), float(sys.argv[2])
    host = PREFECT_SERVER_API_HOST.value()
    activity = Activity(OwnPages.listening_on(host, SignIn(create_app(final=True))))
    server = uvicorn.Server(
        uvicorn.Config(
            activity,
            host=host,
            port=port,
            log_level="warning",
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
    )
    end_when_unused(server, activity, PREFECT_HOME.value(), idle_seconds)
    server.run()


if __name__ == "__main__":
    main()
