"""A run's log in neutral form: what was written, done and seen, whoever recorded it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from pydantic import Field, TypeAdapter, ValidationError

from environment.records import Action, CitedResult, Decision, Effect, EndedBy, MetricPoint, Outcome, RunStatus, Step
from foundation.records import Record
from foundation.storable import Text
from tasks_catalog.library.spec import Direction, Task, Variant, VariantSpec

FINAL_ANSWER, HELD_BACK = "final_answer", "final_answer_held_back"
"""The entries of the prose with a final answer, and with one that a guard gave back, so that it was none."""
CITED = "cited"
"""The entry of the prose that holds the results which the agent names by their runs."""
CITED_ON_THE_WAY = "cited_on_the_way"
"""What an action before the last one cites, as an entry of the Research Log."""
OF_PLOTS, OF_STAGE = ("plot_analyses", "vlm_feedback_summary"), "overall_plan"
"""Entries that tell how pictures look, which no output holds, and what the code of a whole stage is to do."""
ANSWERS = (FINAL_ANSWER, "answer", "submission", CITED)
"""Entries that hold an agent's last word."""
_CITED: TypeAdapter[tuple[CitedResult, ...]] = TypeAdapter(tuple[CitedResult, ...])


class Exchange(Record):
    """One action and what came back.

    Attributes:
        action: The action; a shell command is ``{"command": text}``.
        observation: What the agent saw.
        outcome: How it ended, where the log says so; else it is read from the observation.
        authored: A model wrote the observation, so it is no evidence of a measurement.
        training_run: Id of the training run the action started.
        metrics: What that run measured; ``None`` where it must be read from the observation.
        unfinished: Nothing shows that it ended: it went on in the background, or the log breaks off.
    """

    action: Action
    observation: str = ""
    outcome: Outcome | None = None
    authored: bool = False
    training_run: str | None = None
    metrics: tuple[MetricPoint, ...] | None = None
    unfinished: bool = False


class LogStep(Record):
    """One turn of the agent: its prose by entry, then what it did. The prose came first."""

    prose: dict[str, str] = Field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()

    @property
    def cited(self) -> tuple[CitedResult, ...]:
        """The results that its action names by the runs that measured them."""
        return tuple(result for exchange in self.exchanges for result in cited_in(exchange.action))


class RunLog(Record):
    """A whole run.

    Attributes:
        source: The run, as its log names it.
        steps: In order; the index is the step number.
        task: Name of the task.
        task_text: The prompt; what it says is quoted, not claimed.
        model: The model, where the log names it.
        agent: The agent or scaffold, where the log names it.
        metric: Name of the task's main metric, where known.
        direction: Which way that metric is better, where known.
        spread: Standard deviation of that metric over seeds, where the task tells it.
        baseline: The task's official baseline, where the agent was told of it.
        score: The hidden grade, where known.
        self_measured: Score and baseline are what the agent itself measured; nobody graded it.
        tokens: Of all model calls, where the log counts them.
        cost: US dollars, where the log counts them.
        seconds: Wall time, where the log tells it.
        attributes: Whatever else the log tells about itself, for people.
        status: How the run stands, where the log tells.
        ended_by: Why it stopped, where the log tells.
        error: What ended it, where it did not end by itself.
        written: When the log was last written to, where it tells.
    """

    source: Text
    steps: tuple[LogStep, ...]
    task: Text = ""
    task_text: str = ""
    model: str | None = None
    agent: str | None = None
    metric: str | None = None
    direction: Direction | None = None
    spread: float | None = None
    baseline: float | None = None
    score: float | None = None
    self_measured: bool = False
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    status: RunStatus = RunStatus.COMPLETED
    ended_by: EndedBy | None = None
    error: str | None = None
    written: datetime | None = None


def from_steps(
    steps: Sequence[Step],
    *,
    source: str,
    task: str = "",
    task_text: str = "",
    metric: str | None = None,
    direction: Direction | None = None,
    score: float | None = None,
    figures: VariantSpec | None = None,
) -> RunLog:
    """The log of one of our own runs; ``figures`` tell how far its scores scatter over seeds."""
    baseline = figures.baseline if figures else None
    return RunLog(
        source=source,
        steps=tuple(_log_steps(steps)),
        task=task,
        task_text=task_text,
        metric=metric,
        direction=direction,
        score=score,
        spread=baseline.std or None if baseline else None,
    )


def of_task(task: Task, variant: Variant, steps: Sequence[Step], *, source: str, score: float | None = None) -> RunLog:
    """The log of a run on a task of ours, with how far the task's scores scatter over seeds."""
    metric = task.spec.metric
    return from_steps(
        steps,
        source=source,
        task_text=task.instruction,
        metric=metric.name,
        direction=metric.direction,
        score=score,
        figures=task.spec.variants[variant],
    )


def _log_steps(steps: Iterable[Step]) -> Iterable[LogStep]:
    for step in steps:
        yield LogStep(prose=written_in(step), exchanges=(exchange_of(step.decision, step.effect),))


def written_in(step: Step) -> dict[str, str]:
    """Everything the agent wrote in a committed step, by entry; an answer that came back is none."""
    prose = prose_of(step.decision)
    if step.effect.held_back and FINAL_ANSWER in prose:
        prose[HELD_BACK] = prose.pop(FINAL_ANSWER)
    return prose


def exchange_of(decision: Decision, effect: Effect) -> Exchange:
    """What a step did, as the record sees it."""
    run = effect.training_run
    return Exchange(
        action=decision.effective,
        observation=effect.observation.came_back,
        outcome=effect.observation.outcome,
        authored=decision.answer is not None,
        training_run=run.id if run else None,
        metrics=run.metrics if run else None,
        unfinished=effect.observation.unfinished,
    )


def prose_of(decision: Decision) -> dict[str, str]:
    """Everything the agent wrote in one step, its final answer too, and the results it cites, one a line."""
    text, cited = decision.effective.args.get(FINAL_ANSWER), cited_in(decision.effective)
    answer = {FINAL_ANSWER: text} if isinstance(text, str) else {}
    field = CITED if answer else CITED_ON_THE_WAY
    return {**decision.prose, **answer, **({field: "\n".join(map(str, cited))} if cited else {})}


def cited_in(action: Action) -> tuple[CitedResult, ...]:
    """The results that an action names by the runs that measured them; none where they are not well-formed."""
    if not action.args.get("claims"):
        return ()
    try:
        return _CITED.validate_python(action.args["claims"])
    except ValidationError:
        return ()
