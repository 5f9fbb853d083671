"""Retry, pressed by a person in Prefect's own interface."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from flows.services.password import credentials
from flows.services.sign_in import SIGN_IN
from flows.settings import Settings
from tests.flows.command import comparable, mlab_json
from tests.flows.failing_agents import FAILS_AT, STEPS
from tests.flows.interface import wait_for_state
from tests.flows.services.test_deployment import api, only_run, start

__all__ = ["api"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium"),
]
AGENT = "tests.flows.failing_agents:FailsAtFive"
PATIENCE = 120_000  # milliseconds


def press_retry(server: str, flow_run: str) -> None:
    """Sign in, open a flow run's page, press *Retry*, and *Retry* again in the dialogue."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.goto(f"{server}{SIGN_IN}#{credentials(Settings())}")
        page.wait_for_url("**/dashboard*")
        page.goto(f"{server}/runs/flow-run/{flow_run}")
        button = page.get_by_role("button", name="Retry", exact=True)
        button.first.click()
        page.get_by_role("button", name="Close", exact=True).wait_for()
        with page.expect_response(lambda answer: answer.url.endswith("/set_state")) as answered:
            button.last.click()
        assert answered.value.ok
        browser.close()


def test_a_run_that_failed_at_step_5_goes_on_there_and_ends_like_an_undisturbed_one(api: str) -> None:
    flow_run = start(api, agent=AGENT)
    wait_for_state(api, flow_run, "FAILED")
    failed = only_run()
    assert len(mlab_json("show", failed)) == FAILS_AT

    Path(os.environ["MLAB_TEST_MARKER"]).touch()
    press_retry(api.removesuffix("/api"), flow_run)
    wait_for_state(api, flow_run, "COMPLETED")
    retried = mlab_json("show", failed)
    undisturbed = mlab_json("run", str(Path(__file__).parents[2] / "tasks" / "slope"), "--agent", AGENT)["run_id"]
    assert len(retried) == STEPS
    assert [comparable(step) for step in retried] == [comparable(step) for step in mlab_json("show", undisturbed)]
