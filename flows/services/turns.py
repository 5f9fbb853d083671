"""How many calls one model provider gets at once, over all runs of a Prefect server.

The limits are Prefect's global concurrency limits. ``flows.deploying.register`` and sweeps make them, and people
change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.concurrency.sync import concurrency
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound

AT_ONCE = 8
"""Calls of one provider at once, until somebody says otherwise."""

LEASE_SECONDS = 90.0
"""A process that dies while its call is under way keeps the slot for so long, at most."""


def limit_name(provider: str) -> str:
    """The global limit of a provider's models."""
    return f"mlab-{provider}"


def limit_providers(providers: Iterable[str]) -> None:
    """Let none of them get more calls at once than it may take, from however many runs; known limits stay."""
    with get_client(sync_client=True) as client:
        known = {limit.name for limit in client.read_global_concurrency_limits(limit=200)}
        for name in {limit_name(provider) for provider in providers} - known:
            with suppress(ObjectAlreadyExists):  # another process was faster
                client.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=name, limit=AT_ONCE))


@contextmanager
def model_turn(provider: str) -> Iterator[None]:
    """Hold one of the provider's slots while the block lasts, and wait for it first.

    On a server without such a limit, as one that runs alone has it, nobody waits.
    """
    if not _is_limited(provider):
        yield
        return
    # A lease that cannot be renewed frees the slot early; that is no reason to lose a paid answer.
    with concurrency(limit_name(provider), lease_duration=LEASE_SECONDS, raise_on_lease_renewal_failure=False):
        yield


@cache
def _is_limited(provider: str) -> bool:
    with get_client(sync_client=True) as client:
        try:
            client.read_global_concurrency_limit_by_name(limit_name(provider))
        except ObjectNotFound:
            return False
    return True
