"""Whose each number of a sentence is: of the name beside it, of the name in its turn, or of the only name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from evaluation.claims.reading.rules.numbers import is_amount, is_precise
from evaluation.claims.reading.rules.spoken_of import Named, has_relation, named_in
from evaluation.claims.reading.rules.vocabulary import groups, phrases
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.known import Known
from evaluation.record.subjects import Subject

_OF = r"(?:for|with|from|under|by|using|in)"
_THE = r"(?:the |our |my |a )?[`*\"]*"
_WHOSE = re.compile(rf"\s*[`*_]*(?:\(\s*(?:{_OF}\s+)?|{_OF}\s+){_THE}", re.IGNORECASE)
"""Between a number and what it is of: "0.83 (the wide net", "0.83 for the wide net"."""
_KIND = r"(?:run|model|variant|config|setup|one|net|network|schedule|classifier|regressor|experiment)"
_GETS = (
    r"(?:reach|get|got|giv|gav|has|had|hit|hav|is\b|was\b|at\b|end|land|score|achiev|come|came|finish|yield|sit|show)"
)
_ELSEWHERE = r"(?:than|over|vs|versus|from|to|and|but|while|below|above|against|or|not|n't)"
_HAS = re.compile(
    rf"[`*\"']*(?:'s\b)?\s*(?:{_KIND}\b)?[`*]*\s*(?:[:=(→–—]|->|\b{_GETS}\w*)"
    rf"(?:(?!\b{_ELSEWHERE}\b)[^.,;()\d→])*[(:=\s~`*$]*$",
    re.IGNORECASE,
)
"""Between what a number is of and the number: "the wide net reaches a test accuracy of 0.83"."""
_CHANGES = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:→|->|to)\s*[\d.]")
"""Behind the first of the two values of a change."""
_WHEN = re.compile(r"\b(?:before|after|previously|earlier|now|old|new)\b", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(
    r"(?: \w+){0,2}?\W*(?:and|vs\.?|versus|or)?\W*(?:the |our )?\W*(?:\w+ )?",
    re.IGNORECASE,
)
"""Between two names whose values follow in their order."""
_OLD = re.compile(
    r"\b(?:from|replac\w+|over|on|than|against|instead of|relative to|compared (?:to|with)|vs\.?|versus)\s+"
    r"(?:(?!to\b|with\b|by\b)\w+\s+){0,2}[`*\"]*$",
    re.IGNORECASE,
)
"""In front of what was there before, or is held against."""
_ONE_OLD = ([True, False], [False, True])
_BEHIND = re.compile(rf"(?:\W{{0,2}}\(|\s(?:before )?{_OF} ){_THE}")
_BEFORE = re.compile(rf"(?:'s\s+|(?: {_KIND}\b)?[`*\"]*\s*[(=]\s*)")
"""Between a number and a name right behind it, or right before it, that is its own whatever else stands there."""

_OTHERS = re.compile(
    r"\b(?:unlike|besides|apart|except|instead|rather|not?|never|neither|others?|another|too|also)\b|n't\b"
    r"|\bwithout (?!(?:any |an )?(?:error|issue|problem|warning)s?\b)",
    re.IGNORECASE,
)
"""Says that something is not so of the one thing that is named, or so of others as well."""


class _Item(NamedTuple):
    """A name or a number, where it stands."""

    start: int
    end: int
    subject: Subject | None = None


def alone_in(text: str, known: Known) -> Subject | None:
    """The one thing that a text names; ``None`` where it names none, or several."""
    return alone_among(named_in(text, known))


def alone_among(names: Iterable[Named]) -> Subject | None:
    """The one thing that all of some names are of; ``None`` where there is none, or several."""
    named = {subject for each in names for subject in each.subjects}
    return named.pop() if len(named) == 1 else None


def owners(text: str, known: Known) -> Mapping[int, Subject]:
    """The things that numbers of a text are said of, by the places of the numbers; without those that are open."""
    names = named_in(text, known)
    return _owners(text, tuple(names)) if names else {}


@lru_cache(maxsize=4096)
def _owners(text: str, names: tuple[Named, ...]) -> Mapping[int, Subject]:
    if not all(subject.is_named for each in names for subject in each.subjects):
        return {}
    results = _results(text, names)
    stated = [_Item(each.start, each.end) for each in results if is_precise(each) and not is_amount(each, text)]
    found = _beside(text, names, results)
    found.update(_in_turn(text, names, stated) or _of_one(text, names, stated))
    unsure = {subject for each in names if each.is_guess or each.is_left_out(text) for subject in each.subjects}
    return {start: subject for start, subject in found.items() if subject not in unsure}


def _beside(text: str, names: Sequence[Named], results: Sequence[Number]) -> dict[int, Subject]:
    """Whose the numbers are that have one name right before or behind them."""
    found = {}
    changed = [change for each in results if (change := _CHANGES.match(text, each.end))]
    for number in results:
        if any(change.start() == number.end or change.start() < number.start < change.end() for change in changed):
            continue
        after = [each for each in names if each.start >= number.end and _WHOSE.fullmatch(text, number.end, each.start)]
        last = max((each.end for each in results if each.end <= number.start), default=0)
        since = [each for each in names if last <= each.start and each.end <= number.start]
        before = [each for each in since if len(since) == 1 and _HAS.fullmatch(text, each.end, number.start)]
        own = {subject for each in (*after[:1], *before) for subject in each.subjects}
        if len(own) == 1:
            found[number.start] = own.pop()
    return found


def _results(text: str, names: Sequence[Named]) -> list[Number]:
    """The numbers with decimals that are no part of a name."""
    found = (each for each in find_numbers(text) if each.resolution < 1)
    return [each for each in found if not any(name.start <= each.start < name.end for name in names)]


def _in_turn(text: str, names: Sequence[Named], values: Sequence[_Item]) -> dict[int, Subject]:
    """Whose the results of a text are that names as many things as it states results."""
    own = [_Item(each.start, each.end, subject) for each in names for subject in each.subjects]
    named = [each for n, each in enumerate(own) if n == 0 or own[n - 1].subject != each.subject]
    is_open = len(own) > len(names) or len({each.subject for each in named}) < len(named)
    if is_open or len(named) != len(values) or len(values) < 2:
        return {}
    near = [(name, value) for name in named for value in values if _is_close(text, name, value)]
    close = {name: value for name, value in near if sum(name in each or value in each for each in near) == 1}
    rest = [each for each in named if each not in close], [each for each in values if each not in close.values()]
    is_change = len(values) == 2 and _CHANGES.match(text, values[0].end) is not None
    in_order = _pairs(text, *rest, is_change=is_change) if rest[0] else []
    pairs = [*close.items(), *in_order] if len(in_order) == len(rest[0]) else []
    return {value.start: name.subject for name, value in pairs if name.subject}


def _pairs(text: str, names: list[_Item], values: list[_Item], *, is_change: bool) -> list[tuple[_Item, _Item]]:
    """Each name with its value, by the order in which they stand; none where that is open."""
    if is_change and len(names) > 1:
        old = [bool(_OLD.search(text[: each.start])) for each in names]
        return list(zip(names if old[0] else names[::-1], values, strict=True)) if old in _ONE_OLD else []
    order = "".join("N" if each.subject else "V" for each in sorted([*names, *values], key=lambda each: each.start))
    is_in_turn = order in ("NV" * len(names), "VN" * len(names))
    is_around = order in ("NVVN", "VNNV")
    is_beside = order in ("NNVV", "VVNN") and _SIDE_BY_SIDE.fullmatch(text, names[0].end, names[1].start)
    is_plain = is_in_turn or ((is_around or is_beside) and not _WHEN.search(text))
    return list(zip(names, values, strict=True)) if is_plain else []


def _is_close(text: str, name: _Item, value: _Item) -> bool:
    """Whether a name and a number stand right at each other: "the wide net (0.83)", "0.83 (the wide net)"."""
    if value.end <= name.start:
        return _BEHIND.fullmatch(text, value.end, name.start) is not None
    return _BEFORE.fullmatch(text, name.end, value.start) is not None


def _of_one(text: str, names: Sequence[Named], stated: Sequence[_Item]) -> dict[int, Subject]:
    """Whose the one result is of a text that names one thing alone and refers to no other."""
    subjects = {subject for each in names for subject in each.subjects}
    is_open = len(subjects) != 1 or len(stated) != 1 or has_relation(text)
    if is_open or any(pattern.search(text) for pattern in _referring()):
        return {}
    return {stated[0].start: subjects.pop()}


@cache
def _referring() -> Sequence[re.Pattern[str]]:
    """What says that another thing than the one named may be spoken of."""
    references = [pattern for name, pattern in groups("references").items() if name != "current"]
    return [_OTHERS, phrases("operands.against"), phrases("done.undone"), *references]
