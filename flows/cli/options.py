"""Options and arguments that several commands take.

Here and where commands have their signatures, annotations are not postponed: typer would compile each of them anew,
those of all commands for any one.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli import completion
from flows.cli.standard_output import kept_for_programs


def keep_for_json(context: typer.Context, wanted: bool) -> bool:
    """The callback of ``--json``: standard output is kept for the document to the end of the command."""
    if wanted:
        context.find_root().with_resource(kept_for_programs())  # one of a command with a fault is never left
    return wanted


def is_typed(context: typer.Context, name: str) -> bool:
    """Whether an option stands in the command line, and not in a file of defaults."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def named_path(written: str) -> Path:
    """A path that somebody named; the value of a variable that is not set names none, and not the current folder."""
    if not written:
        raise typer.BadParameter("An empty name is no path. The folder that you are in is called `.`.")
    return Path(written)


Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Print JSON for programs, and nothing else, on standard output.", callback=keep_for_json
    ),
]
RunId = Annotated[
    str,
    typer.Argument(help="Id of a run; a unique beginning is enough.", metavar="RUN", autocompletion=completion.runs),
]
TaskName = Annotated[
    str,
    typer.Argument(help="Name in the catalogue, or a task folder.", metavar="TASK", autocompletion=completion.tasks),
]
AgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent",
        "-a",
        help="Name of an agent, or module:Class; default: research with a model, tuner without one.",
        autocompletion=completion.agents,
    ),
]
ModelOption = Annotated[str | None, typer.Option(help="provider:model, for agents that use one.")]
SettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A setting of the agent or of model., name=value; may be repeated."
    ),
]
VariantName = Literal["mini", "full"]
VariantOption = Annotated[VariantName, typer.Option(help="mini: small and offline; full: the benchmark's own data.")]
SandboxOption = Annotated[
    str,
    typer.Option(
        help="Where scripts run: auto (Docker if it answers), docker, bubblewrap, none, or a package's.",
        autocompletion=completion.sandboxes,
    ),
]
GpusOption = Annotated[
    str | None,
    typer.Option(
        metavar="N|id:0,2|none",
        help="GPUs that scripts see: how many, or which; default: one where the task can use it and one is free.",
    ),
]
ShareGpusOption = Annotated[
    bool, typer.Option("--share-gpus", help="Let other runs that say so, too, use the same GPUs.")
]
UnsafeOption = Annotated[
    bool, typer.Option("--unsafe-no-sandbox", help="Allow runs without a sandbox; every record says so.")
]
_MOMENTS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
_WRITTEN = "local time: 2026-01-31 or 2026-01-31T14:00"
SinceOption = Annotated[
    datetime | None,
    typer.Option(formats=_MOMENTS, metavar="DATE", help=f"Only logs that were written to since then, {_WRITTEN}."),
]
RunsSinceOption = Annotated[
    datetime | None,
    typer.Option(
        "--since", formats=_MOMENTS, metavar="DATE", help=f"Only runs whose first step began since then, {_WRITTEN}."
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="The format of the logs, by its name in `mlab list importers`.",
        autocompletion=completion.formats,
    ),
]
SomeRuns = Annotated[
    list[str] | None,
    typer.Argument(help="Ids of runs; default: all in the store.", autocompletion=completion.runs),
]
SweepRuns = Annotated[
    str | None, typer.Option("--sweep", help="Only runs of this sweep.", autocompletion=completion.sweeps)
]
TaskRuns = Annotated[
    str | None, typer.Option("--task", help="Only runs of this task.", autocompletion=completion.tasks)
]
AgentRuns = Annotated[
    str | None, typer.Option("--agent", help="Only runs of this agent.", autocompletion=completion.agents)
]
