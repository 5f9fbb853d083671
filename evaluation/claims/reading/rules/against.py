"""What a result is held against: where that begins in a clause, and which of its numbers stand there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.reading.rules.numbers import Result, subject_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.relations import Said
from evaluation.claims.reading.rules.vocabulary import groups, phrases

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
