"""The compose file as shipped, with stand-ins of this machine for the images that others publish."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from docker import APIClient

from tests.deployments.prefect_command import ROOT
from tests.deployments.worker_image import TESTS, stand_in, worker_image
from tests.postgres import binaries

DEPLOYMENTS = ROOT / "deployments"
OURS = ("bucket", "prefect", "mlflow", "deployments", "worker")
# What the entrypoint of PostgreSQL's own image does with the variables and files that the compose file gives it.
_POSTGRES = """
set -e
if [ ! -s "$$PGDATA/PG_VERSION" ]; then
    echo "$$POSTGRES_PASSWORD" >/tmp/password
    initdb -D "$$PGDATA" -U "$$POSTGRES_USER" -E UTF8 --no-locale --pwfile=/tmp/password --auth-host=scram-sha-256
    echo "host all all all scram-sha-256" >>"$$PGDATA/pg_hba.conf"
    pg_ctl -D "$$PGDATA" -o "-c listen_addresses=" -w start
    createdb -U "$$POSTGRES_USER" "$$POSTGRES_DB"
    for file in /docker-entrypoint-initdb.d/*.sql; do
        psql -U "$$POSTGRES_USER" -d "$$POSTGRES_DB" -v ON_ERROR_STOP=1 -f "$$file"
    done
    pg_ctl -D "$$PGDATA" -m fast -w stop
fi
exec postgres -D "$$PGDATA" -c "listen_addresses=*"
"""


def missing() -> str | None:
    """Why nothing can be composed here, or ``None``."""
    if binaries() is None:
        return "PostgreSQL is not installed"
    found = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return "docker compose is not installed" if found.returncode else None


class Site(NamedTuple):
    """All services, and the passwords they ask for."""

    files: list[str]
    passwords: dict[str, str]

    def compose(self, *arguments: str, timeout: float = 600) -> str:
        """What one command of ``docker compose`` prints; it must succeed."""
        done = self.attempt(*arguments, timeout=timeout)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def attempt(self, *arguments: str, timeout: float = 600) -> subprocess.CompletedProcess[str]:
        """Run one command of ``docker compose``."""
        command = ["docker", "compose", *self.files, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL
        )

    def mlab(self, *arguments: str) -> Any:
        """What a command of ours says, run beside a worker as the documents have it."""
        return json.loads(self.compose("exec", "-T", "worker", "mlab", *arguments, "--json"))

    def states(self) -> dict[str, str]:
        """Each container's service and how it is: its health, else its exit code, else its state."""
        lines = self.compose("ps", "--all", "--format", "json").splitlines()
        found = [json.loads(line) for line in lines]
        return {each["Name"]: each["Health"] or f"{each['State']} {each['ExitCode']}" for each in found}


def describe(client: APIClient, folder: Path) -> Site:
    """Write the passwords and the stand-ins into a folder."""
    passwords = _passwords()
    (folder / "compose.env").write_text("".join(f"{name}={value}\n" for name, value in passwords.items()))
    (folder / "stand-ins.yaml").write_text(json.dumps({"services": _services(client)}))
    files = (f"{DEPLOYMENTS}/compose.yaml", f"{folder}/stand-ins.yaml")
    chosen = [argument for file in files for argument in ("-f", file)]
    return Site(["--env-file", f"{folder}/compose.env", *chosen], passwords)


def _passwords() -> dict[str, str]:
    """Every variable of the example; those that it leaves open get a value of their own."""
    lines = (DEPLOYMENTS / "compose.env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    chosen = {name: value or f"chosen-{os.urandom(12).hex()}" for name, value in given.items() if "API_KEY" not in name}
    return {**chosen, "PREFECT_AUTH": f"mlab:{chosen['PREFECT_AUTH']}"}


def _services(client: APIClient) -> dict[str, dict[str, Any]]:
    ours, other = worker_image(client), stand_in(client)
    programs = f"{binaries()}:/usr/local/bin:/usr/bin:/bin"
    postgres = {
        "entrypoint": ["sh", "-c", _POSTGRES],
        "environment": {"PATH": programs, "PGDATA": "/var/lib/postgresql/data"},
    }
    objects = {"command": ["moto_server", "-H", "0.0.0.0", "-p", "9000"]}
    stand_ins: dict[str, dict[str, Any]] = {"postgres": postgres, "objects": objects}
    environment = {"PYTHONPATH": TESTS}
    return {
        **{name: {"image": ours.name, "volumes": ours.volumes, "environment": environment} for name in OURS},
        **{name: {**said, "image": other.name, "volumes": other.volumes} for name, said in stand_ins.items()},
    }
