"""What a report is made of, run by run."""

from __future__ import annotations

from pydantic import Field

from environment.records import EvidenceRow, RunConfig, RunResult, Step, StepGrade
from environment.records.search import SearchTree
from evaluation.claims.claim import Claim
from evaluation.process.failures import Failure
from evaluation.process.judge import Judgement, Rubric
from evaluation.process.measures import ProcessMeasures
from evaluation.report.changes import FileChange
from foundation.records import Record


class ReportRun(Record):
    """One benchmark run with all that is known of it. Only one is held in memory at a time."""

    result: RunResult
    config: RunConfig | None = None
    steps: tuple[Step, ...] = ()
    claims: tuple[Claim, ...] = ()
    failures: tuple[Failure, ...] = ()
    grades: tuple[StepGrade, ...] = Field(default=(), description="of every step, where they were graded")
    judgement: Judgement | None = None
    search: SearchTree | None = Field(default=None, description="of an agent that searches")
    changes: dict[int, tuple[FileChange, ...]] = Field(default_factory=dict, description="changed files, by step")
    submitted: tuple[FileChange, ...] = Field(default=(), description="the files at the end against the starter's")
    evidence: tuple[EvidenceRow, ...] = Field(default=(), description="what its claims rest on")


class MetricValue(Record):
    """The last value of one metric in the training run of one agent step; a percentage as a fraction."""

    step: int
    name: str
    split: str | None
    value: float


class Reached(Record):
    """What a run had used when a step was committed; ``money`` is ``None`` where a price is unknown."""

    seconds: float
    tokens: int
    money: float | None


class RunRow(Record):
    """What the overview keeps of a run: one row of every table, and its points on the curves.

    Attributes:
        contestant: Agent, model and the settings that tell it from others in this report.
        claims: Number of claims by verdict.
        within_noise: Those of the supported ones that reruns alone might show.
        failures: Failure modes, by name.
        metrics: Last value of each metric of each training run, in order of steps.
        reached: What was used up to each step.
        process: How the agent worked.
        graded: Hidden score after each step, where every step was graded.
        rubric: What a judge answered, where one was asked.
    """

    contestant: str
    result: RunResult
    config: RunConfig | None
    claims: dict[str, int]
    within_noise: int = 0
    failures: tuple[str, ...]
    metrics: tuple[MetricValue, ...]
    reached: tuple[Reached, ...]
    process: ProcessMeasures
    graded: tuple[float | None, ...] = ()
    rubric: Rubric | None = None
