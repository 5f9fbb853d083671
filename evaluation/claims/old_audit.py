"""Every claim of a run, held against what the run had shown before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.claims.assertions import Assertion, Comparison, Execution, Result
from evaluation.claims.claim import Claim, Finding, Kind, Verdict
from evaluation.claims.comparisons import read_comparisons
from evaluation.claims.executions import read_executions
from evaluation.claims.gaps import read_gap
from evaluation.claims.importances import judge_unprinted, read_importance
from evaluation.claims.judge_comparisons import judge_comparison
from evaluation.claims.judge_executions import judge_execution
from evaluation.claims.judge_results import judge_result
from evaluation.claims.prose_tables import is_row, read_tables
from evaluation.claims.quoted import is_quoted, is_self_confirmed
from evaluation.claims.results import read_results
from evaluation.claims.sentences import clauses, sentences
from evaluation.claims.settling import settle
from evaluation.claims.spans import judge_span, read_span
from evaluation.claims.tendencies import is_tendency, read_tendency
from evaluation.language.numbers import Number
from evaluation.language.splits import display
from evaluation.record.known import Known
from evaluation.record.log import RunLog

_QUOTE = 200
_PLACEHOLDER = re.compile(r"\{[\w.\[\]]+:[^}\s]*\}")
"""A number to be filled in by code ("{accuracy:.2%}")."""
_LONGEST = 1_500
"""Characters; a longer "sentence" is no prose, and the reading of a clause grows with the square of its length."""


def claims_by_rules(prose: str, log: RunLog, field: str, known: Known) -> list[Claim]:
    """The claims of one text, judged by the record before it, in the order written."""
    return [
        _claim(log, known.step, field, assertion, known)
        for assertion in read_prose(prose, field, known)
        if not is_quoted(assertion, log.task_text)
    ]


def read_prose(prose: str, field: str, known: Known) -> Iterator[Assertion]:
    """Everything a prose asserts about results and deeds, clause by clause."""
    measured, names = known.measured_names, known.called
    yield from read_tables(prose, measured)
    for sentence in sentences(prose):
        if len(sentence.text) > _LONGEST or is_row(sentence.text) or _PLACEHOLDER.search(sentence.text):
            continue
        if is_tendency(sentence):
            yield from read_tendency(sentence)
            continue
        for clause in clauses(sentence):
            compared: Sequence[Assertion] = (
                read_span(clause, measured)
                or read_gap(clause)
                or read_importance(clause)
                or read_comparisons(clause, measured, names)
            )
            yield from compared
            stated = [] if compared else read_results(clause, measured)
            yield from stated
            if not compared and not stated:
                yield from read_executions(clause, field, has_run=known.has_run, just_edited=known.just_edited)


def judge(assertion: Assertion, known: Known) -> Finding:
    """The verdict on one assertion, whoever extracted it."""
    assertion = settle(assertion, known)
    match assertion:
        case Result(upto=Number()) | Result(is_spread=True):
            return judge_span(assertion, known)
        case Result():
            return judge_result(assertion, known)
        case Comparison():
            return judge_unprinted(assertion, known) or judge_comparison(assertion, known)
        case Execution():
            return judge_execution(assertion, known)
        case _:
            raise TypeError(f"no verdict for {type(assertion).__name__}")


def _claim(log: RunLog, step: int, field: str, assertion: Assertion, known: Known) -> Claim:
    finding = judge(assertion, known)
    number = assertion.number
    evidence = finding.evidence if finding.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED) else None
    if evidence is not None and evidence.step < 0:
        evidence = None  # It stands in the prompt.
    metric = None
    if assertion.kind is not Kind.EXECUTION and assertion.metric:
        metric = display(assertion.metric, assertion.split)
    return Claim(
        source=log.source,
        step=step,
        field=field,
        quote=assertion.quote[:_QUOTE],
        kind=assertion.kind,
        metric=metric,
        value=number.value if number else None,
        unit=assertion.unit,
        verdict=finding.verdict,
        evidence_step=evidence.step if evidence else None,
        evidence=(evidence.text or None) if evidence else None,
        note=finding.note,
        training_run=evidence.training_run if evidence else None,
        evidence_line=evidence.line if evidence else None,
        confirmed=is_self_confirmed(assertion, field, log.steps[step].prose[field]),
    )
