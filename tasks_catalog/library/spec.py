"""``task.toml`` as a typed record: what a task asks, what it allows, and its measured figures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field, PositiveFloat, PositiveInt

from foundation.records import Record


def _relative(pattern: str) -> str:
    path = PurePosixPath(pattern)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{pattern!r} must be a path inside the workspace")
    return pattern


_NAME = r"^[a-z0-9][a-z0-9-]*$"
WorkspacePath = Annotated[str, AfterValidator(_relative)]


class Direction(StrEnum):
    """Which way a metric is better."""

    MAXIMIZE = "maximize"
    MINIMIZE = "minimize"


class Variant(StrEnum):
    """``full``: the benchmark's own data; ``mini``: the small offline stand-in. Never ranked together."""

    MINI = "mini"
    FULL = "full"


class Metric(Record):
    """The measure of success on the hidden data."""

    name: str
    direction: Direction
    unit: str = ""
    description: str = ""


class Figure(Record):
    """A measured number: mean and spread over seeds, and the command that gave it."""

    mean: float
    std: float = Field(default=0.0, ge=0)
    seeds: PositiveInt = 1
    seconds: float | None = Field(default=None, description="wall time of one run, where it was measured")
    memory_mib: float | None = None
    how: str = Field(description="the command or publication the number comes from")


class VariantSpec(Record):
    """One data variant: where it comes from, what it needs, and the figures measured on it."""

    source: str
    licence: str
    stand_in: bool = Field(description="true where the data is not the benchmark's own")
    note: str = ""
    digest: str | None = Field(default=None, description="content checksum of public/ and private/ after prepare")
    download_mib: float = 0
    disk_mib: float = 0
    needs: tuple[str, ...] = Field(default=(), description="what a person must bring: credentials, consent, a GPU")
    gpus: int | None = Field(default=None, ge=0, description="in place of the task's own, where a card serves not both")
    baseline: Figure | None = None
    reference: Figure | None = None
    human: Figure | None = None


class BudgetSpec(Record):
    """The task's default limits; the paper's where it states them (50 steps, 5 hours)."""

    steps: PositiveInt = 50
    seconds: PositiveFloat = 18_000
    script_seconds: PositiveFloat = 1_800
    validations: int = Field(default=10, ge=0, description="how often Validate Submission answers")


class ResourceSpec(Record):
    """What one script of the task may use."""

    memory_mib: PositiveInt = 4_096
    cpus: PositiveFloat = 2
    processes: PositiveInt = 256
    workspace_mib: PositiveInt = 2_048
    submission_mib: PositiveInt = Field(default=256, description="all submitted files together")
    gpus: int = Field(default=0, ge=0, description="0: its own scripts compute on the CPU; else how many serve them")


class TrialSpec(Record):
    """A run of the submission that the grader orders: in a fresh sandbox, on inputs the agent has not seen.

    The harness measures the time from outside and keeps the output files; the grader reads both from
    ``trials/`` (see ``evaluation.grading``).
    """

    name: str
    command: tuple[str, ...] = Field(description="argv; {inputs} is the read-only folder of hidden inputs")
    inputs: tuple[str, ...] = Field(description="patterns in what is drawn (else in private/) that the trial may read")
    outputs: tuple[WorkspacePath, ...]
    repetitions: PositiveInt = 1
    against_starter: bool = Field(default=False, description="also run the starter, alternating, in the same session")
    packages: tuple[str, ...] | None = Field(default=None, description="the only libraries visible; None: all")
    timeout: PositiveFloat = 300


class OffersSpec(Record):
    """What the harness offers to the task's scripts over a local address, and how often one script may use it.

    The files lie in private/, so that scripts reach them by asking alone.
    """

    searches: int = Field(ge=0, description="how many searches of literature a script has")
    model_calls: int = Field(ge=0, description="how many questions to the recorded model a script has")
    papers: str = Field(default="papers.json", description="what is searched; arXiv itself where the file is absent")
    answers: str = Field(default="answers.json", description="what the recorded model was asked, and what it said")


class TaskSpec(Record):
    """Everything ``task.toml`` says."""

    name: str = Field(pattern=_NAME)
    based_on: str | None = Field(
        default=None,
        pattern=_NAME,
        description="a task in the folder beside: it gives the fields and the parts that this one lacks",
    )
    holes: bool = Field(
        default=False,
        description="the starter has gaps to fill and does not run; the baseline is that of the task it is based on",
    )
    title: str
    domain: str
    summary: str = Field(description="one sentence for the catalogue's table")
    metric: Metric
    script: WorkspacePath = Field(default="train.py", description="the starter that gives the baseline")
    artifacts: tuple[WorkspacePath, ...] = Field(description="files to submit")
    readonly: tuple[WorkspacePath, ...] = Field(default=(), description="patterns the agent may not change")
    extras: tuple[str, ...] = Field(default=(), description="optional dependency groups of this package")
    split: str = Field(description="the rule that made the hidden split, and why")
    budget: BudgetSpec = Field(default_factory=BudgetSpec)
    resources: ResourceSpec = Field(default_factory=ResourceSpec)
    trials: tuple[TrialSpec, ...] = ()
    offers: OffersSpec | None = Field(default=None, description="models and literature for its scripts")
    drawn: bool = Field(
        default=False, description="prepare.py has draw(job), which makes the hidden side of each run from its secret"
    )
    hardened: bool = Field(default=True, description="false for imported tasks whose graders run foreign code")
    variants: dict[Variant, VariantSpec]

    def gpus(self, variant: Variant) -> int:
        """How many cards serve the task's own scripts on some data; 0 where they compute on the CPU."""
        own = self.variants[variant].gpus
        return self.resources.gpus if own is None else own

    @property
    def timed(self) -> bool:
        """Whether its score is a time, which compares with the starter's of the same session alone."""
        return any(trial.against_starter for trial in self.trials)


class Task(Record):
    """A task folder: its spec and where its parts lie. Owns the folder's layout.

    Attributes:
        spec: What ``task.toml`` says.
        root: The task's own folder.
        base: The folder of the task it is based on, which gives the parts that the own folder lacks.
    """

    spec: TaskSpec
    root: Path
    base: Path | None = None

    @property
    def name(self) -> str:
        """The name in the catalogue."""
        return self.spec.name

    @property
    def data_name(self) -> str:
        """The name of the task whose data it is: its own, or that of the task whose ``prepare.py`` it uses."""
        return self.spec.name if self.base is None or self.prepare_script.parent == self.root else self.base.name

    @property
    def folders(self) -> tuple[Path, ...]:
        """Every folder that parts of the task lie in."""
        return (self.root,) if self.base is None else (self.root, self.base)

    @property
    def instruction(self) -> str:
        """The research problem, as the agent gets it."""
        return self._part("instruction.md").read_text(encoding="utf-8")

    @property
    def starter(self) -> Path:
        """The files every workspace starts from."""
        return self._part("workspace")

    @property
    def solution(self) -> Path:
        """Files laid over the starter by the oracle; never shown to another agent."""
        return self._part("solution")

    @property
    def prepare_script(self) -> Path:
        """Makes the data."""
        return self._part("prepare.py")

    @property
    def grade_script(self) -> Path:
        """Scores a submission."""
        return self._part("grade.py")

    def _part(self, name: str) -> Path:
        return next((folder / name for folder in self.folders if (folder / name).exists()), self.root / name)
