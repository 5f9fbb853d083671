"""The local Prefect server that the first run starts and later ones share."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
from pydantic import ValidationError

from flows.errors import ServerError
from flows.process import server_environment
from flows.settings import Settings
from tasks_catalog.spec import Record

START_SECONDS = 180.0
STOP_SECONDS = 15.0
PREFERRED_PORT = 4210


class ServerRecord(Record):
    """A server that this project started: the process is known by its id and its start time."""

    pid: int
    created: float
    port: int

    @property
    def api_url(self) -> str:
        """What ``PREFECT_API_URL`` must be to use it."""
        return f"http://127.0.0.1:{self.port}/api"

    @property
    def ui_url(self) -> str:
        """Where its interface is."""
        return f"http://127.0.0.1:{self.port}"

    def process(self) -> psutil.Process | None:
        """The process, if it still lives."""
        with suppress(psutil.Error):
            process = psutil.Process(self.pid)
            if abs(process.create_time() - self.created) < 1 and process.status() != psutil.STATUS_ZOMBIE:
                return process
        return None


class LocalServer:
    """Starts, finds and stops the one server of a home folder."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = settings.layout.prefect

    @property
    def log(self) -> Path:
        """What the server printed."""
        return self._folder / "server.log"

    @property
    def _record_file(self) -> Path:
        return self._folder / "server.json"

    def running(self) -> ServerRecord | None:
        """The server of this home folder, if it lives."""
        try:
            record = ServerRecord.model_validate_json(self._record_file.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return record if record.process() else None

    def ensure(self) -> ServerRecord:
        """Return the running server, or start one; safe when several processes ask at once.

        Raises:
            ServerError: It did not start; the message ends with what it printed.
        """
        with self._lock():
            record = self.running()
            if record is None:
                record = self._start()
            self._wait(record)
            return record

    def stop(self) -> bool:
        """Stop the server and all it started; False where none ran."""
        with self._lock():
            record = self.running()
            process = record.process() if record else None
            if process is None:
                return False
            family = [process, *process.children(recursive=True)]
            for member in family:
                with suppress(psutil.NoSuchProcess):
                    member.send_signal(signal.SIGTERM)
            _, alive = psutil.wait_procs(family, timeout=STOP_SECONDS)
            for member in alive:
                with suppress(psutil.NoSuchProcess):
                    member.kill()
            psutil.wait_procs(alive, timeout=STOP_SECONDS)
            self._record_file.unlink(missing_ok=True)
            return True

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "server.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _start(self) -> ServerRecord:
        port = free_port(PREFERRED_PORT)
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "prefect", "server", "start"],
                env=server_environment(self._settings, port),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd="/",
            )
        record = ServerRecord(pid=process.pid, created=psutil.Process(process.pid).create_time(), port=port)
        temporary = self._record_file.with_suffix(".tmp")
        temporary.write_text(record.model_dump_json())
        temporary.replace(self._record_file)
        return record

    def _wait(self, record: ServerRecord) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not is_healthy(record.api_url):
            if record.process() is None:
                raise ServerError(
                    "The local Prefect server ended while it was starting.",
                    hint=f"Its last words, from {self.log}:\n{_tail(self.log)}",
                )
            if time.monotonic() > deadline:
                raise ServerError(
                    f"The local Prefect server did not answer within {START_SECONDS:.0f} s.",
                    hint=f"See {self.log}, or set PREFECT_API_URL to a server of your own.",
                )
            time.sleep(0.1)


def connect(settings: Settings) -> str:
    """Point this process at a Prefect server, starting the local one if none is configured.

    Returns:
        The address of the server's interface.

    Raises:
        ServerError: The configured server does not answer, or the local one does not start.
    """
    if settings.prefect_api_url:
        if not is_healthy(settings.prefect_api_url):
            raise ServerError(
                f"No Prefect server answers at {settings.prefect_api_url}.",
                hint="Start it, or unset PREFECT_API_URL to use the local server.",
            )
        return settings.prefect_api_url.removesuffix("/api")
    record = LocalServer(settings).ensure()
    os.environ["PREFECT_API_URL"] = record.api_url
    return record.ui_url


def is_healthy(api_url: str) -> bool:
    """Whether a Prefect server answers at this address."""
    try:
        return httpx.get(f"{api_url}/health", timeout=5).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def free_port(preferred: int) -> int:
    """A loopback port nobody listens on: the preferred one where it is free."""
    for port in (preferred, 0):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerError("No free port on 127.0.0.1.")


def _tail(path: Path, lines: int = 15) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
