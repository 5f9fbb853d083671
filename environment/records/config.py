"""What is asked of a benchmark run, and what its result depends on besides."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from environment.gpus.choice import AUTO, Gpus
from foundation.records import Record
from foundation.storable import JsonObject, Text
from tasks_catalog.library.spec import Variant

ProfileName: TypeAlias = Literal["default", "paper"]
InterruptedScripts: TypeAlias = Literal["ended", "rerun"]
"""``ended``: the agent is told that it is gone; ``rerun``: it begins anew, in the workspace as it was committed."""
SubmitRule: TypeAlias = Literal["last", "best-validated"]
"""Which workspace is graded: the last one, or that of the step whose training run was best on validation data."""
LAST: SubmitRule = "last"
BEST_VALIDATED: SubmitRule = "best-validated"


MOST = 2**63 - 1
"""The largest whole number that tables and MLflow hold."""
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]
"""At most some thirty years, which clocks can still count."""
Amount: TypeAlias = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]
"""US dollars, or MiB."""
Count: TypeAlias = Annotated[int, Field(ge=1, le=MOST)]


IMPORTED = "imported"
"""Tag of a run that was read off another's log, which may say anything."""


class Budget(Record):
    """Limits of a benchmark run; ``None`` is no limit."""

    steps: Count | None = Field(default=None, description="environment steps")
    seconds: Seconds | None = Field(default=None, description="wall time")
    working_seconds: Seconds | None = Field(default=None, description="wall time less waiting")
    tokens: Count | None = Field(default=None, description="prompt and completion tokens of all models")
    money: Amount | None = Field(default=None, description="US dollars")
    training_runs: Count | None = Field(default=None, description="script executions")
    script_seconds: Seconds | None = Field(default=None, description="wall time of one script")
    disk_mib: Amount | None = Field(default=None, description="what the workspace may hold, in MiB")


class Branch(Record):
    """Where a run branched off another one."""

    run_id: str
    step: int = Field(ge=0, description="the last step taken over")


class People(Record):
    """When a run waits for a person, and what happens when nobody answers."""

    help: bool = Field(default=False, description="offer Request Help to the agent")
    approve: tuple[str, ...] = Field(default=(), description="actions that a person must approve first")
    timeout: Seconds = Field(default=3_600, description="seconds to wait for an answer")
    default_answer: str = Field(
        default="Nobody is there to answer. Go on as you think best.", description="what a request gets after that"
    )
    default_approval: bool = Field(default=False, description="whether an unanswered action is approved")


MemoryName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=100)]
"""What a knowledge base may be called."""


class RunConfig(Record):
    """One benchmark run: one agent on one task with one seed. The parameters of the flow."""

    task: Text = Field(description="name in the catalogue, or the path of a task folder")
    agent: Text = Field(default="tuner", description="name of an agent, or module:Class")
    variant: Variant = Field(default=Variant.MINI, description="mini: offline stand-in; full: the benchmark's data")
    model: Text | None = Field(default=None, description="provider:model for agents that use one")
    fast_model: Text | None = Field(default=None, description="for summaries; default: the main model")
    edit_model: Text | None = Field(default=None, description="for script edits; default: the main model")
    seed: int = Field(default=0, ge=0, le=MOST)
    settings: JsonObject = Field(default_factory=dict, description="settings of the agent")
    recording: Text | None = Field(
        default=None, description="run whose decisions the replay agent repeats, or whose script transfer takes"
    )
    budget: Budget = Field(default_factory=Budget, description="limits; unset ones are the task's")
    sandbox: str = "auto"
    gpus: Gpus = Field(
        default=AUTO,
        description="none, a number, or id:0,2; auto: one where the task can use it and one is free",
    )
    share_gpus: bool = Field(default=False, description="let other runs that say so use the same GPUs")
    profile: ProfileName = Field(default="default", description="actions on offer and their wording")
    run_id: str | None = Field(default=None, description="given when a run is resumed; made otherwise")
    gateway: bool = Field(default=False, description="offer the run's models to scripts, under its budget")
    literature: bool = Field(default=False, description="offer Search Literature; the search itself has network")
    people: People = Field(default_factory=People, description="people in the loop")
    branch: Branch | None = None
    intermediate: bool = Field(default=False, description="grade every step when the run is over")
    guard: bool = Field(default=False, description="tell the agent which of its statements the record contradicts")
    guard_model: Text | None = Field(
        default=None, description="provider:model that reads for the guard; default: rules"
    )
    submit: SubmitRule = Field(default=LAST, description="which step's workspace is graded")
    memory: MemoryName | None = Field(default=None, description="knowledge base that the agent may recall: mlab learn")
    memory_of_same_data: bool = Field(
        default=False, description="also what was learned from runs graded on the same hidden data"
    )
    scripts_at_once: int = Field(
        default=1,
        ge=1,
        le=64,
        description="scripts that run at a time, in the background too; at most the machine's cores",
    )
    interrupted_scripts: InterruptedScripts = Field(
        default="ended", description="what becomes of a background script when the run is interrupted and resumed"
    )
    best_of: tuple[str, ...] = Field(default=(), description="runs of which this is the best on validation data")
    tags: tuple[str, ...] = ()

    @property
    def data(self) -> str:
        """The variant of the data in words; no foreign log names one."""
        return IMPORTED if IMPORTED in self.tags else self.variant.value


class HeldBy(Record):
    """What holds each limit of a script on the machine it runs on."""

    memory: str
    processes: str
    cpus: str
    disk: str
    time: str


class RunLock(Record):
    """What the result depends on besides the config; two runs compare only where these agree."""

    task_digest: str
    data_digest: str
    code_version: str
    python: str
    sandbox: str
    image: str | None = None
    prices: str | None = Field(default=None, description="version of the price table")
    memory: str | None = Field(default=None, description="digest of what the agent could recall of earlier runs")
    gpus: tuple[str, ...] = Field(default=(), description="models of the cards that scripts saw")
    gpu_driver: str | None = None
    held_by: HeldBy | None = Field(default=None, description="what holds each limit of a script where it began")
