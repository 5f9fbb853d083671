"""What is changed of Prefect's server for one machine with many short runs.

* On SQLite, as shipped, a transaction that reads before it writes fails at once when another one writes first. The
  server then answers 503, the client sleeps two seconds or more, and after some tries the flow run fails. Here every
  transaction that may write takes the write lock as it begins, and waits for it.
* It looks less often for work that it has set itself.
* Its settings are those that it began with: as shipped, it writes all of them out several times as it begins, and once
  more for each client that it makes of itself, to find that they are the same.
* A new database is copied, and what an old one lacks is added before the server begins: as shipped, it goes
  through all migrations in each home, and imports all that extends Prefect at each start.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, suppress
from datetime import timedelta
from pathlib import Path

import prefect
from docket import Docket, Worker
from fastapi import FastAPI
from prefect.logging import configuration
from prefect.server.api import background_workers, server
from prefect.server.database import provide_database_interface
from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import MODELS_DEPENDENCIES
from prefect.server.models.block_registration import run_block_auto_registration
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL, Settings
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction

from foundation.ready_made import ReadyMade

_CALM = timedelta(seconds=2)
_BETWEEN_SIGNS = timedelta(seconds=20)


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
        docket.heartbeat_interval = _BETWEEN_SIGNS  # of the one worker there is, to itself
        super().__init__(docket, minimum_check_interval=_CALM, scheduling_resolution=_CALM)

    async def _cancellation_listener(self) -> None:
        # Prefect's server cancels none of its work, for which this listens ten times a second.
        if (session := self._processing_session) is not None:
            session.cancellation_ready.set()
            await session.stopping.wait()


def _key(settings: Settings) -> str:
    """What tells settings apart, where nobody changes them."""
    return str(id(settings))


def change() -> None:
    """Change what this process's server will be made of."""
    Settings.hash_key = _key  # type: ignore[method-assign, assignment]
    configuration.ensure_logging_setup()
    vars(configuration)["setup_logging"] = lambda: configuration.PROCESS_LOGGING_CONFIG
    vars(background_workers)["Worker"] = CalmWorker
    database = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if database.startswith("sqlite"):
        MODELS_DEPENDENCIES["database_config"] = WaitingSqlite(connection_url=database)


def hand_out(app: FastAPI) -> None:
    """Give the app to all clients that the server makes of itself."""
    vars(server)["create_app"] = lambda: app


def make_database_ready() -> None:
    """Bring the SQLite database to what this version of Prefect asks for; once done, this only looks."""
    path = Path(make_url(PREFECT_API_DATABASE_CONNECTION_URL.value()).database or "")
    done = path.with_name(f"{path.name}.version")
    ready_made = ReadyMade("prefect")
    if not ready_made.lay(path):
        if path.exists() and done.exists() and done.read_text() == _version(path):
            return
        is_new = not path.exists()
        asyncio.run(_complete())
        if is_new:
            ready_made.keep(path)
    done.write_text(_version(path))


def _version(path: Path) -> str:
    """That of Prefect, and that of the tables."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        return f"{prefect.__version__} {database.execute('SELECT version_num FROM alembic_version').fetchall()}"
    return ""


async def _complete() -> None:
    """What Prefect's server does as it begins, where it is told to."""
    database = provide_database_interface()
    await database.create_db()
    async with await database.session() as session:
        await run_block_auto_registration(session=session)
    await (await database.engine()).dispose()
