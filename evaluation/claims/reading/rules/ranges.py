"""Reads between which values the parts of a run lie: "the folds range from 0.79 to 0.81"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.types.value import Value
from evaluation.record.known import Known

_RANGE = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied|ying)|spread|lie|lies|lay|fall|falls|are|were|is)\b[^.;,]*?"
    r"\b(?:from|between)\s+\W?$",
    re.IGNORECASE,
)
_TO = re.compile(r"%?\W{0,3}(?:to|and|through|-|–|—)\W{0,3}", re.IGNORECASE)


def read_range(clause: Clause, known: Known, results: Sequence[Result]) -> Iterator[tuple[Result, Value]]:
    """The ends of a range, each about the row that is the lowest or the highest of its run."""
    if len(results) != 2 or any(each.is_amount for each in results):
        return
    low, high = (each.number for each in results)
    text = clause.text
    if low.value >= high.value or not _RANGE.search(text[: low.start]) or not _TO.fullmatch(text[low.end : high.start]):
        return
    what = Meant(results[0].metric or results[1].metric, results[0].split or results[1].split)
    ends = _ends(known, what)
    for result, row in zip(results, ends, strict=False):
        yield result, Value(metric=what.metric, split=what.split, stated=result.number, rows=(row,))


def _ends(known: Known, what: Meant) -> tuple[str, ...]:
    """The lowest and the highest part of the run that measured several last; none where no run did."""
    for row in reversed(known.finals):
        parts = references.parts(known, row) if references.is_of_what(known, row, what) else []
        if len(parts) > 2 and not row.derived_from:
            ordered = sorted(parts, key=lambda each: each.value)
            return ordered[0].id, ordered[-1].id
    return ()
