"""The command line. Signatures and help live here; what a command does is imported when it runs.

Help must appear at once, so this module imports nothing heavier than typer.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli.after_runs import COMMANDS as OF_RUNS
from flows.cli.completion import runs as ids_of_runs
from flows.cli.defaults import take_defaults
from flows.cli.groups import server, tasks
from flows.cli.machine import COMMANDS as OF_THE_MACHINE
from flows.cli.options import (
    AgentOption,
    GpusOption,
    Json,
    ModelOption,
    RunId,
    SandboxOption,
    SettingOption,
    ShareGpusOption,
    TaskName,
    UnsafeOption,
    VariantOption,
)
from flows.cli.own_packages import package_in_our_place
from foundation.errors import MlabError

_ALLOCATIONS_BETWEEN_LOOKS = 50_000

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


@app.command()
def run(
    task: TaskName,
    agent: AgentOption = None,
    variant: VariantOption = "mini",
    model: ModelOption = None,
    fast_model: Annotated[str | None, typer.Option(help="For summaries; default: the main model.")] = None,
    edit_model: Annotated[str | None, typer.Option(help="For edits; default: the main model.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the agent; scripts don't see it.")] = 0,
    sandbox: SandboxOption = "auto",
    gpus: GpusOption = None,
    share_gpus: ShareGpusOption = False,
    unsafe_no_sandbox: UnsafeOption = False,
    profile: Annotated[
        Literal["default", "paper"], typer.Option(help="Actions on offer and their wording.")
    ] = "default",
    setting: SettingOption = None,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Environment steps.")] = None,
    max_time: Annotated[float | None, typer.Option(min=1, help="Wall time in seconds.")] = None,
    max_working_time: Annotated[float | None, typer.Option(min=1, help="Wall time less waiting, in seconds.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of all models.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars.")] = None,
    max_training_runs: Annotated[int | None, typer.Option(min=1, help="Script executions.")] = None,
    max_disk: Annotated[float | None, typer.Option(min=1, help="MiB that the workspace may hold.")] = None,
    script_timeout: Annotated[float | None, typer.Option(min=1, help="Wall time of one script in seconds.")] = None,
    ask_person: Annotated[
        bool, typer.Option("--ask-person", help="Offer Request Help to the agent; answer with mlab answer.")
    ] = False,
    approve: Annotated[
        list[str] | None, typer.Option(help="An action a person must approve first; may be repeated.")
    ] = None,
    person_timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for a person.")] = 3600,
    literature: Annotated[
        bool, typer.Option("--literature", help="Offer Search Literature; the search itself uses the network.")
    ] = False,
    gateway: Annotated[
        bool, typer.Option("--gateway", help="Offer the run's models to scripts, on a local address, under the budget.")
    ] = False,
    recording: Annotated[str | None, typer.Option(help="Run whose decisions the replay agent repeats.")] = None,
    intermediate: Annotated[
        bool, typer.Option("--intermediate", help="Grade every step when the run is over; the agent never knows.")
    ] = False,
    guard: Annotated[
        bool, typer.Option("--guard", help="Tell the agent which of its statements the record contradicts.")
    ] = False,
    guard_model: Annotated[
        str | None, typer.Option(help="provider:model that reads for the guard; default: built-in rules.")
    ] = None,
    submit: Annotated[
        Literal["last", "best-validated"],
        typer.Option(help="Grade the last workspace, or that of the step whose training run was best on validation."),
    ] = "last",
    scripts_at_once: Annotated[
        int, typer.Option(min=1, max=64, help="Scripts that run at a time, in the background too; at most the cores.")
    ] = 1,
    interrupted_scripts: Annotated[
        Literal["ended", "rerun"],
        typer.Option(help="What becomes of a background script when the run is interrupted and resumed."),
    ] = "ended",
    memory: Annotated[
        str | None, typer.Option(help="Knowledge base that the agent may recall; made by mlab learn.")
    ] = None,
    memory_of_same_data: Annotated[
        bool, typer.Option("--memory-of-same-data", help="Also recall runs that were graded on the same hidden data.")
    ] = False,
    deployment: Annotated[
        str | None, typer.Option(help="Have a worker of this Prefect deployment do it, and follow it: mlab.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check all that is asked, and say what it would cost and take.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run an agent on a task, step by step, and grade it."""
    from flows.cli.commands.run import agent_for, new_config, parse_settings, plan_run, run_benchmark

    config = new_config(
        task=task,
        agent=agent_for(agent, model),
        variant=variant,
        model=model,
        fast_model=fast_model,
        edit_model=edit_model,
        seed=seed,
        sandbox=sandbox,
        gpus=gpus or "auto",
        share_gpus=share_gpus,
        profile=profile,
        settings=parse_settings(setting or []),
        recording=recording,
        intermediate=intermediate,
        guard=guard or guard_model is not None,
        guard_model=guard_model,
        submit=submit,
        scripts_at_once=scripts_at_once,
        interrupted_scripts=interrupted_scripts,
        literature=literature,
        memory=memory,
        memory_of_same_data=memory_of_same_data,
        gateway=gateway,
        budget={
            "steps": max_steps,
            "seconds": max_time,
            "working_seconds": max_working_time,
            "tokens": max_tokens,
            "money": max_cost,
            "training_runs": max_training_runs,
            "disk_mib": max_disk,
            "script_seconds": script_timeout,
        },
        people={"help": ask_person, "approve": approve or [], "timeout": person_timeout},
    )
    if dry_run:
        plan_run(config, as_json=as_json, unsafe=unsafe_no_sandbox)
    else:
        run_benchmark(config, as_json=as_json, unsafe=unsafe_no_sandbox, deployment=deployment)


