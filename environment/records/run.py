"""What is journalled of a benchmark run: actions, observations, training runs, steps, checkpoints."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from environment.gpus.card import CardUse
from environment.records.followed import Followed
from foundation.records import Record
from foundation.storable import Int64, JsonObject, Text


class Action(Record):
    """What the agent asks the environment to do."""

    name: Text
    args: JsonObject = Field(default_factory=dict)


class ModelCall(Record):
    """What one call of a language model used; ``cost`` is ``None`` where the price is unknown."""

    model: Text
    role: str = "main"
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    waited_seconds: float = Field(default=0.0, description="rate limits and back-off; not working time")


class Decision(Record):
    """What the agent wrote and wants done next.

    Attributes:
        prose: Everything it wrote, by entry (``thought``, ``fact_check`` …), in order.
        action: The action under the name the agent used; for a composite skill, the skill's.
        performs: The environment action that carries ``action`` out, where it is another one
            (Edit Script (AI) ends in an edit of the file).
        answer: The observation itself, where the agent's skill already made it (Understand File).
        calls: The model calls the decision took.
        gave_up: Why the agent cannot go on (no valid answer, prompt too long); ends the run.
        takes_up: Which of the training runs that an earlier step found is this one's: that step, and the place there.
    """

    prose: dict[Text, Text] = Field(default_factory=dict)
    action: Action
    performs: Action | None = None
    answer: Observation | None = None
    calls: tuple[ModelCall, ...] = ()
    gave_up: Text | None = None
    takes_up: tuple[int, int] | None = None

    @property
    def effective(self) -> Action:
        """The action the environment carries out."""
        return self.performs or self.action


class Outcome(StrEnum):
    """How an action ended, so that no reader has to parse the text."""

    OK = "ok"
    REFUSED = "refused"  # bad name, bad arguments, not allowed
    FAILED = "failed"  # tried, and did not work (a script's non-zero exit, a missing file)
    KILLED = "killed"  # stopped by a limit


class Observation(Record):
    """What came back from an action.

    Attributes:
        text: What the agent sees, cut in the middle where it was too long.
        outcome: How the action ended.
        full: Digest of the uncut text in the store, where ``text`` was cut.
        remarks: What the guard says of the agent's own statements, one line each; the text ends with them.
        unfinished: The action went on when this came back, as another harness's log tells.
    """

    text: Text
    outcome: Outcome = Outcome.OK
    full: str | None = None
    remarks: tuple[Text, ...] = ()
    unfinished: bool = False

    def remarked(self, remarks: Iterable[str]) -> Observation:
        """The observation with remarks at its end."""
        lines = tuple(remarks)
        return self.model_copy(update={"text": "\n".join(filter(None, (self.text, *lines))), "remarks": lines})

    @property
    def came_back(self) -> str:
        """The text without the remarks: what the action itself gave, which alone is evidence."""
        return self.text.removesuffix("\n".join(self.remarks)).removesuffix("\n") if self.remarks else self.text


class MetricPoint(Record):
    """One measured value found in a training run, and where it stood.

    Attributes:
        name: As the script wrote it, without the split ("loss", "accuracy").
        value: As a number; a percentage keeps its written value, ``unit`` says so.
        split: ``train``, ``validation``, ``test`` or ``None`` where the text does not say.
        part: Which of several data sets, models or runs of one script it belongs to; "" where there is one.
        epoch: Epoch as written, where the text says one.
        step: Training step as written, or the count of earlier points of the same name.
        line: 1-based line of the output or of the file; ``None`` where it stands in none.
        text: The line itself, at most 500 characters.
        source: Where it was read.
        file: The result file it was read from, as the workspace names it.
        key: Where in that file it stands: keys joined with dots, or a column.
        fixed: The value stands in the script's code, and nothing computes it.
    """

    name: Text
    value: float
    unit: Literal["none", "percent", "seconds"] = "none"
    split: Literal["train", "validation", "test"] | None = None
    part: Text = ""
    epoch: float | None = None
    step: Int64 = 0
    line: int | None = None
    text: Text = ""
    source: Literal["stdout", "mlflow", "file"] = "stdout"
    file: Text = ""
    key: Text = ""
    fixed: bool = False

    @property
    def comparable(self) -> float:
        """The value as it is compared between training runs: 83 % is 0.83."""
        return self.value / 100 if self.unit == "percent" else self.value

    @property
    def title(self) -> str:
        """Its name with its split and part: "cora test accuracy"."""
        return " ".join(word for word in (self.part, self.split, self.name) if word)


class KilledBy(StrEnum):
    """Which limit stopped a script."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    WORKSPACE = "workspace_size"
    CANCELLED = "cancelled"


