"""The options of ``mlab run``. Like ``flows.cli.tree``, this imports nothing heavy."""

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from flows.cli.options import (
    AgentOption,
    GpusOption,
    Json,
    ModelOption,
    SandboxOption,
    SettingOption,
    ShareGpusOption,
    TaskName,
    UnsafeOption,
    VariantOption,
)


@dataclass(frozen=True)
class RunOptions:
    """What a run is asked by, in the order of the help; what is called as a field of a run's config is that field."""

    task: TaskName
    agent: AgentOption = None
    variant: VariantOption = "mini"
    model: ModelOption = None
    fast_model: Annotated[str | None, typer.Option(help="For summaries; default: the main model.")] = None
    edit_model: Annotated[str | None, typer.Option(help="For edits; default: the main model.")] = None
    seed: Annotated[int, typer.Option(min=0, help="Seed of the agent; scripts don't see it.")] = 0
    sandbox: SandboxOption = "auto"
    gpus: GpusOption = None
    share_gpus: ShareGpusOption = False
    unsafe_no_sandbox: UnsafeOption = False
    profile: Annotated[Literal["default", "paper"], typer.Option(help="Actions on offer and their wording.")] = (
        "default"
    )
    setting: SettingOption = None
    max_steps: Annotated[int | None, typer.Option(min=1, help="Environment steps.")] = None
    max_time: Annotated[float | None, typer.Option(min=1, help="Wall time in seconds.")] = None
    max_working_time: Annotated[float | None, typer.Option(min=1, help="Wall time less waiting, in seconds.")] = None
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of all models.")] = None
    max_cost: Annotated[float | None, typer.Option(min=0.001, help="US dollars.")] = None
    max_training_runs: Annotated[int | None, typer.Option(min=1, help="Script executions.")] = None
    max_disk: Annotated[float | None, typer.Option(min=1, help="MiB that the workspace may hold.")] = None
    script_timeout: Annotated[float | None, typer.Option(min=1, help="Wall time of one script in seconds.")] = None
    ask_person: Annotated[
        bool, typer.Option("--ask-person", help="Offer Request Help to the agent; answer with mlab answer.")
    ] = False
    approve: Annotated[
        list[str] | None,
        typer.Option(help="An action a person must approve first, such as 'Execute Script'; may be repeated."),
    ] = None
    person_timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for a person.")] = 3600
    literature: Annotated[
        bool, typer.Option("--literature", help="Offer Search Literature; the search itself uses the network.")
    ] = False
    gateway: Annotated[
        bool, typer.Option("--gateway", help="Offer the run's models to scripts, on a local address, under the budget.")
    ] = False
    recording: Annotated[str | None, typer.Option(help="Run whose decisions the replay agent repeats.")] = None
    intermediate: Annotated[
        bool, typer.Option("--intermediate", help="Grade every step when the run is over; the agent never knows.")
    ] = False
    guard: Annotated[
        bool, typer.Option("--guard", help="Tell the agent which of its statements the record contradicts.")
    ] = False
    guard_model: Annotated[
        str | None, typer.Option(help="provider:model that reads for the guard; default: built-in rules.")
    ] = None
    submit: Annotated[
        Literal["last", "best-validated"],
        typer.Option(help="Grade the last workspace, or that of the step whose training run was best on validation."),
    ] = "last"
    scripts_at_once: Annotated[
        int, typer.Option(min=1, max=64, help="Scripts that run at a time, in the background too; at most the cores.")
    ] = 1
    interrupted_scripts: Annotated[
        Literal["ended", "rerun"],
        typer.Option(help="What becomes of a background script when the run is interrupted and resumed."),
    ] = "ended"
    memory: Annotated[
        str | None, typer.Option(help="Knowledge base that the agent may recall; made by mlab learn.")
    ] = None
    memory_of_same_data: Annotated[
        bool, typer.Option("--memory-of-same-data", help="Also recall runs that were graded on the same hidden data.")
    ] = False
    deployment: Annotated[
        str | None, typer.Option(help="Have a worker of this Prefect deployment do it, and follow it: mlab.")
    ] = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check all that is asked, and say what it would cost and take.")
    ] = False
    as_json: Json = False

    @property
    def budget(self) -> dict[str, float | None]:
        """The limits, as a run's config calls them."""
        return {
            "steps": self.max_steps,
            "seconds": self.max_time,
            "working_seconds": self.max_working_time,
            "tokens": self.max_tokens,
            "money": self.max_cost,
            "training_runs": self.max_training_runs,
            "disk_mib": self.max_disk,
            "script_seconds": self.script_timeout,
        }

    @property
    def people(self) -> dict[str, object]:
        """What people have to do with it, as a run's config calls that."""
        return {"help": self.ask_person, "approve": self.approve or [], "timeout": self.person_timeout}
