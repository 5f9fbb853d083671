"""The commands. Signatures and help live beside this; what a command does is imported when it runs.

Help must appear at once, so no module with signatures imports anything heavier than typer.
"""

from typing import Annotated

import typer

from flows.cli.after_runs import COMMANDS as AFTER_RUNS
from flows.cli.comparisons import COMMANDS as COMPARISONS
from flows.cli.defaults import TellingCommand, take_defaults
from flows.cli.groups import server, tasks
from flows.cli.machine import COMMANDS as OF_THE_MACHINE
from flows.cli.runs import COMMANDS as OF_RUNS

app = typer.Typer(
    name="mlab",
    help="Can an AI agent do machine-learning experiments, and is what it says about them true?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(tasks, name="tasks")
app.add_typer(server, name="server")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"mlab {version('mlagentbench-prefect')}")
        raise typer.Exit


@app.callback()
def _global_options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say the version and stop.")
    ] = False,
) -> None:
    del version
    take_defaults(context)


for _name, _command in (OF_RUNS | AFTER_RUNS | COMPARISONS | OF_THE_MACHINE).items():
    app.command(_name, cls=TellingCommand)(_command)