class TrainingRun(Record):
    """One execution of a script: the evidence behind every number.

    ``id`` is ours and stable (``<run_id>.<step>``); ``mlflow_run_id`` is ``None`` until MLflow has it.
    """

    id: str
    step: int
    script: Text
    script_sha256: str
    args: tuple[Text, ...] = ()
    diff: Text = Field(default="", description="unified diff of the script against the starter's")
    exit_code: int | None = None
    killed_by: KilledBy | None = None
    started: datetime
    seconds: float
    output: str = Field(description="digest of the whole output in the store")
    metrics: tuple[MetricPoint, ...] = ()
    metrics_dropped: int = Field(default=0, description="points left out of the middle, where there were too many")
    params: dict[Text, Text] = Field(default_factory=dict)
    artifacts: dict[Text, str] = Field(default_factory=dict, description="digests of files the script gave to MLflow")
    mlflow_run_id: str | None = None
    gpus: tuple[CardUse, ...] = Field(default=(), description="the cards it was given, and what it did with them")
    cpu_seconds: float | None = Field(default=None, description="processor time of all its processes")

    @property
    def cpu_share(self) -> float | None:
        """Cores that were busy in the mean, where that is known: 1.5 is one and a half."""
        return self.cpu_seconds / self.seconds if self.cpu_seconds is not None and self.seconds > 0 else None

    def in_step(self, n: int) -> TrainingRun:
        """The same as a training run of step ``n``, which saw its end."""
        return self.model_copy(update={"id": f"{self.id.rpartition('.')[0]}.{n}", "step": n})

    @property
    def succeeded(self) -> bool:
        """Whether the script ended by itself with exit code 0."""
        return self.exit_code == 0 and self.killed_by is None

    @property
    def latest_metrics(self) -> dict[str, float]:
        """The last value of each metric, by split and name, as it is compared: 83 % is 0.83."""
        return {point.title: point.comparable for point in self.metrics}

    @property
    def held_out_first(self) -> dict[str, float]:
        """As ``latest_metrics``, those on held-out data in front, since they decide."""
        of_training = {point.title for point in self.metrics if point.split in (None, "train")}
        return dict(sorted(self.latest_metrics.items(), key=lambda item: item[0] in of_training))


class Effect(Record):
    """What an action did: journalled as *executed* before the step is committed.

    Attributes:
        followed: What the command line of another agent did in it, as its talk with the model tells.
        found: Training runs of scripts that it started by itself, each of which a later step takes up.
    """

    observation: Observation
    training_run: TrainingRun | None = None
    final: bool = Field(default=False, description="the agent submitted its final answer")
    held_back: bool = Field(default=False, description="a final answer that the guard gave back once")
    seconds: float = 0.0
    waited_seconds: float = Field(default=0.0, description="time spent waiting for a person")
    calls: tuple[ModelCall, ...] = Field(
        default=(), description="of the model that reads for the guard, and of scripts"
    )
    followed: tuple[Followed, ...] = ()
    found: tuple[TrainingRun, ...] = ()


class Spent(Record):
    """What a run has used so far, carried from checkpoint to checkpoint."""

    steps: int = 0
    wall_seconds: float = 0.0
    working_seconds: float = 0.0
    tokens: int = 0
    cost: float = 0.0
    unknown_cost: bool = Field(default=False, description="true once a call had no known price")
    training_runs: int = 0


class EndedBy(StrEnum):
    """Why a run stopped."""

    FINAL_ANSWER = "final_answer"
    STEPS = "steps"
    TIME = "time"
    TOKENS = "tokens"
    MONEY = "money"
    TRAINING_RUNS = "training_runs"
    ERROR = "error"


class Decided(Record):
    """The first entry of a step: written before anything is carried out."""

    decision: Decision
    agent_state: str = Field(description="digest of the agent's JSON state after the decision")
    started: datetime


class Executed(Record):
    """The second entry of a step: what the action did, and the state it left."""

    effect: Effect
    workspace: str = Field(description="digest of the workspace manifest")
    environment_state: str = Field(description="digest of undo history and REPL commands")


class Checkpoint(Record):
    """The commit of a step, written last: all that is needed to go on after it."""

    step: int
    workspace: str = Field(description="digest of the workspace manifest")
    agent_state: str = Field(description="digest of the agent's JSON state")
    environment_state: str = Field(description="digest of undo history and REPL commands")
    spent: Spent
    committed: datetime


class Step(Record):
    """One committed step of a trajectory, numbered from 0."""

    n: int
    decision: Decision
    effect: Effect
    checkpoint: Checkpoint
    started: datetime

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """All calls of models: the agent's, then the guard's."""
        return (*self.decision.calls, *self.effect.calls)
