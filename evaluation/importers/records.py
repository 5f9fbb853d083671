"""Turns a foreign log into a run of our store, so that reports and statistics work on it."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from environment.errors import CorruptObjectError, NotInStoreError
from environment.journal.entries import Journal
from environment.journal.tables import write_tables
from environment.metrics.outputs import parse_metrics
from environment.records import (
    UNKNOWN,
    Action,
    Checkpoint,
    Decided,
    Decision,
    Effect,
    EndedBy,
    Executed,
    Observation,
    Outcome,
    RunConfig,
    RunResult,
    RunStatus,
    Spent,
    TrainingRun,
)
from environment.records.config import IMPORTED
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.claims.audit import Progress, audit
from evaluation.claims.claim import Claim, rested_on
from evaluation.claims.table import read_claims
from evaluation.importers.compared import compared
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.log import RunLog, from_steps
from evaluation.record.run import RunModel
from evaluation.record.table import record_rows
from evaluation.stated import held_against, overstated
from tasks_catalog.library.spec import Variant

LONGEST_NAME = 100
_LATER_FIELDS: dict[str, Any] = {
    "self_measured": True,
    "status": True,
    "ended_by": True,
    "error": True,
    "written": True,
    "steps": {"__all__": {"exchanges": {"__all__": {"unfinished"}}}},
}
"""Fields that logs had no value for when their ids were first made: the same log keeps its id."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""Foreign logs mostly carry no times; a made-up one would look like a measurement."""


def import_log(store: Store, log: RunLog, progress: Progress | None = None) -> RunResult:
    """Store a log as a run of its own, with journal and result; importing it again stores nothing twice.

    What a log does not tell stays empty: no score, no times of steps (1970 stands for UNKNOWN), an empty workspace;
    tokens and seconds that it does not tell are named in ``not_counted``. Prose, actions, observations and measured
    values are taken over, and the result says where score and baseline stand in the log.

    Args:
        store: Where.
        log: The log.
        progress: Told of each step that is stored.
    """
    run_id = run_id_of(log)
    journal = Journal(store, run_id)
    known = journal.result()
    if known is not None:
        return _up_to_date(store, journal, known, log)
    journal.write_config(_config(log, run_id))
    state = store.put_object(b"null")
    with tempfile.TemporaryDirectory() as empty:
        workspace = Snapshots(store).take(Path(empty))
    trained, steps = 0, list(to_steps(store, log, run_id))
    for n, (decision, effect) in enumerate(steps):
        trained += effect.training_run is not None
        journal.record_decided(n, Decided(decision=decision, agent_state=state, started=_EPOCH))
        journal.record_executed(n, Executed(effect=effect, workspace=workspace, environment_state=state))
        spent = Spent(steps=n + 1, training_runs=trained, unknown_cost=True)
        journal.commit(
            n,
            Checkpoint(
                step=n, workspace=workspace, agent_state=state, environment_state=state, spent=spent, committed=_EPOCH
            ),
        )
        if progress:
            progress(n + 1, len(steps))
    result = _result(log, run_id, len(journal.steps()), trained, _write_tables(store, log, run_id))
    journal.write_result(result)
    return result


def _write_tables(store: Store, log: RunLog, run_id: str) -> list[Claim]:
    """Write trajectory, evidence and claims, by the steps as they are stored; the claims."""
    steps = Journal(store, run_id).steps()
    stored = from_steps(
        steps,
        source=run_id,
        task=log.task,
        task_text=log.task_text,
        metric=log.metric,
        direction=log.direction,
        score=log.score,
    )
    claims = audit(stored)
    write_tables(store, run_id, steps, claims, list(record_rows(stored, rested_on(claims))))
    return claims


def _up_to_date(store: Store, journal: Journal, known: RunResult, log: RunLog) -> RunResult:
    """The result as this version reads it off the log: an earlier one may have found less, and wrote no tables."""
    try:
        claims = read_claims(store, known.run_id)
    except (NotInStoreError, CorruptObjectError):
        claims = _write_tables(store, log, known.run_id)
    result = _result(log, known.run_id, known.steps, known.training_runs, claims)
    if result != known:
        journal.write_result(result)
    return result


