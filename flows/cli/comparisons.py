"""The commands that hold runs against one another. Like ``flows.cli.tree``, this imports nothing heavy."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import (
    AgentRuns,
    Json,
    ModelOption,
    RunsSinceOption,
    SettingOption,
    SomeRuns,
    SweepRuns,
    TaskRuns,
    UnsafeOption,
    VariantOption,
)


def report(
    runs: SomeRuns = None,
    sweep: SweepRuns = None,
    task: TaskRuns = None,
    agent: AgentRuns = None,
    since: RunsSinceOption = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder to write to.")] = None,
    as_json: Json = False,
) -> None:
    """Write the HTML report, which opens offline, and its tables."""
    from flows.cli.commands.choice import Choice
    from flows.cli.commands.report import write_report

    write_report(Choice(tuple(runs or ()), sweep, task, agent, since), out=out, as_json=as_json)


def paper(
    runs: SomeRuns = None,
    sweep: SweepRuns = None,
    task: TaskRuns = None,
    agent: AgentRuns = None,
    variant: VariantOption = "full",
    as_json: Json = False,
) -> None:
    """Print the paper's tables from runs, beside its figures. They are success, improvement, efficiency."""
    from flows.cli.commands.choice import Choice
    from flows.cli.commands.paper import print_paper

    print_paper(Choice(tuple(runs or ()), sweep, task, agent), variant, as_json=as_json)


def ablate(
    agent: Annotated[str, typer.Argument(help="Name of an agent, or module:Class.")],
    switch: Annotated[str, typer.Option(help="Settings to turn off one at a time: log,fact_check,history=0,guard")],
    tasks: Annotated[str, typer.Option(help="Tasks, with commas between them.")],
    model: ModelOption = None,
    setting: SettingOption = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each task and switch.")] = 3,
    variant: VariantOption = "mini",
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars for each run.")] = None,
    local: Annotated[int, typer.Option(min=1, help="Runs at once on this machine.")] = 2,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be run, and what it would cost.")] = False,
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Find out what each switch of an agent is worth. It runs with each of them off in turn."""
    from flows.cli.commands.ablate import Asked, ablate_agent
    from flows.cli.pairs import parse_settings

    names, of_tasks = (tuple(filter(None, map(str.strip, text.split(",")))) for text in (switch, tasks))
    asked = Asked(agent, names, of_tasks, model, parse_settings(setting or []), seeds, variant, max_cost)
    ablate_agent(asked, at_once=local, dry_run=dry_run, unsafe=unsafe_no_sandbox, as_json=as_json)


def best_of(
    number: Annotated[int, typer.Argument(min=2, metavar="N", help="Runs that one is chosen from.")],
    runs: SomeRuns = None,
    sweep: SweepRuns = None,
    task: TaskRuns = None,
    agent: AgentRuns = None,
    as_json: Json = False,
) -> None:
    """Let the best of N runs count, by validation data. They differ in their seed alone; all are paid."""
    from flows.cli.commands.best_of import choose_best
    from flows.cli.commands.choice import Choice

    choose_best(number, Choice(tuple(runs or ()), sweep, task, agent), as_json=as_json)


COMMANDS: dict[str, Callable[..., None]] = {
    "report": report,
    "best-of": best_of,
    "paper": paper,
    "ablate": ablate,
}
