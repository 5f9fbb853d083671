"""The commands that make a run go on. Like ``flows.cli.tree``, this imports nothing heavy."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import (
    GpusOption,
    Json,
    RunId,
    SandboxOption,
    ShareGpusOption,
    UnsafeOption,
    VariantOption,
    is_typed,
)
from flows.cli.run_options import RunOptions
from flows.cli.taking import taking


@taking(RunOptions)
def run(options: RunOptions) -> None:
    """Run an agent on a task, step by step, and grade it."""
    if not (options.dry_run or options.deployment):
        from flows.run.early import start_early

        start_early(options.task)
    from flows.cli.commands.asked import config_of

    config, unsafe = config_of(options), options.unsafe_no_sandbox
    if options.dry_run:
        from flows.cli.commands.plan import plan_run

        plan_run(config, as_json=options.as_json, unsafe=unsafe)
    else:
        from flows.cli.commands.run import run_benchmark

        run_benchmark(config, as_json=options.as_json, unsafe=unsafe, deployment=options.deployment)


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
    """Apply the script that a run found to another task.

    It is trained and graded there, and the gains are compared.
    """
    from flows.cli.commands.transfer import transfer_run

    fields = {"task": task, "variant": variant, "seed": seed, "sandbox": sandbox}
    transfer_run(run, mapping, fields, unsafe=unsafe_no_sandbox, as_json=as_json)


def sweep(
    context: typer.Context,
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
    """Run many benchmark runs from one file. What is done already is skipped."""
    if deployment and is_typed(context, "local"):
        raise typer.BadParameter("is for this machine; with --deployment it is --at-once", param_hint="--local")
    if not deployment and is_typed(context, "at_once"):
        raise typer.BadParameter("goes with --deployment only; on this machine it is --local", param_hint="--at-once")
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


def resume(
    run: RunId,
    from_step: Annotated[
        int | None, typer.Option(min=0, help="Branch a new run off the checkpoint of this step instead.")
    ] = None,
    unsafe_no_sandbox: UnsafeOption = False,
    as_json: Json = False,
) -> None:
    """Continue a run, or branch a new one off an earlier step.

    It goes on from its last checkpoint.
    """
    from flows.cli.commands.run import resume_run

    resume_run(run, from_step=from_step, as_json=as_json, unsafe=unsafe_no_sandbox)


def answer(
    run: RunId,
    text: Annotated[str, typer.Argument(help="The answer, or the reason for a refusal.")] = "",
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the action that waits for approval.")] = False,
) -> None:
    """Answer a run that waits for a person."""
    from flows.cli.commands.answer import answer_run

    answer_run(run, text, approved=not refuse)


COMMANDS: dict[str, Callable[..., None]] = {
    "run": run,
    "transfer": transfer,
    "sweep": sweep,
    "resume": resume,
    "answer": answer,
}
