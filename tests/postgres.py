"""A PostgreSQL server of the tests' own, on loopback or on the address of a network namespace."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flows.services.addresses import free_port

USER = "postgres"


def binaries() -> Path | None:
    """The folder of the server's programs, or ``None`` where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


@dataclass(frozen=True)
class Postgres:
    """One running server; anybody who reaches its address may do anything."""

    folder: Path
    host: str
    port: int

    def url(self, database: str, driver: str) -> str:
        """The SQLAlchemy address of a database."""
        return f"postgresql+{driver}://{USER}@{self.host}:{self.port}/{database}"

    def create(self, *databases: str) -> None:
        """Make databases."""
        for database in databases:
            _run("createdb", "-h", self.host, "-p", str(self.port), "-U", USER, database)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses={self.host} -k {self.folder}"
        _run("pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o", options, "-w", "start")

    def stop(self) -> None:
        """Stop it as a crash would."""
        _run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")


@contextmanager
def postgres_server(host: str = "127.0.0.1") -> Iterator[Postgres]:
    """Start a server with an empty data folder; it ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="mlab-postgres-"))
    if os.getuid() == 0:
        shutil.chown(folder, USER)
    _run("initdb", "-D", str(folder / "data"), "-U", USER, "--auth=trust", "--no-sync")
    with (folder / "data" / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {host}/16 trust\n")
    server = Postgres(folder, host, free_port(0))
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _run(program: str, *arguments: str) -> None:
    """Run one of the server's programs, which refuse to work for root."""
    folder = binaries()
    if folder is None:
        raise FileNotFoundError("PostgreSQL is not installed")
    command = [str(folder / program), *arguments]
    if os.getuid() == 0:
        command = ["runuser", "-u", USER, "--", *command]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd="/tmp")
