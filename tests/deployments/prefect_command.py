"""Prefect's own command line, as the documents use it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PREFECT = [sys.executable, "-m", "prefect"]


def prefect(*arguments: str, **variables: str) -> None:
    """Run one command from the repository's root; it must succeed."""
    done = subprocess.run(
        [*PREFECT, *arguments], env={**os.environ, **variables}, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def keep_secret(name: str, value: str) -> None:
    """Make a block of a secret."""
    code = "import sys; from prefect.blocks.system import Secret; Secret(value=sys.argv[2]).save(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, name, value], check=True, cwd=ROOT)


@contextmanager
def worker(pool: str, kind: str, log: Path) -> Iterator[None]:
    """A worker of a pool while the block lasts; what it prints goes to ``log``."""
    command = [*PREFECT, "worker", "start", "--pool", pool, "--type", kind, "--install-policy", "never"]
    variables = {**os.environ, "PREFECT_WORKER_QUERY_SECONDS": "2", "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO"}
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=variables, stdout=output, stderr=output, cwd=log.parent)
    try:
        while b"started" not in log.read_bytes():
            assert process.poll() is None, log.read_text()
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(60)
