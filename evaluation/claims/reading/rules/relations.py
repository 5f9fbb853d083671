"""Which relation of two results a clause names, and which of its numbers stand on which side of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from environment.metrics.names import is_setting
from evaluation.claims.reading.rules.asserted import without_aims
from evaluation.claims.reading.rules.said import Result, Said
from evaluation.claims.reading.rules.spoken_of import Named
from evaluation.claims.reading.rules.vocabulary import ends, found_in, groups, phrases
from evaluation.claims.types.base import Relation
from evaluation.language.numbers import find_numbers
from evaluation.record.subjects import Subject

_TURNED = re.compile(
    r"\b(?:replac\w*|switch\w*|going|from|back|compared|relative|instead|against|rank\w*|placed|unlike|without)\b",
    re.IGNORECASE,
)
"""In front of what is named first, where that is what is held against."""
_TRANSITIVE = re.compile(r"(?:beat|outperform|surpass|exceed|edges out|bested|underperform)\w*", re.IGNORECASE)
_ARTICLES = r"(?:(?!under|with|when|in|on|for)[\w'-]+ ){0,5}\W*"
_BESIDE = re.compile(rf"\W*{_ARTICLES}", re.IGNORECASE)
_THAN = re.compile(
    r"\W*(?:[\w-]+ ){0,8}?(?:than|over|vs\.?|versus|against|compared (?:to|with)|relative to|on|upon|of)\W+(?:with )?"
    + _ARTICLES,
    re.IGNORECASE,
)
"""Between a relation and what a result is held against, where it is no verb that takes it as its object."""
_QUALIFIED = re.compile(r"[:;(]|\b(?:with|using|plus|without)\b", re.IGNORECASE)
"""Between what is named and a relation, where more is said of it than its name."""
_CLOSE = 12
_FURTHER = re.compile(r"[\w\s`*]{0,20}?\b(?:with|using|plus|without)\b(?! \w+ ?= ?\d)", re.IGNORECASE)
_HEDGE = 8
_SPEED = {"faster": "lower", "slower": "higher"}
_NO_RELATION = re.compile(
    r"(?:(?<=\bthat )|^\W*)\w+ing\b(?: \S+){1,10}? (?=(?:did|does|has|had|have|was|were|is)\b)"
    r"|[\"“`]\w+[\"”`]|\ball the same\b",
    re.IGNORECASE,
)
"""What was done, of which the clause says what came of it ("Increasing the batch size did not …"), and names."""
_NOUN = re.compile(r"(?:improvement|gain|increase|reduction|drop|decrease|boost|rise|decline|speed-?up|same)s?$", re.I)
_OPEN = re.compile(
    r"\s*(?:than|by|to|over|from|on|in|for|with|and|or|the|our|my|its?|both|all|things|[.,;:(]|$)", re.IGNORECASE
)
_CHANGES_TO = re.compile(r"\s*(?:→|->|=>)\s*[\d.]")
_TO = re.compile(r"(?:\bto|→|->)$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\b|\d\W*(?:→|->)$", re.IGNORECASE)
_OF_BASELINE = re.compile(r"\bbaseline\W*(?:(?!now)\w+ ){0,3}(?:of |at |is |was )?\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class Related:
    """A relation that a clause names, and where."""

    relation: Relation
    start: int
    end: int
    is_time: bool

    @property
    def plain(self) -> str:
        """The relation without its denial."""
        return self.relation.removeprefix("not ")


@lru_cache(maxsize=2048)
def relation_in(text: str) -> Related | None:
    """The first relation that a text names; a negated one before the plain one it holds."""
    text = _NO_RELATION.sub(lambda found: " " * len(found.group()), without_aims(text))
    bounds = [number.start for number in find_numbers(text) if number.bound]
    hits = []
    for name, pattern in groups("relations").items():
        for match in pattern.finditer(text):
            is_near = any(0 <= start - match.start() <= len(match.group()) + _HEDGE for start in bounds)
            is_bound = is_near and phrases("words.bound").fullmatch(match.group())
            if not (is_bound or _is_attribute(text, match)):
                hits.append((match.start(), -len(match.group()), name, match.end()))
    if not hits:
        return None
    start, _, name, end = min(hits)
    return Related(cast("Relation", _SPEED.get(name, name)), start, end, name in _SPEED)


def _is_attribute(text: str, match: re.Match[str]) -> bool:
    """Whether a word only describes a thing: "the improved model", "with a higher learning rate"."""
    before, after, word = text[: match.start()], text[match.end() :], match.group().lower()
    if (match.start() == 0 and word.endswith("ing")) or (word == "better" and after.startswith(" to ")):
        return True  # what was done, of which something follows
    if word == "the same" and ends("words.under", before.rstrip()):
        return True
    if _NOUN.match(word) and ends("words.to_be_had", before.rstrip()):
        return True
    if ends("words.has_the", before.rstrip()) and not is_setting(after.strip().split(" ")[0] or "x"):
        return False
    if not ends("words.determiner", before.rstrip()) or _NOUN.match(word):
        return False
    return not _OPEN.match(after)


def names_apart(names: Sequence[Named]) -> list[Subject]:
    """The things that names tell from all others, in order, each once."""
    return list(dict.fromkeys(subject for each in names if len(each.subjects) == 1 for subject in each.subjects))


def plain_pair(text: str, names: Sequence[Named]) -> tuple[Subject, Subject] | None:
    """The two things of which one is named in front of a relation and the other behind its "than"; else ``None``."""
    one = [each for each in names if len(each.subjects) == 1]
    apart = [each for each in one if each.subjects != one[0].subjects]
    related = relation_in(text)
    if not apart or related is None or not one[0].end <= related.start < related.end <= apart[0].start:
        return None
    if _TURNED.search(text[: one[0].start]) or _QUALIFIED.search(text, one[0].end, related.start):
        return None
    if _FURTHER.match(text, apart[0].end) and not any(0 < each.start - apart[0].end < _CLOSE for each in names):
        return None
    (left,), (right,) = one[0].subjects, apart[0].subjects
    between = _BESIDE if _TRANSITIVE.fullmatch(text, related.start, related.end) else _THAN
    return (left, right) if between.fullmatch(text, related.end, apart[0].start) else None


def names_other_side(text: str) -> bool:
    """Whether a text says itself what a result is held against."""
    return bool(phrases("operands.against").search(text)) or found_in("references", text) is not None


def against_in(text: str, behind: int = 0) -> int | None:
    """Where what a result is held against begins: behind the first "than" that follows a relation, or anywhere."""
    found = [match.end() for match in phrases("operands.against").finditer(text)]
    return next((end for end in found if end >= behind), found[0] if found else None)


def is_right(result: Result, text: str, against: int | None) -> bool:
    """Whether a number is what a result is held against."""
    start = result.number.start
    if start < 0:
        return False  # of the clause before
    before = text[:start].rstrip(" (*`~")
    if before.lower().endswith(" from") or _CHANGES_TO.match(text, result.number.end):
        return True
    if _TO.search(before) and _FROM.search(before):
        return False
    if _OF_BASELINE.search(text[:start]) and (against is None or start >= against):
        return True
    return against is not None and start >= against and not phrases("words.now").search(text, against, start)


def left_of(said: Said) -> list[Result]:
    """The values that a clause is about, without those they are held against."""
    against = against_in(said.text)
    own = [each for each in said.results if not each.is_amount and not is_right(each, said.text, against)]
    return [each for each in own if not groups("references")["baseline"].search(said.subject_of(each))]
