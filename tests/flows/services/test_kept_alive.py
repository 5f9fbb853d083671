"""What a run hears of its Prefect server meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Empty, Queue

import pytest

from flows.services import server
from flows.services.addresses import free_port
from flows.services.server import kept_alive
from flows.settings import Settings

NOISE = """
from flows.services.variables import configure_process
from flows.settings import Settings
configure_process(Settings())
from prefect.logging import get_logger
from prefect.logging.configuration import setup_logging
setup_logging()
get_logger("prefect._internal.concurrency").error("Service 'EventsWorker' failed to process item")
"""


class _Well(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library names it
        pass


@contextmanager
def _serving(port: int) -> Iterator[None]:
    with HTTPServer(("127.0.0.1", port), _Well) as there:
        threading.Thread(target=there.serve_forever, args=(0.02,), daemon=True).start()
        yield
        there.shutdown()


def test_a_configured_server_that_goes_away_is_told_once_and_that_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, told = free_port(0), Queue[str]()
    address = f"http://127.0.0.1:{port}/api"
    monkeypatch.setenv("PREFECT_API_URL", address)
    monkeypatch.setattr(server, "_ASK_SECONDS", 0.02)
    with kept_alive(Settings(home=tmp_path), told.put, lambda: None):
        with _serving(port), pytest.raises(Empty):
            told.get(timeout=0.5)
        assert told.get(timeout=30).startswith(f"The Prefect server at {address} does not answer; the run waits")
        with _serving(port):
            assert told.get(timeout=30) == f"The Prefect server at {address} answers again."


def test_prefect_does_not_write_into_the_view_what_it_cannot_tell_the_server(tmp_path: Path) -> None:
    environment = {**os.environ, "MLAB_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", NOISE], capture_output=True, text=True, check=True, env=environment)
    assert done.stderr == ""
