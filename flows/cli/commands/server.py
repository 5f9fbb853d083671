"""``mlab server``."""

from __future__ import annotations

from environment.journal.runs import summaries
from environment.records import RunStatus
from environment.store import Store
from flows.cli.failure import say
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.services.server import prefect_service
from flows.settings import Settings


def start() -> None:
    """Start the local server and print its address."""
    settings = Settings()
    settings.make_home()
    service = prefect_service(settings)
    port = service.last_port()
    record = service.ensure()
    plain_console().print(f"The Prefect server runs at {record.url}")
    waiting = _waiting_runs(settings) if record.port != port else []
    if waiting:
        say(
            f"{_are(waiting)} under way and will wait in vain at port {port}, which another program has taken: "
            f"{', '.join(waiting)}\nStop each and go on with it: mlab resume RUN"
        )


def stop() -> None:
    """Stop the local server."""
    settings = Settings()
    settings.make_home()
    stopped = prefect_service(settings).stop()
    plain_console().print("The Prefect server is stopped." if stopped else "No Prefect server was running.")
    if stopped:
        tell_of_waiting_runs(settings)


def tell_of_waiting_runs(settings: Settings) -> None:
    """Say which runs of this home are under way without the server that was stopped."""
    waiting = _waiting_runs(settings)
    if waiting:
        say(
            f"{_are(waiting)} under way and will wait a quarter of an hour for a server: {', '.join(waiting)}\n"
            "Start it again with: mlab server start; a run that waited in vain can be resumed."
        )


def _waiting_runs(settings: Settings) -> list[str]:
    """Runs under way that look for the local server; none where another one is configured."""
    if settings.prefect_api_url is not None:
        return []
    return [found.run_id for found in summaries(Store(settings.store_url)) if found.status is RunStatus.RUNNING]


def _are(runs: list[str]) -> str:
    return "A run is" if len(runs) == 1 else f"{len(runs)} runs are"


def status(*, as_json: bool) -> None:
    """Print whether the local server runs."""
    record = prefect_service(Settings()).running()
    if as_json:
        print_json({"running": record is not None, **({"pid": record.pid, "url": record.url} if record else {})})
    else:
        plain_console().print(f"It runs at {record.url} (process {record.pid})." if record else "It does not run.")
