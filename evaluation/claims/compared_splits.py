"""Which split a comparison is about, and which it is held against."""

from __future__ import annotations

import re

from evaluation.claims.results import split_near
from evaluation.claims.sentences import Clause
from evaluation.language.numbers import Number
from evaluation.language.splits import Split, splits_in

_AGAINST = re.compile(r"\b(?:than|compared (?:to|with)|as|versus|vs\.?|over)\b", re.IGNORECASE)
_DIRECT = re.compile(r"twice|above|below|exceed|surpass|outperform", re.IGNORECASE)


def own_split(clause: Clause, text: str, match: re.Match[str], number: Number | None) -> Split | None:
    """The split of the newer value."""
    own = splits_in(text[: match.start()])
    if number and not (own and number.start > match.start() and other_split(text, match)):
        return split_near(text, number, clause)
    return _split_of_order(text, match) or split_near(text, None, clause)


def _split_of_order(text: str, match: re.Match[str]) -> Split | None:
    """The split of what is ordered: the last one before the word of order, else the first after it."""
    before = splits_in(text[: match.start()])
    after = splits_in(text[match.start() :])
    return before[-1][0] if before else after[0][0] if after else None


def other_split(text: str, match: re.Match[str]) -> Split | None:
    """The split that is itself what is compared with: "worse than the validation accuracy"."""
    before, after = splits_in(text[: match.start()]), text[match.end() :]
    own = before[-1][0] if before else None
    if match.lastgroup in ("SAME", "SIMILAR") and len({split for split, _ in before}) == 2 and not splits_in(after):
        return before[0][0]
    direct = _DIRECT.match(match.group())
    against = None if direct else _AGAINST.search(after)
    own = own or split_before_other(text, match)
    beyond = splits_in(after[against.end() if against else 0 :])[:1] if against or direct else ()
    if not beyond or own == beyond[0][0] or "baseline" in after:
        return None
    return beyond[0][0]


def split_before_other(text: str, match: re.Match[str]) -> Split | None:
    """The split named between a word of order and what is compared with: "better on the training data than on …"."""
    after = text[match.end() :]
    against = _AGAINST.search(after)
    named = splits_in(after[: against.start()]) if against else ()
    return named[0][0] if named else None
