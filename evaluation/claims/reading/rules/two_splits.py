"""Results of one run on two splits that are held against each other, and the operands that sides are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.mentions import split_mentions
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.types.base import Operand
from evaluation.language.splits import Split
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement


def operand(stated: Sequence[Result], rows: Sequence[Measurement]) -> Operand:
    """One side, of the number stated and the rows meant."""
    return Operand(stated=stated[0].number if stated else None, rows=ids_of(rows))


def two_splits(clause: Clause, known: Known, what: Meant, against: int | None) -> tuple[Operand, Operand] | None:
    """One run's results on two splits that are held against each other."""
    mentions = split_mentions(clause.text)
    before = [each.what for each in mentions if against is not None and each.end <= against]
    behind = [each.what for each in mentions if against is not None and each.start >= against]
    if not before or not behind or before[-1] == behind[0]:
        return None
    rows = references.current(known, Meant(what.metric, cast("Split", before[-1])))
    others = [row for row in references.beside(known, rows) if row.split == behind[0] and row.epoch == rows[-1].epoch]
    others = [row for row in others if row.label == rows[-1].label] or others
    if rows and not others:  # another script measured it
        others = references.current(known, Meant(rows[-1].metric, cast("Split", behind[0])))
    return operand([], rows), operand([], others[-1:])
