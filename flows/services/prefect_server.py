"""Prefect's server; on SQLite, its default here, with transactions that wait for their turn.

As shipped, a transaction that reads before it writes fails at once when another one writes first. The
server then answers 503, the client sleeps two seconds or more, and after some tries the flow run fails.
Here every transaction that may write takes the write lock as it begins, and waits for it.

Run as ``python -m flows.services.prefect_server PORT``; everything else comes from Prefect's own settings.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import uvicorn
from prefect.server.api.server import create_app
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import MODELS_DEPENDENCIES
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL, PREFECT_SERVER_API_HOST
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction

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


def main() -> None:
    """Serve until terminated."""
    database = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if database.startswith("sqlite"):
        MODELS_DEPENDENCIES["database_config"] = WaitingSqlite(connection_url=database)
    uvicorn.run(
        create_app(final=True), host=PREFECT_SERVER_API_HOST.value(), port=int(sys.argv[1]), log_level="warning"
    )


if __name__ == "__main__":
    main()
