"""Many runs at once share what a model provider takes, and none that dies keeps the others waiting for ever."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from flows.services.password import credentials
from flows.services.processes import Service
from flows.services.server import api_url, prefect_service
from flows.services.turns import LEASE_SECONDS, limit_name
from flows.settings import Settings
from tests.agent.llm_server import LlmServer, Reply
from tests.agent.scripted_answers import says
from tests.conftest import variables_of
from tests.flows.command import SLOPE, start
from tests.flows.interface import HTTP
from tests.flows.sweeping import sweep_json, write_sweep

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]

RUNS, RUNS_AT_ONCE, CALLS_AT_ONCE = 50, 16, 3
AGENT, MODEL = "tools", "openai:test-model"
PLAN = (
    ("Write File", {"file_name": "note.txt", "content": "one"}),
    ("Write File", {"file_name": "note.txt", "content": "two"}),
    ("Final Answer", {"final_answer": "Done."}),
)
EXPIRY_IS_SEEN = 60.0
"""Seconds until the server looks for leases that have run out, on a busy machine."""


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    """A Prefect server of the test's own, which lets a provider have three calls at once."""
    settings = Settings(home=tmp_path / "server")
    service = prefect_service(settings)
    with ExitStack() as stack:
        stack.callback(service.stop)
        for name, value in variables_of(home, api_url(service.ensure().url), credentials(settings)).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
        body = {"name": limit_name("openai"), "limit": CALLS_AT_ONCE}
        HTTP.post(f"{os.environ['PREFECT_API_URL']}/v2/concurrency_limits/", json=body).raise_for_status()
        yield service


def reply_of_the_plan(body: dict[str, Any]) -> Reply:
    """What comes next in a conversation, whichever run has it."""
    done = sum(message["role"] == "assistant" for message in body["messages"])
    return says(AGENT, *PLAN[done])


def taken_slots() -> int:
    """Of the provider's limit, as the Prefect server counts them."""
    answer = HTTP.get(f"{os.environ['PREFECT_API_URL']}/v2/concurrency_limits/{limit_name('openai')}")
    return int(answer.raise_for_status().json()["active_slots"])


def wait_for_slots(number: int, *, seconds: float) -> None:
    """Wait until so many slots are taken."""
    deadline = time.monotonic() + seconds
    while taken_slots() != number:
        assert time.monotonic() < deadline, f"{taken_slots()} slots are taken"
        time.sleep(0.2)


@pytest.mark.usefixtures("server")
def test_a_provider_never_gets_more_calls_at_once_than_its_limit(tmp_path: Path) -> None:
    with LlmServer(reply_of_the_plan, at_once=CALLS_AT_ONCE, seconds=0.3) as models:
        settings = {"model.base_url": f"{models.address}/v1"}
        file = write_sweep(tmp_path, agents=[AGENT], models=[MODEL], settings=[settings], seeds=RUNS)
        report = sweep_json(file, "--local", str(RUNS_AT_ONCE))
    assert Counter((cell["state"], cell["attempts"]) for cell in report["cells"]) == {("done", 1): RUNS}
    assert models.most_at_once == CALLS_AT_ONCE
    assert len(models.requests) == RUNS * len(PLAN)
    assert taken_slots() == 0


@pytest.mark.parametrize("is_restarted", [False, True], ids=["server stays", "server is restarted"])
def test_a_run_killed_in_a_model_call_gives_its_slot_back(
    server: Service, is_restarted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LlmServer(reply_of_the_plan, seconds=600) as models:
        set_address = ["--set", f"model.base_url={models.address}/v1"]
        process = start("run", str(SLOPE), "--agent", AGENT, "--model", MODEL, *set_address)
        wait_for_slots(1, seconds=120)
        process.kill()
        process.communicate()
        if is_restarted:
            server.stop()
            # Another home's server may hold the port that it prefers: then each start finds a free one.
            monkeypatch.setenv("PREFECT_API_URL", api_url(server.ensure().url))
        assert taken_slots() == 1
        wait_for_slots(0, seconds=LEASE_SECONDS + EXPIRY_IS_SEEN)
