"""Reads what is said of several results at once: the best of them, and how a series of them goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, cast

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.mentions import first_metric, one_split
from evaluation.claims.reading.rules.numbers import Result, operand
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, relation_in
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.count import Count
from evaluation.claims.types.tendency import Tendency
from evaluation.record.known import Known

_GOES = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}
_BUT = re.compile(r"\b(?:but|except|save|apart from)\b", re.IGNORECASE)


def course(clause: Clause, said: Said, known: Known) -> Tendency | None:
    """How the values of one run went, where a clause speaks of its epochs: "the loss decreased with each epoch"."""
    goes = _GOES.get(said.relation)
    return _over(clause, goes, known) if goes and not phrases("words.without").search(clause.text) else None


def tendency_in(clause: Clause, known: Known) -> Tendency | None:
    """How a clause says that a series went."""
    goes = found_in("tendencies", clause.text)
    return _over(clause, goes, known) if goes else None


def _over(clause: Clause, goes: str, known: Known) -> Tendency | None:
    """The latest series of the metric that a clause names."""
    what = metric_named(clause, known)
    if what is None:
        return None
    is_still = bool(phrases("words.still").search(clause.text))
    named = [row for row in reversed(known.values) if row.metric == what.metric and what.split in (None, row.split)]
    for row in named:
        rows = references.series(known, row)
        if is_still:  # parts of a run do not follow each other
            rows = [each for each in rows if each.epoch is not None] if row.event is named[0].event else []
        if len(rows) > 1:
            rows = rows[-max(2, len(rows) // 3) :] if is_still else rows
            return Tendency(
                tendency=cast('Literal["rises", "falls", "improves", "worsens"]', goes),
                metric=what.metric,
                split=row.split,
                rows=ids_of(rows),
                is_steady=bool(phrases("words.steady").search(clause.text)) and not _BUT.search(clause.text),
            )
    return None


def metric_named(clause: Clause, known: Known) -> Meant | None:
    """The metric that a clause names, with its split."""
    metric = first_metric(clause.text, known)
    return Meant(metric, one_split(clause.text)) if metric else None


def none_of(clause: Clause, known: Known, results: Sequence[Result]) -> Count | None:
    """As "None of our models beat the baseline": how many of the agent's own results are so."""
    none = phrases("words.none_of").search(clause.text)
    said = relation_in(clause.text[none.end() :]) if none else None
    metric = first_metric(clause.text, known)
    if said is None or results or not known.measured_runs:
        return None
    base = {row.event.id for row in known.baseline if not row.is_baseline}
    own = [row for run in known.measured_runs for row in references.of_run(known, run, Meant(metric, None))]
    rows = tuple(row.id for row in own if row.event.id not in base)
    limit = references.referred(known, clause.text, Meant(metric, None), [])
    return Count(metric=metric, rows=rows, relation=said.relation, limit=operand([], limit[:1])) if limit else None