@app.command()
def transfer(
    run: Annotated[str, typer.Option("--from", help="Id of the run whose script is taken, or its beginning.")],
    task: Annotated[str, typer.Option("--to", help="Name of a task, or the path of a task folder.")],
    mapping: Annotated[
        Path | None,
        typer.Option("--map", help="YAML: texts of the script, such as files and columns, and what they are."),
    ] = None,
    variant: VariantOption = "mini",
    seed: Annotated[int, typer.Option(min=0, help="Tells several of them apart; scripts don't see it.")] = 0,
    sandbox: SandboxOption = "auto",
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Apply the script that a run found to another task, train and grade it there, and compare the gains."""
    from flows.cli.commands.transfer import transfer_run

    fields = {"task": task, "variant": variant, "seed": seed, "sandbox": sandbox}
    transfer_run(run, mapping, fields, unsafe=unsafe_no_sandbox, as_json=as_json)


@app.command()
def sweep(
    file: Annotated[Path, typer.Argument(help="Sweep file: tasks, agents, models, settings, seeds.", metavar="FILE")],
    local: Annotated[int, typer.Option(min=1, help="Runs at once on this machine.")] = 2,
    deployment: Annotated[
        str | None, typer.Option(help="Have workers of this Prefect deployment do the runs instead: mlab.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, help="With --deployment: flow runs at once.")] = 16,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be run, and what it would cost.")] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Also run again what an agent failed at.")
    ] = False,
    intermediate: Annotated[
        bool, typer.Option("--intermediate", help="Grade every step of every run, also of those that are done.")
    ] = False,
    gpus: GpusOption = None,
    share_gpus: ShareGpusOption = False,
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Run many benchmark runs from one file; what is done already is skipped."""
    from flows.cli.commands.sweep import sweep_file

    sweep_file(
        file,
        at_once=at_once if deployment else local,
        deployment=deployment,
        dry_run=dry_run,
        retry_failed=retry_failed,
        intermediate=intermediate,
        gpus=gpus,
        share_gpus=share_gpus,
        unsafe=unsafe_no_sandbox,
        as_json=as_json,
    )


@app.command()
def resume(
    run: RunId,
    from_step: Annotated[
        int | None, typer.Option(min=0, help="Branch a new run off the checkpoint of this step instead.")
    ] = None,
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Continue a run from its last checkpoint, or branch a new one off an earlier step."""
    from flows.cli.commands.run import resume_run

    resume_run(run, from_step=from_step, as_json=as_json, unsafe=unsafe_no_sandbox)


@app.command()
def show(
    run: Annotated[
        str | None, typer.Argument(help="Id of a run; without it, all runs are listed.", autocompletion=ids_of_runs)
    ] = None,
    step: Annotated[int | None, typer.Option(min=0, help="Only this step, whole.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Everything written, done and observed, step by step.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="The search tree of an agent that searches.")] = False,
    as_json: Json = False,
) -> None:
    """Show a run: a line a step, and which statements do not stand up; --full or --step shows what was written."""
    from flows.cli.commands.show import list_all, show_run, show_tree

    if run is None:
        list_all(as_json=as_json)
    elif tree:
        show_tree(run, as_json=as_json)
    else:
        show_run(run, step=step, full=full, as_json=as_json)


@app.command()
def answer(
    run: RunId,
    text: Annotated[str, typer.Argument(help="The answer, or the reason for a refusal.")] = "",
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the action that waits for approval.")] = False,
) -> None:
    """Answer a run that waits for a person."""
    from flows.cli.commands.answer import answer_run

    answer_run(run, text, approved=not refuse)


for _name, _command in (OF_RUNS | OF_THE_MACHINE).items():
    app.command(_name)(_command)


def main() -> None:
    """Run the command line; whatever goes wrong is said in words, without a traceback."""
    if foreign := package_in_our_place():
        print(foreign, file=sys.stderr)  # what puts errors into words would be taken from there as well
        sys.exit(2)
    # What is imported stays; looking for what can be collected takes a fifth of the time that imports take.
    gc.set_threshold(_ALLOCATIONS_BETWEEN_LOOKS)
    try:
        app()
    except Exception as error:  # noqa: BLE001 - the last place where it can be put into words
        from flows.cli.failure import explain, in_words

        sys.exit(explain(error if isinstance(error, MlabError) else in_words(error)))
