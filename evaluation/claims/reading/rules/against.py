"""What a result is held against: where that begins in a clause, and which of its numbers and splits stand there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.mentions import split_mentions
from evaluation.claims.reading.rules.numbers import Result, operand, subject_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said
from evaluation.claims.reading.rules.vocabulary import groups, phrases
from evaluation.claims.types.base import Operand
from evaluation.language.splits import Split
from evaluation.record.known import Known

_ASIDE = re.compile(r"\s*(?:long|fast|large|high|much|many|slow)\s*\(", re.IGNORECASE)
_CHANGES_TO = re.compile(r"\s*(?:→|->|=>)\s*[\d.]")


def left_of(clause: Clause, results: Sequence[Result]) -> list[Result]:
    """The results that a clause is about, without those they are held against."""
    text, against = clause.text, phrases("operands.against").search(clause.text)
    own = [
        each for each in results if not each.is_amount and not is_right(each, text, against.end() if against else None)
    ]
    return [each for each in own if not groups("references")["baseline"].search(subject_of(text, each))]


def names_other_side(clause: Clause) -> bool:
    """Whether a clause says itself what a result is held against."""
    return bool(
        phrases("operands.against").search(clause.text)
        or any(p.search(clause.text) for p in groups("references").values())
    )


def against_in(text: str, said: Said) -> int | None:
    """Where what a result is held against begins: behind the first "than" that follows the relation, or anywhere."""
    matches = list(phrases("operands.against").finditer(text))
    behind = [match for match in matches if match.end() >= said.end]
    chosen = behind or matches
    return chosen[0].end() if chosen else None


def is_right(result: Result, text: str, against: int | None) -> bool:
    """Whether a number is what a result is held against."""
    before = text[: result.number.start].rstrip(" (*`~")
    if result.number.start < 0:
        return False
    if re.search(r"\bfrom$", before, re.I):
        return True
    if _CHANGES_TO.match(text, result.number.end):
        return True
    if re.search(r"(?:\bto|→|->)$", before, re.I) and re.search(r"\bfrom\b|\d\W*(?:→|->)$", before, re.I):
        return False
    if re.search(r"\bbaseline\W*(?:\w+ ){0,3}(?:of |at |is |was )?\W*$", text[: result.number.start], re.I):
        return True
    if against is None or result.number.start < against:
        return False
    return not _ASIDE.fullmatch(text[against : result.number.start])  # as "twice as long (38 s)"


def two_splits(
    clause: Clause, known: Known, what: Meant, against: int | None, left: Sequence[Result]
) -> tuple[Operand, Operand] | None:
    """One run's results on two splits that are held against each other."""
    mentions = split_mentions(clause.text)
    before = [each.what for each in mentions if against is not None and each.end <= against]
    behind = [each.what for each in mentions if against is not None and each.start >= against]
    if not before or not behind or before[-1] == behind[0]:
        return None
    what = Meant(what.metric, cast("Split", before[-1]))
    rows = references.bearing(known, what, left[0].number) if left else references.current(known, what)
    others = [row for row in references.beside(known, rows) if row.split == behind[0] and row.epoch == rows[-1].epoch]
    others = [row for row in others if row.words == rows[-1].words] or others
    others = [row for row in others if row.label == rows[-1].label] or others
    if rows and not others:  # another script measured it
        others = references.current(known, Meant(rows[-1].metric, cast("Split", behind[0])))
    return operand(left, rows), operand([], others[-1:])
