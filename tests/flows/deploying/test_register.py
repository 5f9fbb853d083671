"""A pool and its deployments, made by whoever comes first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from uuid import uuid4

import pytest
from prefect.client.orchestration import get_client

from flows.deploying.register import AUTOMATION, register
from tests.conftest import connected_to

WORKERS = 6


@pytest.mark.usefixtures("mlab_environment")
def test_workers_that_begin_at_once_can_all_make_their_pool_and_one_automation(prefect_server: str) -> None:
    pool = f"pool-{uuid4().hex[:8]}"
    with connected_to(prefect_server), ThreadPoolExecutor(WORKERS) as workers:
        with get_client(sync_client=True) as client:
            for automation in client.read_automations_by_name(AUTOMATION):
                client.delete_automation(automation.id)
        begun = [workers.submit(copy_context().run, register, pool) for _ in range(WORKERS)]
        made = [each.result() for each in begun]
        with get_client(sync_client=True) as client:
            assert len(client.read_automations_by_name(AUTOMATION)) == 1
    assert made == [[f"benchmark-run/{pool}", f"grade/{pool}-grade", f"sweep/{pool}-sweep"]] * WORKERS
