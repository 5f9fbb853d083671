"""``mlab server``."""

from __future__ import annotations

from rich.console import Console

from flows.commands.output import print_json
from flows.server import LocalServer
from flows.settings import Settings


def start() -> None:
    """Start the local server and print its address."""
    Console().print(f"The Prefect server runs at {LocalServer(Settings()).ensure().ui_url}")


def stop() -> None:
    """Stop the local server."""
    stopped = LocalServer(Settings()).stop()
    Console().print("The Prefect server is stopped." if stopped else "No Prefect server was running.")


def status(*, as_json: bool) -> None:
    """Print whether the local server runs."""
    record = LocalServer(Settings()).running()
    if as_json:
        print_json({"running": record is not None, **({"pid": record.pid, "url": record.ui_url} if record else {})})
    else:
        Console().print(f"It runs at {record.ui_url} (process {record.pid})." if record else "It does not run.")
