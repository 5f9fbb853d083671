"""Which relation of two results a text names, and where in it begins what a result is held against."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import cast

from environment.metrics.meaning import names_in
from environment.metrics.names import is_setting
from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.asserted import is_of_which, without_aims
from evaluation.claims.reading.rules.mentions import split_mentions
from evaluation.claims.reading.rules.numbers import Result, operand, subject_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.vocabulary import found_in, groups, phrases
from evaluation.claims.types.base import Operand, Relation
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import Split, place_of, splits_in
from evaluation.record.known import Known

_HEDGE = 8
_BOUNDS = frozenset(
    {"more than", "less", "above", "below", "greater", "lower", "higher", "smaller", "exceed", "exceeds", "exceeded"}
)
"""Words that set a bound to the number behind them."""
_SPEED = {"faster": "lower", "slower": "higher"}
_ATTRIBUTE = re.compile(
    r"\b(?:the|a|an|this|our|its|with|of|these|more|use|using|used|uses|gradient|such|even|first|new|any|some)\s+$",
    re.IGNORECASE,
)
_HAS_THE = re.compile(
    r"\b(?:has|have|had|achiev\w+|gives?|gave|gets?|got|yields?|ends? with|reach\w*|obtains?"
    r"|shows?) (?:the|an?|still the) (?:much |slightly |\w+ly )?$",
    re.I,
)
_NOUN = re.compile(
    r"(?:improvement|gain|increase|reduction|drop|decrease|boost|rise|decline|speed-?up|same)s?$", re.IGNORECASE
)
_TO_BE_HAD = re.compile(r"\b(?:remaining|possible|potential|future)\s+(?:\w+\s+)?$", re.IGNORECASE)
_GERUND = re.compile(
    r"(?:(?<=\bthat )|^\W*)\w+ing\b(?: \S+){1,10}? (?=(?:did|does|has|had|have|was|were|is)\b)", re.IGNORECASE
)
"""What was done, of which the clause says what came of it: "Increasing the batch size did not improve the loss"."""
_NAME = re.compile(r"[\"“`]\w+[\"”`]|\ball the same\b", re.IGNORECASE)
"""A word in quotes, which is the name of something, and one that means nevertheless."""
_OPEN = re.compile(
    r"\s*(?:than|by|to|over|from|on|in|for|with|and|or|the|our|my|its?|both|all|things|[.,;:(]|$)", re.IGNORECASE
)
_THINGS = re.compile(r"improvements|enhancements", re.IGNORECASE)
"""Changes that were made to be better."""
_OF_RESULT = re.compile(r"\s*(?:over|in|of|on|compared|relative)\b", re.IGNORECASE)
_LABEL = re.compile(r"\W*(?:\w+:\W*)?")
"""In front of a text that begins with a word, but for a label."""
_UNDER_THE_SAME = re.compile(r"\b(?:on|for|with|in|at|from|by|under|using|over|of)\s+$", re.IGNORECASE)
"""In front of what two results have in common: "on the same houses"."""
_THING = re.compile(
    r"\s+(?!(?:than|by|to|over|from|on|in|for|with|and|or|at|as|but|so|both|all|things|of|is|was|each|every|between|after"
    r"|during|too|again|further)\b|\w+ly\b)[\w`'-]+(?:[ /](?!(?:of|than|with|for|in|on|by)\b)[\w`'-]+){0,3}",
    re.IGNORECASE,
)
"""What a word goes with that stands right behind it."""
_LISTED = re.compile(r", (?:and )?[a-z][\w-]+ [a-z]")
"""Behind the first of several words that describe a thing: "the slower, stronger-regularised boosting"."""
_ASIDE = re.compile(r"\s*(?:long|fast|large|high|much|many|slow)\s*\(", re.IGNORECASE)
_CHANGES_TO = re.compile(r"\s*(?:→|->|=>)\s*[\d.]")


@dataclass(frozen=True)
class Said:
    """A relation that a clause names, and where."""

    relation: Relation
    start: int
    end: int
    is_time: bool


def relation_in(text: str, names: Collection[str] = ()) -> Said | None:
    """The first relation that a text names; a negated one before the plain one it holds."""
    text = without_aims(text)
    for pattern in (_GERUND, _NAME):
        text = pattern.sub(lambda found: " " * len(found.group()), text)
    bounds = [number.start for number in find_numbers(text) if number.bound]
    hits = []
    for name, pattern in groups("relations").items():
        for match in pattern.finditer(text):
            is_bound = any(0 <= start - match.start() <= len(match.group()) + _HEDGE for start in bounds)
            if (
                not _is_attribute(text, match, names)
                and not is_of_which(text[: match.start()])
                and not (is_bound and match.group().lower() in _BOUNDS)
            ):
                hits.append((match.start(), -len(match.group()), name, match.end()))
    if not hits:
        return None
    start, _, name, end = min(hits)
    return Said(cast("Relation", _SPEED.get(name, name)), start, end, name in _SPEED)


def _is_attribute(text: str, match: re.Match[str], names: Collection[str]) -> bool:
    """Whether a word only describes a thing: "the improved model", "with a higher learning rate"."""
    before, after, word = text[: match.start()], text[match.end() :], match.group().lower()
    if (match.start() == 0 and word.endswith("ing")) or (_THINGS.fullmatch(word) and not _OF_RESULT.match(after)):
        return True  # what was done, of which something follows
    if word == "the same" and _UNDER_THE_SAME.search(before):
        return True
    if _NOUN.match(word) and (_TO_BE_HAD.search(before) or after.startswith((" left", " that remain"))):
        return True
    if word == "better" and after.startswith(" to "):
        return True
    thing = _THING.match(after)
    is_comparative = bool(phrases("words.comparative").fullmatch(word))
    if thing and is_comparative and " than " not in after and not _is_result(thing.group(), names):
        return True
    if thing and word.endswith("ed") and _LABEL.fullmatch(before) and not names_in(thing.group()):
        return True  # "Enhanced tokenizer with …", which is the name of what was done
    if _HAS_THE.search(before) and not is_setting(after.strip().split(" ")[0] or "x"):
        return False
    if not _ATTRIBUTE.search(before) or _NOUN.match(word):
        return False
    return not _OPEN.match(after) or (is_comparative and bool(_LISTED.match(after)))


def _is_result(thing: str, names: Collection[str]) -> bool:
    """Whether what is called better or made so is a result, or what gave it."""
    return bool(names_in(thing) or splits_in(thing) or phrases("words.of_result").search(thing)) or any(
        place_of(name, thing.lower()) >= 0 for name in names
    )


def left_of(clause: Clause, results: Sequence[Result]) -> list[Result]:
    """The results that a clause is about, without those they are held against."""
    text, against = clause.text, phrases("operands.against").search(clause.text)
    own = [
        each for each in results if not each.is_amount and not is_right(each, text, against.end() if against else None)
    ]
    return [each for each in own if not groups("references")["baseline"].search(subject_of(text, each))]


def names_other_side(clause: Clause) -> bool:
    """Whether a clause says itself what a result is held against."""
    return bool(phrases("operands.against").search(clause.text)) or found_in("references", clause.text) is not None


def against_in(text: str, said: Said) -> int | None:
    """Where what a result is held against begins: behind the first "than" that follows the relation, or anywhere."""
    matches = list(phrases("operands.against").finditer(text))
    behind = [match for match in matches if match.end() >= said.end]
    chosen = behind or matches
    return chosen[0].end() if chosen else None


def is_right(result: Result, text: str, against: int | None) -> bool:
    """Whether a number is what a result is held against."""
    if result.number.start < 0:
        return False  # of the clause before
    before = text[: result.number.start].rstrip(" (*`~")
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
    if left and not rows:
        return None
    others = [row for row in references.beside(known, rows) if row.split == behind[0] and row.epoch == rows[-1].epoch]
    others = [row for row in others if row.words == rows[-1].words] or others
    others = [row for row in others if row.label == rows[-1].label] or others
    if rows and not others:  # another script measured it
        others = references.current(known, Meant(rows[-1].metric, cast("Split", behind[0])))
    return operand(left, rows), operand([], others[-1:])