def run_id_of(log: RunLog) -> str:
    """A run id that is the same for the same log: its name, and a digest of name and content."""
    content = log.model_dump_json(exclude=_LATER_FIELDS)
    digest = hashlib.sha256(content.encode()).hexdigest()[:8]
    return f"{_readable(log.source)}-{digest}"


def _readable(source: str) -> str:
    """The end of a log's path as an id; where it is too long, whole folders of the path are left out, then words."""
    parts = [re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in source.split("/")]
    parts = [part for part in parts if part]
    while len(parts) > 1 and len("-".join(parts)) > LONGEST_NAME:
        parts.pop(0)
    name = "-".join(parts)
    return name if len(name) <= LONGEST_NAME else name[-LONGEST_NAME - 1 :].partition("-")[2] or name[-LONGEST_NAME:]


def to_steps(store: Store, log: RunLog, run_id: str) -> Iterator[tuple[Decision, Effect]]:
    """Decision and effect of every action; of several in one turn the first carries the prose."""
    events = iter(RunModel.of(log).events)
    n = 0
    for step in log.steps:
        prose = step.prose
        if not step.exchanges:
            yield Decision(prose=prose, action=Action(name="none")), Effect(observation=Observation(text=""))
            n += 1
        for exchange in step.exchanges:
            event = next(events)
            observation = Observation(text=exchange.observation, outcome=event.outcome, unfinished=exchange.unfinished)
            answer = observation if event.authored else None
            effect = Effect(
                observation=observation,
                training_run=_training_run(store, event, f"{run_id}.{n}", n),
                final=event.kind is EventKind.SUBMIT,
            )
            yield Decision(prose=prose, action=exchange.action, answer=answer), effect
            prose = {}
            n += 1


def _training_run(store: Store, event: Event, run: str, n: int) -> TrainingRun | None:
    """The execution of a script, where the action was one and began; its exit code is not in the log."""
    if event.kind is not EventKind.RUN or event.outcome is Outcome.REFUSED:
        return None
    output = event.observation.encode()
    command = json.dumps(event.exchange.action.args, sort_keys=True)
    return TrainingRun(
        id=run,
        step=n,
        script=event.files[0] if event.files else event.exchange.action.name,
        script_sha256=hashlib.sha256(command.encode()).hexdigest(),
        exit_code=0 if event.outcome is Outcome.OK else 1,
        started=_EPOCH,
        seconds=0.0,
        output=store.put_object(output),
        metrics=tuple(parse_metrics(event.observation)),
    )


def _config(log: RunLog, run_id: str) -> RunConfig:
    return RunConfig(
        task=log.task or UNKNOWN,
        agent=log.agent or UNKNOWN,
        variant=Variant.FULL,
        model=log.model,
        run_id=run_id,
        tags=(IMPORTED, log.source),
    )


def _result(log: RunLog, run_id: str, steps: int, trained: int, claims: Sequence[Claim]) -> RunResult:
    answered = any(event.kind is EventKind.SUBMIT for event in RunModel.of(log).events)
    score = compared(log)
    report = score.report
    stated = () if score.self_measured else tuple(held_against(report, claims))
    return RunResult(
        run_id=run_id,
        task=log.task or UNKNOWN,
        variant=Variant.FULL,
        agent=log.agent or UNKNOWN,
        model=log.model,
        seed=0,
        status=log.status,
        ended_by=log.ended_by or (EndedBy.FINAL_ANSWER if answered and log.status is RunStatus.COMPLETED else None),
        error=log.error,
        steps=steps,
        training_runs=trained,
        **report.graded,
        score_from=score.score_from,
        baseline_from=score.baseline_from,
        self_measured=score.self_measured,
        tokens=log.tokens or 0,
        seconds=log.seconds or 0.0,
        cost=log.cost,
        stated=stated,
        integrity=tuple(overstated(stated)),
        not_counted=tuple(name for name in ("tokens", "seconds") if getattr(log, name) is None),
        sandbox=UNKNOWN,
    )
