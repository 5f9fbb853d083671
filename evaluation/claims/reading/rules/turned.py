"""What a change is said to have done, turned round: "dropout raised it from 0.91 to 0.93", where dropout's is 0.91."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from evaluation.claims.reading.rules.measured import is_precise
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.reading.rules.whose_value import is_one, names_in
from evaluation.claims.types.value import Value
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.known import Known
from evaluation.record.line import Line

_TO = re.compile(r"\s*(?:to|→|-+>)\s*")
"""Between what was and what became of it."""
_FROM = re.compile(r"(?:\bfrom|[(:])\s*$")
_WITH = re.compile(r" with(?: (?:it|this|that|them))?\b[^.;\d]*")
_WITHOUT = re.compile(r" without\b")
_REPLACED = re.compile(
    r"\b(?:replac|swap|switch|exchang|substitut|going|went|moving|moved)\w* (?:from )?(?P<old>[^,:;.]+?) "
    r"(?:by|with|for|to|→|->) (?P<new>[^,:;.]+)",
    re.IGNORECASE,
)
"""A change from a thing to another."""
_START = 3
_DENIED = re.compile(r"\b(?:no|without|w/o|not|minus) (\w+)", re.IGNORECASE)


def turned(clause: Clause, known: Known) -> Iterator[Value]:
    """The value that a clause says a change led to, where the row that has the change has the value before it."""
    sentence = clause.sentence.text[: clause.start - clause.sentence.start] + clause.text
    skipped = len(sentence) - len(clause.text)
    for one, two in pairwise(find_numbers(clause.text)):
        roles = _roles(clause.text, one, two) if is_precise(one) and is_precise(two) else None
        said = sentence[: skipped + one.start]
        if roles is None or phrases("words.undone").search(said):
            continue
        other = _cell(_Change.of(said), *roles, known)
        if other is not None:
            yield Value(stated=roles[1], rows=(other,))


@dataclass(frozen=True)
class _Change:
    """What words say was brought in, and what it took the place of."""

    brought: tuple[str, ...]
    replaced: tuple[str, ...]

    @classmethod
    def of(cls, said: str) -> _Change:
        """As the words in front of the values tell it."""
        replaced = _REPLACED.search(said)
        if replaced is None:
            return cls(tuple(names_in(said)), ())
        old, new = tuple(names_in(replaced["old"])), tuple(names_in(replaced["new"]))
        brought = tuple(name for name in new if name not in old)
        return cls(brought, tuple(name for name in old if name not in new))

    def is_turned(self, old: Line, new: Line) -> bool:
        """Whether the row of the value before has the change."""
        is_changed = _has_more(old, new, self.brought) or _has_more(new, old, self.replaced)
        return is_changed and not _has_more(new, old, self.brought) and not _has_more(old, new, self.replaced)


def _roles(text: str, one: Number, two: Number) -> tuple[Number, Number] | None:
    """The value before a change and the one with it."""
    between = text[one.end : two.start]
    if _TO.fullmatch(between) and _FROM.search(text[: one.start]):
        return one, two
    if _WITH.fullmatch(between) and _WITHOUT.match(text, two.end):
        return two, one
    return None


def _cell(change: _Change, before: Number, after: Number, known: Known) -> str | None:
    """The id of the value in the row with the change, where that is the one said to be without; ``None`` in doubt."""
    lines = known.index.tables
    if lines.is_elsewhere(before, known.step) and lines.is_elsewhere(after, known.step):
        return None
    found = ""
    for old, place in lines.bearing(before, known.step):
        for new, other_place in lines.bearing(after, known.step):
            if place != other_place or new not in lines.table_of(old):
                continue
            if not change.is_turned(old, new):
                return None
            found = found or old.values[place].id
    return found or None


def _has_more(line: Line, other: Line, names: tuple[str, ...]) -> bool:
    """Whether a row is called by a word that is said, and another row is not, or denies it."""
    denied, denied_by_other = (set(_DENIED.findall(each.name.lower())) for each in (line, other))
    own = (set(line.words) - set(other.words) - denied) | (denied_by_other - denied)
    return any(is_one(name, word, _START) for name in names for word in own)
