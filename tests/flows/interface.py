"""What people do in Prefect's interface, by the requests that it sends."""

from __future__ import annotations

import os
import time
from base64 import b64encode
from collections.abc import Callable, Generator
from typing import Any

import httpx
import psutil


class SignedIn(httpx.Auth):
    """Knows the password that stands in the address, else in ``PREFECT_API_AUTH_STRING``."""

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send it along."""
        known = request.url.userinfo.decode() or os.environ.get("PREFECT_API_AUTH_STRING", "")
        request.headers["Authorization"] = f"Basic {b64encode(known.encode()).decode()}"
        yield request


HTTP = httpx.Client(timeout=60, auth=SignedIn())
"""A loaded machine takes longer than five seconds to answer."""
SLEEPS = "tests.flows.agents:Sleeps"


def start(api: str, deployment: str, **config: Any) -> str:
    """Press *Run* in the form; the flow run's id."""
    found = HTTP.get(f"{api}/deployments/name/{deployment}").raise_for_status().json()["id"]
    body = {"parameters": {"config": config}, "state": {"type": "SCHEDULED"}}
    return str(HTTP.post(f"{api}/deployments/{found}/create_flow_run", json=body).raise_for_status().json()["id"])


def retry(api: str, flow_run: str) -> None:
    """Press *Retry*."""
    set_state(api, flow_run, type="SCHEDULED", name="AwaitingRetry", message="Retry from the UI")


def cancel(api: str, flow_run: str) -> None:
    """Press *Cancel*."""
    set_state(api, flow_run, type="CANCELLING", name="Cancelling")


def set_state(api: str, flow_run: str, **state: str) -> None:
    """Set a flow run's state, whatever it was."""
    asked = {"state": state, "force": True}
    HTTP.post(f"{api}/flow_runs/{flow_run}/set_state", json=asked).raise_for_status()


def state_of(api: str, flow_run: str) -> str:
    """The type of a flow run's state."""
    return str(HTTP.get(f"{api}/flow_runs/{flow_run}").json()["state_type"])


def wait_for(condition: Callable[[], bool], seconds: float = 400) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.3)


def wait_for_state(api: str, flow_run: str, wanted: str, seconds: float = 400) -> None:
    """Wait until a flow run is in a state of this type."""
    wait_for(lambda: state_of(api, flow_run) == wanted, seconds)


def sleeping_scripts() -> list[psutil.Process]:
    """The running scripts of ``SLEEPS``, in whatever container."""
    found = psutil.process_iter(["cmdline", "status"])
    return [
        p for p in found if "sleep-for-the-test" in " ".join(p.info["cmdline"] or []) and p.info["status"] != "zombie"
    ]
