"""The commands of ``mlab tasks`` that make, prove and import a task, and ``mlab prepare``."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from environment.records.display import NONE, counted, number
from evaluation.foreign import InSandbox
from evaluation.verify import verify
from flows.cli.failure import FAILED
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.data import data_of
from flows.errors import UsageError
from flows.grading.proofs import CHEATS, adversary_faults, broken_submissions, scored_faults
from flows.settings import Settings, choose
from tasks_catalog.catalog import load_task
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.extras import install_extras
from tasks_catalog.library.foreign import (
    fetched_when_grading,
    fetched_when_preparing,
    gaps,
    gaps_of_starter,
    import_task,
)
from tasks_catalog.library.foreign.harbor import export_harbor
from tasks_catalog.library.foreign_code import unsandboxed
from tasks_catalog.library.skeleton import new_task
from tasks_catalog.library.spec import Direction, Figure, Variant


def prepare_data(name: str, variant: str, *, raw: Path | None, as_json: bool) -> None:
    """Install what the task needs, make its data and say where it lies."""
    settings, console = Settings(), plain_console(stderr=as_json)
    task, which = load_task(name), Variant(variant)
    with console.status(Text(f"installing what {task.name} needs")):
        installed = install_extras(task.spec.extras)
    if installed:
        console.print(f"installed {installed}")
    with console.status(Text(f"making the data of {task.name}")):
        data = data_of(task, which, settings, raw)
    if as_json:
        print_json(data.model_dump(mode="json"))
    else:
        console.print(f"{task.name}, {which} data: {data.public.parent}\ndigest {data.digest}", soft_wrap=True)


def verify_task(name: str, variant: str, sandbox: str, *, unsafe: bool, seeds: int, as_json: bool) -> None:
    """Measure a task's figures and print them beside what is wrong; exits with 1 where something is."""
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings, console = Settings(), plain_console(stderr=as_json)
    task, which = load_task(name), Variant(variant)
    opened = settings.open_sandbox(sandbox, f"verify-{task.name}")
    data = data_of(task, which, settings)
    found = verify(task, which, data, opened, seeds=seeds, progress=console.print)
    with console.status("trying broken submissions and adversaries"):
        reasons = broken_submissions(task, data, opened)
        faults = (*found.faults, *scored_faults(reasons), *adversary_faults(task, which, data, opened))
        found = found.model_copy(update={"faults": faults})
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        console.print(f"baseline {_figure(found.baseline)}, reference {_figure(found.reference)}")
        for fault in found.faults:
            console.print(Text(fault, style="red"))
        if not found.faults:
            console.print(Text(_all_in_order(len(reasons)), style="green"), soft_wrap=not console.is_terminal)
    if found.faults:
        raise SystemExit(FAILED)


def _all_in_order(refused: int) -> str:
    """What was tried, of a task without a fault; only a submission in one table is spoiled."""
    broken = f"{counted(refused, 'broken submission')} refused" if refused else "no broken submissions were tried"
    return (
        "All is in order: the figures hold, the solution beats the starter, no leaks, "
        f"{broken}, and the agents {' and '.join(CHEATS)} had no success."
    )


def make_task(name: str, folder: Path) -> None:
    """Make the folder of a new task.

    Raises:
        UsageError: No folder can be made under that name there.
    """
    try:
        task = new_task(name, folder)
    except TaskError as error:
        hint = error.hint or "Give another name, or another place with --folder."
        raise UsageError(error.message, hint=hint) from error
    plain_console().print(f"{task.root}\nProve it with: mlab tasks verify {task.root}", soft_wrap=True)


def import_foreign(
    source: Path, folder: Path, *, direction: str | None, raw: Path | None, network: bool, trusted: bool
) -> None:
    """Make a task of another benchmark's folder."""
    wanted = Direction(direction) if direction else None
    run = unsandboxed if trusted else InSandbox(network=network)
    task = import_task(source, folder, direction=wanted, run=run, trusted=trusted, network=network, raw=raw)
    console = plain_console()
    console.print(f"{task.root}\nRun it with: mlab run {task.root}", soft_wrap=True)
    console.print(f"Run its starter alone and measure it with: mlab tasks verify {task.root}", soft_wrap=True)
    _tell(console, "Before that, it needs what is missing here:", gaps(task), "red")
    _tell(console, "Its starter, and so every agent, misses here:", gaps_of_starter(task), "yellow")
    if not network and not trusted and raw is None:
        headline = "Its prepare.py fetches data, which takes --network when it is imported, or --raw with the files:"
        _tell(console, headline, fetched_when_preparing(task), "yellow")
    fetched = fetched_when_grading(task)
    _tell(console, "Its grader fetches data and has no network: let it read files beside it.", fetched, "yellow")


def _tell(console: Console, headline: str, lines: list[str], style: str) -> None:
    if lines:
        console.print(headline, soft_wrap=True)
    for line in lines:
        console.print(Text(f"  {line}", style=style), soft_wrap=True)


def export_task(name: str, variant: str, folder: Path) -> None:
    """Write a task as a Harbor task folder."""
    task, which = load_task(name), Variant(variant)
    data = data_of(task, which, Settings())
    plain_console().print(str(export_harbor(task, which, data, folder)), soft_wrap=True)


def _figure(figure: Figure | None) -> str:
    if figure is None:
        return NONE
    spread = f" ± {number(figure.std)}" if figure.std else ""
    return f"{number(figure.mean)}{spread}"
