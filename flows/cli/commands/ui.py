"""``mlab ui``: Prefect, MLflow and a worker, started together and stopped together."""

from __future__ import annotations

import shlex
import signal
import threading
from urllib.parse import quote

from rich.console import Console

from environment.records.display import joined
from environment.store import Store
from flows.cli.commands.server import tell_of_waiting_runs
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.services.mlflow_server import mlflow_service, start_mlflow
from flows.services.password import credentials
from flows.services.processes import Service
from flows.services.server import api_url, connect, prefect_service
from flows.services.sign_in import SIGN_IN
from flows.services.variables import configure_process
from flows.services.worker import hear_interrupts, worker_service
from flows.settings import LOOPBACK, Settings, choose

SHORTEST_PASSWORD = 12  # MLflow takes no shorter one


def start(*, detach: bool, host: str | None = None, worker: bool = True) -> None:
    """Start what does not run yet, register the deployments, and print the addresses.

    Without ``worker``, runs that are started there wait for workers of other machines.
    Without ``detach`` it stays until it is interrupted, and then stops what it started itself; so it does where it is
    interrupted or fails before all of them run.

    Raises:
        UsageError: The servers would listen beyond loopback without a password.
    """
    if host is not None:
        choose(host=host)
    settings, console = Settings(), plain_console()
    _check_exposure(settings)
    configure_process(settings)
    mine = [service for service in services(settings) if service.running() is None]
    try:
        with console.status("starting Prefect, MLflow and a worker"):
            prefect_url, mlflow_url, deployments = _begin(settings, worker=worker)
    except BaseException:
        _stop(mine, plain_console(stderr=True))
        raise
    _print_pages(prefect_url, mlflow_url, settings, console)
    ready = "Ready: a worker waits" if worker else "Start workers elsewhere, with mlab worker,"
    console.print(f"{ready} for {joined(deployments)}.")
    _print_variables(prefect_url, settings, console)
    if detach:
        console.print("Stop all of it with: mlab ui --stop")
        return
    console.print("Press Ctrl-C to stop.")
    _wait_for_signal()
    _stop(mine, console)


def _begin(settings: Settings, *, worker: bool) -> tuple[str, str, list[str]]:
    """The addresses of Prefect and MLflow, and the names of the deployments."""
    prefect_url = connect(settings)
    mlflow_url = start_mlflow(settings)
    from flows.deploying.register import register
    from flows.run.flow_runs import crash_dead

    deployments = register()
    crash_dead(Store(settings.store_url))
    if worker:
        hear_interrupts()
        worker_service(settings, api_url(prefect_url)).ensure()
    return prefect_url, mlflow_url, deployments


def _check_exposure(settings: Settings) -> None:
    user, _, password = (settings.auth.get_secret_value() if settings.auth else "").partition(":")
    if settings.host != LOOPBACK and not (user and len(password) >= SHORTEST_PASSWORD):
        raise UsageError(
            f"On {settings.host} others can reach the servers, which must then ask for a password.",
            hint=f"Set MLAB_AUTH=user:password, with {SHORTEST_PASSWORD} characters or more behind the colon.",
        )
    for service in (prefect_service(settings), mlflow_service(settings)):
        record = service.running()
        if record is not None and record.host != service.host:
            hint = "Stop it first, with: mlab ui --stop"
            raise UsageError(f"{service.name} already runs, and listens on {record.host}.", hint=hint)


def stop() -> None:
    """Stop everything that runs in this home folder."""
    settings = Settings()
    settings.make_home()
    had_server = prefect_service(settings).running() is not None
    _stop(services(settings), plain_console())
    if had_server:
        tell_of_waiting_runs(settings)


def status(*, as_json: bool) -> None:
    """Print what runs."""
    settings = Settings()
    found = [(service, service.running()) for service in services(settings)]
    if as_json:
        print_json({service.name: record.url if record else None for service, record in found})
        return
    print_table(
        [
            {"service": service.name, "state": f"{record.url} (process {record.pid})" if record else "does not run"}
            for service, record in found
        ]
    )
    prefect, mlflow = prefect_service(settings).running(), mlflow_service(settings).running()
    if prefect is not None and mlflow is not None:
        _print_pages(prefect.url, mlflow.url, settings, plain_console())
    if prefect is not None:
        _print_variables(prefect.url, settings, plain_console())


def _print_pages(prefect_url: str, mlflow_url: str, settings: Settings, console: Console) -> None:
    """Addresses that open the pages signed in, for the owner of the terminal."""
    known = credentials(settings)
    user, _, password = (quote(part, safe="") for part in known.partition(":"))
    pages = [
        f"Prefect  {prefect_url}{SIGN_IN}#{quote(known, safe='')}",
        f"MLflow   {mlflow_url.replace('://', f'://{user}:{password}@')}{SIGN_IN}",
    ]
    warning = "These open signed in; who has them can start programs here:"
    console.print(warning, *pages, sep="\n  ", soft_wrap=True)


def _print_variables(prefect_url: str, settings: Settings, console: Console) -> None:
    """What a shell needs before commands of Prefect's own reach the server."""
    lines = [f"export PREFECT_API_URL={api_url(prefect_url)}"]
    known = '"$MLAB_AUTH"' if settings.auth else f'"$(cat {shlex.quote(str(settings.layout.password))})"'
    lines.append(f"export PREFECT_API_AUTH_STRING={known}")
    console.print("For the prefect command:", *lines, sep="\n  ", soft_wrap=True)


def services(settings: Settings) -> list[Service]:
    """All that ``mlab ui`` may start, in the order to stop it."""
    prefect_api = settings.prefect_api_url or ""
    return [worker_service(settings, prefect_api), mlflow_service(settings), prefect_service(settings)]


def _stop(running: list[Service], console: Console) -> None:
    stopped = [service.name for service in running if service.stop()]
    names = joined([name.removeprefix("The ") for name in stopped])
    console.print(f"Stopped: {names}." if stopped else "Nothing was running.")


def _wait_for_signal() -> None:
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    ended.wait()
