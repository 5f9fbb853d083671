"""``mlab server``."""

from __future__ import annotations

from rich.console import Console

from flows.cli.output import print_json
from flows.services.server import prefect_service
from flows.settings import Settings


def start() -> None:
    """Start the local server and print its address."""
    Console().print(f"The Prefect server runs at {prefect_service(Settings()).ensure().url}")


def stop() -> None:
    """Stop the local server."""
    stopped = prefect_service(Settings()).stop()
    Console().print("The Prefect server is stopped." if stopped else "No Prefect server was running.")


def status(*, as_json: bool) -> None:
    """Print whether the local server runs."""
    record = prefect_service(Settings()).running()
    if as_json:
        print_json({"running": record is not None, **({"pid": record.pid, "url": record.url} if record else {})})
    else:
        Console().print(f"It runs at {record.url} (process {record.pid})." if record else "It does not run.")
