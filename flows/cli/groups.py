"""The command groups ``mlab tasks`` and ``mlab server``. Like ``flows.cli.tree``, this imports nothing heavy."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.options import Json, SandboxOption, TaskName, UnsafeOption, VariantOption, named_path

tasks = typer.Typer(help="List the tasks of the catalogue, or make and prove some.", rich_markup_mode=None)


@tasks.callback(invoke_without_command=True)
def tasks_list(context: typer.Context, as_json: Json = False) -> None:
    """List the tasks of the catalogue, or make and prove some."""
    if context.invoked_subcommand is None:
        from flows.cli.commands.catalogue import list_catalogue

        list_catalogue(as_json=as_json)


@tasks.command("verify")
def tasks_verify(
    task: TaskName,
    variant: VariantOption = "mini",
    sandbox: SandboxOption = "auto",
    unsafe_no_sandbox: UnsafeOption = False,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of the starter.")] = 8,
    as_json: Json = False,
) -> None:
    """Measure a task's figures again, and check it for leaks. Says what moved."""
    from flows.cli.commands.tasks import verify_task

    verify_task(task, variant, sandbox, unsafe=unsafe_no_sandbox, seeds=seeds, as_json=as_json)


@tasks.command("new")
def tasks_new(
    name: Annotated[str, typer.Argument(help="Name of the new task.")],
    folder: Annotated[Path, typer.Option(help="Where its folder is made.")] = Path(),
) -> None:
    """Make the folder of a new task. It works, and is there to be changed."""
    from flows.cli.commands.tasks import make_task

    make_task(name, folder)


@tasks.command("import")
def tasks_import(
    source: Annotated[
        Path, typer.Argument(help="Task folder of MLAgentBench or MLE-bench.", metavar="FOLDER", parser=named_path)
    ],
    folder: Annotated[Path, typer.Option(help="Where the new folder is made.")] = Path(),
    direction: Annotated[
        Literal["maximize", "minimize"] | None, typer.Option(help="Which way the score is better.")
    ] = None,
    raw: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="Files fetched by hand, in place of those that prepare.py downloads."
        ),
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Let the folder's own prepare.py reach the network from its sandbox.")
    ] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let the folder's own prepare.py run as you, outside any sandbox.")
    ] = False,
) -> None:
    """Make a task of another benchmark's folder. Its grader is run as it is, and marked as not hardened."""
    from flows.cli.commands.tasks import import_foreign

    import_foreign(source, folder, direction=direction, raw=raw, network=network, trusted=trust)


@tasks.command("export")
def tasks_export(
    task: TaskName,
    folder: Annotated[Path, typer.Option(help="Where the new folder is made.")] = Path(),
    variant: VariantOption = "mini",
    format_: Annotated[Literal["harbor"], typer.Option("--format", help="The format to write.")] = "harbor",
) -> None:
    """Write a task as a task folder of another harness."""
    del format_
    from flows.cli.commands.tasks import export_task

    export_task(task, variant, folder)


server = typer.Typer(
    help="Start, stop or look for the local Prefect server.", no_args_is_help=True, rich_markup_mode=None
)


@server.command("start")
def server_start() -> None:
    """Start the server, or say where it runs."""
    from flows.cli.commands.server import start

    start()


@server.command("stop")
def server_stop() -> None:
    """Stop the server."""
    from flows.cli.commands.server import stop

    stop()


@server.command("status")
def server_status(as_json: Json = False) -> None:
    """Say whether the server runs, and where."""
    from flows.cli.commands.server import status

    status(as_json=as_json)
