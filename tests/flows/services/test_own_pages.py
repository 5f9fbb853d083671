"""The servers answer the owner of the home folder, and no page but their own."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows.services.mlflow_server import mlflow_service
from flows.services.password import credentials
from flows.services.processes import Service
from flows.services.server import connect, prefect_service
from flows.services.sign_in import SIGN_IN
from flows.settings import Settings
from tests.conftest import AUTH

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WEB = httpx.Client(timeout=60)
SIGNED_IN = tuple(AUTH.split(":"))
OTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
ASK = """async ([url, authorization]) => {
  try { return (await fetch(url, {method: "POST", body: "{}", credentials: "include",
                                  headers: {"content-type": "application/json", authorization}})).status }
  catch (error) { return "refused" }
}"""


def asked(api: str, **headers: str) -> int:
    """The answer to a question with the right password."""
    answer = WEB.post(f"{api}/flow_runs/count", json={}, auth=(SIGNED_IN[0], SIGNED_IN[1]), headers=headers)
    return answer.status_code


def test_only_the_servers_own_pages_and_programs_are_answered(prefect_server: str) -> None:
    own = prefect_server.removesuffix("/api")
    assert asked(prefect_server) == 200
    assert asked(prefect_server, origin=own) == 200
    for foreign in ("https://evil.example", "http://127.0.0.1:1", "null"):
        assert asked(prefect_server, origin=foreign) == 403
    assert asked(prefect_server, host="evil.example") == 403, "a name that was pointed at this machine"
    answer = WEB.options(f"{prefect_server}/flow_runs/count", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in answer.headers


def test_who_has_no_password_gets_nothing(prefect_server: str) -> None:
    assert WEB.post(f"{prefect_server}/flow_runs/count", json={}).status_code == 401
    assert WEB.post(f"{prefect_server}/flow_runs/count", json={}, auth=("mlab", "guessed")).status_code == 401


def test_the_first_start_makes_a_password_for_the_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLAB_AUTH", raising=False)
    settings = Settings(home=tmp_path / "home")
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: credentials(settings), range(8)))
    assert len(made) == 1
    path = settings.layout.password
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["password"]
    assert len(made.pop().partition(":")[2]) >= 32


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A server of a home folder that nobody has configured."""
    for name in ("MLAB_AUTH", "PREFECT_API_URL", "PREFECT_API_AUTH_STRING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    service = prefect_service(Settings())
    yield service
    service.stop()


def test_commands_find_the_password_by_themselves(server: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    url = connect(Settings())
    known = os.environ["PREFECT_API_AUTH_STRING"]
    assert known == credentials(Settings())
    assert WEB.post(f"{url}/api/flow_runs/count", json={}).status_code == 401

    monkeypatch.delenv("PREFECT_API_AUTH_STRING")
    connect(Settings(PREFECT_API_URL=f"{url}/api"))
    assert os.environ["PREFECT_API_AUTH_STRING"] == known, "also where the address is configured"
    monkeypatch.delenv("PREFECT_API_AUTH_STRING")

    if os.geteuid() == 0:
        path = Settings().layout.password
        for folder in path.parents[:4]:
            folder.chmod(0o755)
        read = subprocess.run([*OTHER_USER, "cat", str(path)], capture_output=True, text=True, check=False)
        assert read.returncode != 0
        secret = known.partition(":")[2]
        look = f"grep -lsaF {secret[:12]}''{secret[12:]} /proc/{server.ensure().pid}/environ /proc/*/cmdline"
        found = subprocess.run([*OTHER_USER, "sh", "-c", look], capture_output=True, text=True, check=False)
        assert f"/proc/{server.ensure().pid}/" not in found.stdout


def test_a_flow_run_chooses_neither_command_nor_environment_of_its_process(prefect_server: str) -> None:
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
    from prefect.workers.process import ProcessJobConfiguration

    from flows.deploying.register import JOB

    chosen = {"command": "touch /tmp/pwned", "env": {"LD_PRELOAD": "/tmp/evil.so"}, "working_dir": "/tmp", "env.A": "b"}
    with temporary_settings({PREFECT_API_URL: prefect_server, PREFECT_API_AUTH_STRING: AUTH}):
        made: Any = asyncio.run(ProcessJobConfiguration.from_template_and_values(JOB, chosen))
    assert (made.command, made.working_dir) == (None, None)
    assert "LD_PRELOAD" not in made.env
    assert "A" not in made.env


@pytest.fixture
def foreign_page() -> Iterator[int]:
    """The port of another site on this machine."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_port
        site.shutdown()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(300)
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_in_a_browser_the_owner_is_signed_in_and_other_pages_are_refused(server: Service, foreign_page: int) -> None:
    from base64 import b64encode

    from playwright.sync_api import sync_playwright

    mlflow = mlflow_service(Settings())
    try:
        prefect_url, mlflow_url = server.ensure().url, mlflow.ensure().url
        known = credentials(Settings())
        authorization = f"Basic {b64encode(known.encode()).decode()}"
        asks = (f"{prefect_url}/api/flow_runs/count", f"{mlflow_url}/ajax-api/2.0/mlflow/experiments/search")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            context = browser.new_context()
            page = context.new_page()
            page.goto(f"{prefect_url}{SIGN_IN}#{known}")
            page.wait_for_url("**/dashboard*")
            page.get_by_role("heading", name="Dashboard").or_(page.get_by_text("Dashboard")).first.wait_for()
            page.wait_for_load_state("networkidle")
            assert page.get_by_text("Try the V2 UI").count() == 0
            assert page.evaluate(ASK, [asks[0], authorization]) == 200
            page.goto(mlflow_url.replace("://", f"://{known}@") + SIGN_IN)
            # Where the password stands in the address, a page may ask nothing.
            page.wait_for_url(f"{mlflow_url}/#/experiments**")
            assert (
                page.evaluate("fetch('/ajax-api/2.0/mlflow/experiments/search?max_results=1').then(a => a.status)")
                == 200
            )
            page.get_by_role("heading", name="Experiments").wait_for()
            assert page.evaluate("""localStorage.getItem("mlflow.assistant.panelOpen_v1")""") != "true"
            page.evaluate("""localStorage.setItem("mlflow.workflowType_v1", '"genai"')""")
            page.goto(mlflow_url.replace("://", f"://{known}@") + SIGN_IN)
            page.wait_for_url(f"{mlflow_url}/#/experiments**")
            assert page.evaluate("""localStorage.getItem("mlflow.workflowType_v1")""") == '"genai"'
            for name in ("127.0.0.1", "localhost"):
                page = context.new_page()
                page.goto(f"http://{name}:{foreign_page}/")
                assert [page.evaluate(ASK, [url, authorization]) for url in asks] == ["refused", "refused"]
            browser.close()
    finally:
        mlflow.stop()
