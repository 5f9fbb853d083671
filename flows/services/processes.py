"""Processes that outlive the command that started them, and are shared: found again, watched and stopped."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from pydantic import ValidationError

from flows.errors import ServerError
from flows.services.addresses import free_port
from flows.settings import LOOPBACK
from foundation import processes
from foundation.copies import lasting
from foundation.disk import RAISE_FILE_LIMIT, file_limit, free_bytes
from foundation.locks import locked
from foundation.records import Record
from foundation.sizes import MiB

if TYPE_CHECKING:
    from filelock import BaseFileLock

ANY = "0.0.0.0"
START_SECONDS = 180.0
_RECORD, _LOCK, _PORT = "server.json", "server.lock", "port"
STOP_SECONDS = 15.0
_ROOM = 8 * MiB
"""For the database of a new server, and what it notes while it writes there."""


class ServiceRecord(Record):
    """A process that this project started: known by its id and its start time."""

    pid: int
    created: float
    port: int
    host: str = LOOPBACK

    @property
    def url(self) -> str:
        """Where it answers this machine."""
        return f"http://{LOOPBACK if self.host == ANY else self.host}:{self.port}"

    def process(self) -> psutil.Process | None:
        """The process, if it still lives."""
        if not processes.lives(self.pid, self.created):
            return None
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(self.pid)
        return None

    def listens(self) -> bool:
        """Whether it is this process that answers at the port, and not another's that took it first.

        Where the system does not let it be looked into (it runs in another user namespace), it is taken to.
        """
        process = self.process()
        if process is None:
            return False
        with suppress(psutil.NoSuchProcess):
            family = [process, *process.children(recursive=True)]
            try:
                connections = [each for member in family for each in member.net_connections("inet")]
            except psutil.AccessDenied:
                return True
            return any(each.status == psutil.CONN_LISTEN and each.laddr.port == self.port for each in connections)
        return False


@dataclass(frozen=True)
class Service:
    """One shared process of a home folder.

    Attributes:
        name: What people call it.
        folder: Where its record and log lie.
        port: The port it prefers at its first start; later it keeps to its last, at which links lead to it.
        command: Its argv, given the port.
        environment: Its variables, given the port.
        ready: Whether it answers.
        host: The address it listens on.
    """

    name: str
    folder: Path
    port: int
    command: Callable[[int], Sequence[str]]
    environment: Callable[[int], dict[str, str]]
    ready: Callable[[ServiceRecord], bool]
    host: str = LOOPBACK

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.folder / "server.log"

    @property
    def _record_file(self) -> Path:
        return self.folder / _RECORD

    def running(self) -> ServiceRecord | None:
        """The process, if it lives."""
        record = self._last()
        return record if record and record.process() else None

    def revive(self) -> bool:
        """Start it again where it ended without having been stopped; whether that was necessary.

        Raises:
            ServerError: It did not start.
        """
        with self._lock():
            if self._last() is None or self.running() is not None:
                return False
            self._ready(self._running_or_begun())
            return True

    def begin(self) -> ServiceRecord:
        """Start it where it does not run, and do not wait until it answers."""
        with self._lock():
            return self._running_or_begun()

    def ensure(self) -> ServiceRecord:
        """Return the running one, or start one; safe when several processes ask at once.

        Raises:
            ServerError: It did not start; the message ends with what it printed.
        """
        with self._lock():
            return self._ready(self._running_or_begun())

    def stop(self) -> bool:
        """Stop it and all it started; False where none ran."""
        with self._lock():
            record = self.running()
            process = record.process() if record else None
            if process is None:
                return False
            _end(process)
            self._record_file.unlink(missing_ok=True)
            return True

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / _LOCK):
            yield

    def _last(self) -> ServiceRecord | None:
        """The last process that was started and not stopped, whether it lives or not."""
        return recorded(self.folder)

    def _running_or_begun(self) -> ServiceRecord:
        """The running one, or one begun where its clients and old links look for it."""
        last = self._last()
        if last is not None and last.process() is not None:
            return last
        return self._spawn(free_port(self.last_port(), self.host))

    def last_port(self) -> int:
        """Where its clients and old links look for it."""
        try:
            return int((self.folder / _PORT).read_text())
        except (OSError, ValueError):
            return self.port

    def _ready(self, record: ServiceRecord) -> ServiceRecord:
        """The process once it answers."""
        try:
            self._wait(record)
        except ServerError:
            if record.process() is not None or free_port(record.port, self.host) == record.port:
                raise
            # Another program took the port between the look and the start.
            record = self._spawn(free_port(0, self.host))
            self._wait(record)
        return record

    def _spawn(self, port: int) -> ServiceRecord:
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                self.command(port),
                env={**self.environment(port), **lasting(str(self.folder))},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=self.folder,
            )
        begun = psutil.Process(process.pid)
        record = ServiceRecord(pid=begun.pid, created=begun.create_time(), port=port, host=self.host)
        try:
            self._note(record)
        except BaseException:
            _end(begun)  # nobody would find it again, to use or to stop it
            raise
        return record

    def _note(self, record: ServiceRecord) -> None:
        (self.folder / _PORT).write_text(str(record.port))
        temporary = self._record_file.with_suffix(".tmp")
        temporary.write_text(record.model_dump_json())
        temporary.replace(self._record_file)

    def _wait(self, record: ServiceRecord) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not record.listens() or not self.ready(record):
            if record.process() is None:
                raise self._ended()
            if time.monotonic() > deadline:
                raise ServerError(
                    f"{self.name} did not answer within {START_SECONDS:.0f} s.",
                    hint=f"What it printed is in {self.log}.",
                )
            time.sleep(0.1)

    def _ended(self) -> ServerError:
        """Why it ended while it was starting: for want of room, or in its own words."""
        free, allowed = free_bytes(self.folder), file_limit()
        if allowed is not None and allowed < self._largest_file() + _ROOM:
            return ServerError(
                f"{self.name} cannot start: no file may grow beyond {allowed / MiB:.1f} MiB here.",
                hint=RAISE_FILE_LIMIT,
            )
        if free < _ROOM:
            return ServerError(
                f"{self.name} cannot start: the disk of {self.folder} has {free / MiB:.1f} MiB free.",
                hint=f"Free some space there, {_ROOM / MiB:.0f} MiB at least, or move MLAB_HOME to a larger disk.",
            )
        return ServerError(
            f"{self.name} ended while it was starting.",
            hint=f"Its last words, from {self.log}:\n{_tail(self.log)}",
        )

    def _largest_file(self) -> int:
        return max((path.stat().st_size for path in self.folder.iterdir() if path.is_file()), default=0)


def _end(process: psutil.Process) -> None:
    """Stop a process and all it started."""
    family = [process, *process.children(recursive=True)]
    for member in family:
        with suppress(psutil.NoSuchProcess):
            member.send_signal(signal.SIGTERM)
    _, alive = psutil.wait_procs(family, timeout=STOP_SECONDS)
    for member in alive:
        with suppress(psutil.NoSuchProcess):
            member.kill()
    psutil.wait_procs(alive, timeout=STOP_SECONDS)


def recorded(folder: Path) -> ServiceRecord | None:
    """What a service's folder says of its last process."""
    try:
        return ServiceRecord.model_validate_json((folder / _RECORD).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def withdraw(folder: Path, still: Callable[[], bool]) -> BaseFileLock | None:
    """Take back the record of this process before it ends, unless somebody is about to use it.

    Who asks for the service meanwhile waits until this process has ended, and then starts another.

    Args:
        folder: The service's.
        still: Whether this process is to end, asked once nobody else can come in between.

    Returns:
        What others wait for, to be held until the process has ended; ``None`` where it is to go on.
    """
    from filelock import FileLock, Timeout  # as in foundation.locks

    lock = FileLock(folder / _LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    if not still():
        lock.release()
        return None
    (folder / _RECORD).unlink(missing_ok=True)
    return lock


def _tail(path: Path, lines: int = 15) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
