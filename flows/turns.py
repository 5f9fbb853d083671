"""How many calls one model provider gets at once, over all runs of a Prefect server.

The limits are Prefect's global concurrency limits, which ``flows.deploy`` installs and people change.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from prefect.client.orchestration import get_client
from prefect.concurrency.sync import concurrency
from prefect.exceptions import ObjectNotFound

AT_ONCE = 8
"""Calls of one provider at once, until somebody says otherwise."""


def limit_name(provider: str) -> str:
    """The global limit of a provider's models."""
    return f"mlab-{provider}"


@contextmanager
def model_turn(provider: str) -> Iterator[None]:
    """Hold one of the provider's slots while the block lasts, and wait for it first.

    On a server without such a limit, as one that runs alone has it, nobody waits.
    """
    if not _is_limited(provider):
        yield
        return
    # A lease that cannot be renewed frees the slot early; that is no reason to lose a paid answer.
    with concurrency(limit_name(provider), raise_on_lease_renewal_failure=False):
        yield


@cache
def _is_limited(provider: str) -> bool:
    with get_client(sync_client=True) as client:
        try:
            client.read_global_concurrency_limit_by_name(limit_name(provider))
        except ObjectNotFound:
            return False
    return True
