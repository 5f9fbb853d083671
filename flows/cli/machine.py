"""The commands about this machine and what lies on it. Like ``flows.cli.tree``, this imports nothing heavy."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from flows.cli import completion
from flows.cli.options import Json, TaskName, VariantOption, keep_for_json


def prepare(
    task: TaskName,
    variant: VariantOption = "mini",
    raw: Annotated[Path | None, typer.Option(help="Folder of source files fetched by hand.")] = None,
    as_json: Json = False,
) -> None:
    """Install what a task needs and make its data, once. A task that needs nothing has it made by its first run."""
    from flows.cli.commands.tasks import prepare_data

    prepare_data(task, variant, raw=raw, as_json=as_json)


def list_kind(
    kind: Annotated[
        str,
        typer.Argument(
            help="agents, actions, sandboxes, importers, columns or extras.", autocompletion=completion.kinds
        ),
    ],
    as_json: Json = False,
) -> None:
    """List agents, actions, sandboxes and what else has a name.

    These are agents, actions, sandboxes, importers, columns of the report and extras, each with where it lies.
    """
    from flows.cli.commands.listing import list_plugins

    list_plugins(kind, as_json=as_json)


def config(as_json: Json = False) -> None:
    """Say which settings hold here, and where each comes from."""
    from flows.cli.commands.config import print_config

    print_config(as_json=as_json)


def doctor(
    conformance: Annotated[
        bool, typer.Option("--conformance", help="Run the sandbox conformance suite on this machine.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say what works here: sandboxes, servers, store, libraries."""
    from flows.cli.commands.doctor import examine

    examine(conformance=conformance, as_json=as_json)


def ui(
    detach: Annotated[bool, typer.Option("--detach", help="Leave it running in the background.")] = False,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Servers only: runs wait for workers of other machines.")
    ] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop all of it.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Say what runs.")] = False,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; beyond 127.0.0.1, MLAB_AUTH=user:password is needed.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --status: print JSON for programs.", callback=keep_for_json)
    ] = False,
) -> None:
    """Open Prefect and MLflow. A worker does what is started there."""
    from flows.cli.commands import ui as services

    if as_json and not status:
        raise typer.BadParameter("goes with --status only", param_hint="--json")
    if stop:
        services.stop()
    elif status:
        services.status(as_json=as_json)
    else:
        services.start(detach=detach, host=host, worker=not no_worker)


def worker(
    pool: Annotated[str, typer.Option(help="Work pool, and name of its deployments.")] = "mlab",
    limit: Annotated[int, typer.Option(min=1, help="Runs at once.")] = 1,
) -> None:
    """Do the runs that wait in a pool of the Prefect server. It works until it is stopped."""
    from flows.cli.commands.worker import work

    work(pool, limit)


COMMANDS: dict[str, Callable[..., None]] = {
    "prepare": prepare,
    "list": list_kind,
    "config": config,
    "doctor": doctor,
    "ui": ui,
    "worker": worker,
}
