"""The end of a run: grade what the workspace holds, audit what was claimed, store what came out."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

from environment.errors import CorruptObjectError
from environment.journal.tables import read_grades, write_grades, write_tables
from environment.records import RunResult, RunStatus, Step, Usage, run_name
from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim, rested_on
from evaluation.exams import secret_of
from evaluation.grading import GradeReport
from evaluation.intermediate import Grading, grade_steps, with_best
from evaluation.record.log import of_task
from evaluation.record.table import record_rows
from evaluation.stated import held_against, overstated
from evaluation.submission import hand_in, with_other
from flows.run.session import RunSession
from flows.run.transferring import transferred_from

_LOG = logging.getLogger(__name__)


def evaluate_run(session: RunSession) -> RunResult:
    """Grade and audit a run whose steps are all committed; done once, whoever asks again gets the result.

    Where the config asks for it, every step is graded besides.

    Raises:
        GradingError: The grader failed, which says nothing about the run; it can be resumed.
    """
    known = session.run.journal.result()
    result = known or _evaluate(session)
    if session.run.config.intermediate:
        result = _with_steps(session, result)
    if result != known:
        session.observer.ending("writing the report")
        _write_report(session)
    session.observer.finished(result)
    return result


def _evaluate(session: RunSession) -> RunResult:
    session.settle()
    session.observer.ending("grading what was submitted")
    task, steps = session.run.task, session.run.journal.steps()
    report, submission = hand_in(_grading(session), steps, session.run.config.submit, session.workspace.root)
    log = of_task(task, session.run.config.variant, steps, source=session.run.run_id, score=report.score)
    session.observer.ending("checking what was claimed")
    claims = audit(log)
    result = result_of(session, report, steps, claims).model_copy(
        update={
            "submission": submission,
            "transferred": transferred_from(session.run.config, session.run.store),
        }
    )
    write_tables(session.run.store, session.run.run_id, steps, claims, list(record_rows(log, rested_on(claims))))
    session.run.journal.write_result(result)
    return result


def _with_steps(session: RunSession, result: RunResult) -> RunResult:
    """Grade every step, unless that was done; the result tells which was best."""
    try:
        session.run.journal.check_whole()
    except CorruptObjectError as error:
        _LOG.warning("the steps are not graded: %s", error.message)
        return result
    store, steps = session.run.store, session.run.journal.steps()
    grades = read_grades(store, session.run.run_id)
    if len(grades) != len(steps):
        grades = grade_steps(
            _grading(session),
            steps,
            final=result,
            progress=lambda n: session.observer.ending(f"grading the workspace after step {n:02d}"),
        )
        write_grades(store, session.run.run_id, grades)
    complete = with_other(with_best(result, grades), grades)
    if complete != result:
        session.run.journal.write_result(complete)
    return complete


def _grading(session: RunSession) -> Grading:
    run = session.run
    return Grading(
        run.task, run.config.variant, run.data, secret_of(run.task, run.store, run.run_id), run.store, run.sandbox
    )


def _write_report(session: RunSession) -> None:
    # Imported when all steps are done: it brings plotting and statistics along.
    from evaluation.report.collect import read_run
    from evaluation.report.write import write_report

    try:
        layout = session.run.settings.layout
        run = read_run(session.run.store, session.run.run_id, journal=session.run.journal)
        title = run_name(session.run.config)
        write_report([run], layout.report_of(session.run.run_id), title=title, shared=layout.reports)
    except OSError as error:
        # The run is stored; its report can be written again at any time.
        _LOG.warning("the report of run %s cannot be written: %s", session.run.run_id, error)


def result_of(session: RunSession, report: GradeReport, steps: Sequence[Step], claims: Sequence[Claim]) -> RunResult:
    """One row of every table, from the run's parts."""
    config, spent = session.run.config, session.meter.spent
    ended_by = session.ended_by()
    trained = [step.effect.training_run for step in steps if step.effect.training_run]
    stated = tuple(held_against(report, claims, trained))
    gave_up = steps[-1].decision.gave_up if steps else None
    return RunResult(
        run_id=session.run.run_id,
        task=session.run.task.name,
        variant=config.variant,
        agent=config.agent,
        model=config.model,
        seed=config.seed,
        status=RunStatus.FAILED if report.invalid else RunStatus.COMPLETED,
        ended_by=ended_by,
        error=gave_up,
        steps=len(steps),
        training_runs=spent.training_runs,
        **report.graded,
        claims=dict(Counter(claim.verdict.value for claim in claims if claim.verdict is not None)),
        within_noise=sum(claim.within_noise for claim in claims),
        tokens=spent.tokens,
        cost=None if spent.unknown_cost else spent.cost,
        seconds=spent.wall_seconds,
        usage=Usage.of(steps) if steps else None,
        sandbox=session.run.sandbox.name,
        stated=stated,
        integrity=(*session.environment.integrity(), *overstated(stated)),
        invalid_submission=report.invalid,
        details=report.details,
    )
