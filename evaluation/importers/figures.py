"""The score and the baseline that a foreign log itself holds, and where in it they stand.

Nothing is made up: a grade of the harness is taken before a value that the agent's own script printed, both values
are of one metric on one split, and whoever reads the record is told where they come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from environment.metrics.meaning import is_same
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.log import RunLog
from evaluation.record.measured_runs import MeasuredRun
from evaluation.record.measurements import Measurement
from evaluation.record.run import RunModel
from foundation.records import Record

_SCORED = re.compile(r"^(Baseline|Evaluation) Score: \{([^\n]*)\}\s*$", re.MULTILINE)
"""What MLGym's ``validate`` answers."""
_VALUE = re.compile(r"'([^']+)': (-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?=,|$)")
_STARTERS = ("train.py", "baseline.py")
_OPTION = re.compile(r"\.py\s+(?!\||&?>|2>)\S")
"""What follows a script on its command line, but for where its output goes."""
_SIDE_METRICS = re.compile(r"loss|time|seconds|memory|std|score$")


class Figures(Record):
    """What a log says of how well its run did.

    Attributes:
        metric: Of both values.
        score: The run's.
        baseline: What it started from.
        score_from: Where the score stands.
        baseline_from: Where the baseline stands.
        self_measured: The agent's own scripts measured both; nobody graded the submission.
    """

    metric: str | None = None
    score: float | None = None
    baseline: float | None = None
    score_from: str | None = None
    baseline_from: str | None = None
    self_measured: bool = False


def figures_of(log: RunLog, task_metric: str | None = None) -> Figures:
    """The figures in a log: graded by its harness, else measured by the agent's own scripts.

    Args:
        log: The log.
        task_metric: What the task is graded by, where known; a script's value of another metric does not count.
    """
    model = RunModel.of(log)
    scored = list(_scored(model))
    if log.score is not None:
        graded = Figures(metric=log.metric, score=log.score, score_from=_whose(log), self_measured=log.self_measured)
        return _with_baseline(graded, log, scored)
    evaluations = [value for value in scored if not value.is_baseline]
    if evaluations:
        last = evaluations[-1].step
        first = next(value for value in evaluations if value.step == last)
        found = Figures(metric=first.metric, score=first.value, score_from=f"the harness's last grade, at step {last}")
        return _with_baseline(found, log, scored)
    return _self_measured(model, log.metric or task_metric)


def _whose(log: RunLog) -> str:
    """A grade is that of the submission, unless the log says that the run ended without one, or nobody graded."""
    if log.self_measured:
        return "the log's own record of what the agent measured"
    ended = log.attributes.get("exit_status", "submitted")
    return "the harness's grade" if ended.startswith("submitted") else f"the harness's last grade; it ended by {ended}"


class _Scored(Record):
    """One value of an answer of the harness's scorer."""

    step: int
    metric: str
    value: float
    is_baseline: bool


def _scored(model: RunModel) -> Iterator[_Scored]:
    for event in model.events:
        if event.kind is EventKind.SCORE:
            for whose, values in _SCORED.findall(event.observation):
                for metric, value in _VALUE.findall(values):
                    yield _Scored(step=event.step, metric=metric, value=float(value), is_baseline=whose == "Baseline")


def _with_baseline(found: Figures, log: RunLog, scored: list[_Scored]) -> Figures:
    if log.baseline is not None:
        return found.model_copy(update={"baseline": log.baseline, "baseline_from": "the log"})
    for value in scored:
        if value.is_baseline and value.metric == found.metric:
            where = f"the harness's baseline, told at step {value.step}"
            return found.model_copy(update={"baseline": value.value, "baseline_from": where})
    return found


def _self_measured(model: RunModel, metric: str | None) -> Figures:
    """The first run of the unchanged starter, and the last run that measured the same."""
    known = model.before(len(model.log.steps))
    starter = _starter_run(model)
    base = _held_out(known, starter, metric) if starter else None
    if base is None:
        return Figures()
    same = [v for v in known.finals if v.event.kind is EventKind.RUN and v.words == base.words]
    last = next((v for v in reversed(same) if v.event.succeeded and known.comparable(v, base)), base)
    return Figures(
        metric=base.metric,
        score=_fraction(last),
        baseline=_fraction(base),
        score_from=f"the agent's last run that measured it, {_where(last)}",
        baseline_from=f"the first run of the unchanged starter, {_where(base)}",
        self_measured=True,
    )


def _starter_run(model: RunModel) -> MeasuredRun | None:
    """The first run of a script of the task's that nothing before it had written to."""
    measured = {id(measured_run.event): measured_run for measured_run in model.measured_runs}
    written: set[str] = set()
    for event in model.events:
        measured_run = measured.get(id(event))
        if measured_run and _is_plain_run(event) and not written.intersection(event.files):
            return measured_run
        if event.kind in (EventKind.EDIT, EventKind.COPY, EventKind.UNDO) or event.added or event.rewrites:
            written.update(event.files)
    return None


def _is_plain_run(event: Event) -> bool:
    """Whether an event ran the starter as it is: by its name and without options."""
    if event.kind is not EventKind.RUN or not event.succeeded or event.added:
        return False
    return event.files[:1] != () and event.files[0] in _STARTERS and not _OPTION.search(event.command)


def _held_out(known: Known, measured_run: MeasuredRun, metric: str | None) -> Measurement | None:
    """The value of the task's metric that was not measured on training data and stands alone."""
    names = list(dict.fromkeys(value.metric for value in measured_run.finals.values()))
    if metric is not None:
        wanted = next((name for name in names if is_same(name, metric)), None)
    else:
        wanted = next((name for name in names if not _SIDE_METRICS.search(name)), None)
    found = known.main(measured_run, metric=wanted) if wanted else None
    return found if found and found.split != "train" and not found.label else None


def _fraction(value: Measurement) -> float:
    return value.value / 100 if value.percent else value.value


def _where(value: Measurement) -> str:
    script = value.event.files[0] if value.event.files else "a script"
    return f"{script} at step {value.step}: {value.name}"
