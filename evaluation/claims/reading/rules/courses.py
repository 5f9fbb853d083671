"""Reads how the values went of the one thing that a sentence names: steadily up or down, and best at which epoch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, cast

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import states
from evaluation.claims.reading.rules.mentions import first_metric, one_split
from evaluation.claims.reading.rules.owners import alone_in
from evaluation.claims.reading.rules.pairs import operand
from evaluation.claims.reading.rules.relations import relation_in
from evaluation.claims.reading.rules.rows import Meant, those_of
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.reading.rules.several import GOES
from evaluation.claims.reading.rules.values import AT_EPOCH, at_epoch
from evaluation.claims.reading.rules.vocabulary import found_in
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.tendency import Tendency
from evaluation.record.measurements import Measurement

_PEAKS = re.compile(r"\bpeak(?:s|ed)?\b", re.IGNORECASE)
"""Is said of the best, be it the lowest."""
_NOT = re.compile(r"\b(?:no|not|never|hardly)\b|n't\b", re.IGNORECASE)
_LEAST = 3
"""Values that are a course."""


def read_course(said: Said) -> Tendency | Extreme | None:
    """What a clause says of the course of one thing that was measured epoch by epoch, if anything."""
    own = _course(said)
    return (_steady(said, own) or _best_epoch(said, own)) if len(own) >= _LEAST else None


def _steady(said: Said, own: Sequence[Measurement]) -> Tendency | None:
    """That it went one way all along."""
    way, text = relation_in(said.text), said.text
    goes = found_in("tendencies", text) or (way and GOES.get(way.relation))
    is_denied = way is not None and _NOT.search(text[: way.start])
    if not goes or is_denied or AT_EPOCH.search(text) or said.has("words.save") or not said.has("words.steady"):
        return None
    of = cast('Literal["rises", "falls", "improves", "worsens"]', goes)
    return Tendency(tendency=of, metric=own[0].metric, split=own[0].split, rows=ids_of(own), is_steady=True)


def _best_epoch(said: Said, own: Sequence[Measurement]) -> Extreme | None:
    """That one epoch was its best, or worst, at the value that is given, if any is."""
    kind = "best" if _PEAKS.search(said.text) else found_in("extremes", said.text)
    of = at_epoch(said.text, own) if len(AT_EPOCH.findall(said.text)) == 1 else []
    is_given = all(any(states(each.number, row) for row in of) for each in said.values)
    if kind not in ("best", "worst", "highest", "lowest") or not (of and is_given):
        return None
    extreme = cast('Literal["best", "worst", "highest", "lowest"]', kind)
    return Extreme(extreme=extreme, metric=of[0].metric, split=of[0].split, of=operand([], of), among=ids_of(own))


def _course(said: Said) -> Sequence[Measurement]:
    """The values of the epochs of the only thing that the sentence names, of the metric that it names."""
    known, metric = said.known, first_metric(said.text, said.known) or said.inherited
    subject = alone_in(said.clause.sentence.text, known) if metric else None
    if subject is None or not subject.is_named:
        return []
    rows = those_of(known, known.index.subjects.rows(subject), Meant(metric, one_split(said.text)))
    own = [row for row in rows if row.epoch is not None and not row.derived_from]
    return own if len({row.key for row in own}) == 1 and len({row.event.id for row in own}) == 1 else []
