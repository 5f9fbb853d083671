"""One Prefect client for all steps of a run.

Prefect records a subflow in its parent by an asynchronous call, and makes a client for each such call. A
client reads the certificates of all authorities, which takes longer than the call. It also asks for the id of the
subflow's flow each time, which stays the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
from prefect.client.orchestration import SyncPrefectClient
from prefect.context import AsyncClientContext, SyncClientContext
from prefect.utilities.asyncutils import run_coro_as_sync

if TYPE_CHECKING:
    from prefect.client.orchestration.base import HTTP_METHODS
    from prefect.client.orchestration.routes import ServerRoutes

_LOOK_UP = ("POST", "/flows/")


@contextmanager
def one_client() -> Iterator[None]:
    """Have Prefect use one asynchronous client for all subflows that the block calls, and look each flow up once."""
    context: AsyncClientContext = run_coro_as_sync(_opened(), wait_for_result=True)
    token = AsyncClientContext.__var__.set(context)
    try:
        with SyncClientContext.get_or_create() as of_the_run, _flows_looked_up_once(of_the_run.client):
            yield
    finally:
        AsyncClientContext.__var__.reset(token)
        run_coro_as_sync(context.client.__aexit__(None, None, None), wait_for_result=True)


async def _opened() -> AsyncClientContext:
    context = AsyncClientContext()
    await context.client.__aenter__()
    return context


@contextmanager
def _flows_looked_up_once(client: SyncPrefectClient) -> Iterator[None]:
    ask, known = client.request, dict[str, httpx.Response]()

    def ask_once(method: HTTP_METHODS, path: ServerRoutes, **asked: Any) -> httpx.Response:
        if (method, path) != _LOOK_UP:
            return ask(method, path, **asked)
        name = str(asked["json"]["name"])
        if name not in known:
            known[name] = ask(method, path, **asked)
        return known[name]

    vars(client)["request"] = ask_once
    try:
        yield
    finally:
        del vars(client)["request"]
