"""The commands that make a run go on. Like ``flows.cli.tree``, this imports nothing heavy."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

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
    is_typed,
)


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
        list[str] | None,
        typer.Option(help="An action a person must approve first, such as 'Execute Script'; may be repeated."),
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
    if not (dry_run or deployment):
        from flows.run.early import start_early

        start_early(task)
    from flows.cli.commands.asked import agent_for, new_config
    from flows.cli.pairs import parse_settings

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
        from flows.cli.commands.plan import plan_run

        plan_run(config, as_json=as_json, unsafe=unsafe_no_sandbox)
    else:
        from flows.cli.commands.run import run_benchmark

        run_benchmark(config, as_json=as_json, unsafe=unsafe_no_sandbox, deployment=deployment)


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
