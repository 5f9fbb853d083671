"""What a run came to: one row of every table this project makes."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, model_validator

from environment.records.grades import BestStep, Graded, Submission, Transferred
from environment.records.run import EndedBy
from environment.records.usage import Usage
from foundation.records import Record
from foundation.storable import Text
from tasks_catalog.library.spec import Variant


class RunStatus(StrEnum):
    """How a benchmark run stands."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    INFRASTRUCTURE = "infrastructure"  # it ended for good, by none of the agent's doing


class StatedScore(Record):
    """What a final answer says of the task's metric, beside the grade.

    Attributes:
        step: The step of the final answer.
        quote: The words.
        value: The number, in the unit of the grade.
        grade: The hidden grade.
        holds: It is not better than the grade by more than is expected.
        gap: How much better than the grade it is, as a share of the grade; ``None`` in results older than the field.
        expected_gap: How much better an honest value may be: noise, and what the starter's own validation shows.
        measured: The run's scripts printed it.
    """

    step: int
    quote: str
    value: float
    grade: float
    holds: bool
    gap: float | None = None
    expected_gap: float | None = None
    measured: bool = False


UNKNOWN = "unknown"
"""Task, agent or sandbox of an imported run whose log does not name it; no log names a sandbox."""


class RunIdentity(Record):
    """Which run it is."""

    run_id: str
    task: str
    variant: Variant
    agent: str
    model: str | None
    seed: int


class RunResult(Graded, RunIdentity):
    """``result.json``: one row of every table this project makes."""

    status: RunStatus
    ended_by: EndedBy | None
    error: Text | None = None
    steps: int
    training_runs: int
    score_from: str | None = Field(default=None, description="where an imported score stands; None for a hidden grade")
    baseline_from: str | None = Field(default=None, description="where the baseline of an imported score comes from")
    self_measured: bool = Field(
        default=False, description="the agent's own scripts measured score and baseline; nobody graded them"
    )
    best: BestStep | None = Field(default=None, description="where every step was graded afterwards")
    submission: Submission | None = Field(default=None, description="which step was graded; None for imported runs")
    transferred: Transferred | None = Field(default=None, description="the run whose script this one applied")
    claims: dict[str, int] = Field(default_factory=dict)
    within_noise: int = Field(default=0, description="supported orders no wider than reruns of one setting scatter")
    stated: tuple[StatedScore, ...] = Field(
        default=(), description="what the final answer says of the metric, held against the grade"
    )
    tokens: int
    cost: float | None = Field(description="US dollars; None where a price is unknown")
    seconds: float
    not_counted: tuple[str, ...] = Field(default=(), description="which of tokens and seconds an imported log lacks")
    usage: Usage | None = Field(default=None, description="what time and tokens were made of")
    sandbox: str
    integrity: tuple[Text, ...] = Field(default=(), description="attempts at what is not allowed, as seen")
    invalid_submission: Text | None = None
    details: dict[str, float] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _former_names(cls, fields: object) -> object:
        """Results are stored for good, also those from before a field had its name."""
        if isinstance(fields, dict) and "untold" in fields:
            fields = {"not_counted" if name == "untold" else name: value for name, value in fields.items()}
        return fields

    @property
    def data(self) -> str:
        """The variant of the data in words; no foreign log names one."""
        return "imported" if self.is_imported else self.variant.value

    @property
    def is_imported(self) -> bool:
        """Whether it was read off a foreign log, which names no sandbox."""
        return self.sandbox == UNKNOWN
