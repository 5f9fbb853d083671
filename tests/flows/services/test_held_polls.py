"""A worker's poll waits until there may be a run for it, and no longer."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest
from starlette.responses import PlainTextResponse

from flows.services import held_polls
from flows.services.held_polls import HeldPolls

POLL = "/api/work_pools/mlab/get_scheduled_flow_runs"
NEW = "/api/deployments/1/create_flow_run"
CHANGED = "/api/flow_runs/1/set_state"
SOON, AT_WORK, LONG = 0.1, 0.4, 1.2


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"LONGEST": LONG, "AT_WORK": AT_WORK, "BETWEEN_POLLS": 0.5, "_LOOK_SECONDS": 0.01}.items():
        monkeypatch.setattr(held_polls, name, seconds)


def held(before: str | None = None, meanwhile: str | None = None, *, ending: bool = False) -> float:
    """For how many seconds a poll is held, where something else is asked before it or while it waits."""

    async def ask() -> float:
        app = HeldPolls(PlainTextResponse("well"), lambda: ending)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:

            async def poll() -> float:
                began = time.monotonic()
                assert (await client.post(POLL)).text == "well"
                return time.monotonic() - began

            if before:
                await client.post(before)
            waiting = asyncio.create_task(poll())
            await asyncio.sleep(SOON)
            if meanwhile:
                await client.post(meanwhile)
            return await waiting

    return asyncio.run(ask())


def test_a_poll_in_vain_is_answered_late() -> None:
    assert held() >= LONG
    assert held(meanwhile="/api/flow_runs/filter") >= LONG


def test_a_new_run_is_told_at_once() -> None:
    assert SOON <= held(meanwhile=NEW) < LONG
    assert held(before=NEW) < SOON, "also one that came between two polls"


@pytest.mark.parametrize(("before", "meanwhile"), [(CHANGED, None), (None, CHANGED)])
def test_a_change_of_a_run_is_told_after_a_while(before: str | None, meanwhile: str | None) -> None:
    assert AT_WORK <= held(before, meanwhile) < LONG


def test_a_server_that_ends_holds_nobody() -> None:
    assert held(ending=True) < SOON
