"""One Prefect client for all steps of a run.

Prefect records a subflow in its parent by an asynchronous call, and makes a client for each such call. A
client reads the certificates of all authorities, which takes longer than the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prefect.context import AsyncClientContext
from prefect.utilities.asyncutils import run_coro_as_sync


@contextmanager
def one_client() -> Iterator[None]:
    """Have Prefect use one asynchronous client for all subflows that the block calls."""
    context: AsyncClientContext = run_coro_as_sync(_opened(), wait_for_result=True)
    token = AsyncClientContext.__var__.set(context)
    try:
        yield
    finally:
        AsyncClientContext.__var__.reset(token)
        run_coro_as_sync(context.client.__aexit__(None, None, None), wait_for_result=True)


async def _opened() -> AsyncClientContext:
    context = AsyncClientContext()
    await context.client.__aenter__()
    return context
