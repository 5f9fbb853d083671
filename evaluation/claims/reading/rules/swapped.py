"""What is said to be put in the place of what, held against lines that edits changed in one number or word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluation.claims.reading.rules.deeds import Done
from evaluation.claims.reading.rules.objects import holds_number
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.record.changes import Swap, swaps
from evaluation.record.code import Code, Text
from evaluation.record.events import Event
from evaluation.record.known import Known

_VALUE = r"[\"'`*(]*(?:(?:the|an?) )?[\"'`*]*(?P<{}>\d[\d_]*(?:\.\d+)?(?:e-?\d+)?(?![\w%])|[A-Za-z]\w*)[\"'`*]*"
_A, _B = _VALUE.format("a"), _VALUE.format("b")
_OLD = re.compile(
    rf"(?:\b(?:from|instead of|rather than|(?:replaced|swapped|exchanged)(?! (?:for|with|by|out)\b))|[(,] ?was)\s+{_A}"
    rf"|{_B}\s*(?:->|→|=>|(?:was|is|has been) (?:swapped|replaced|exchanged)\b)",
    re.IGNORECASE,
)
_NEW = re.compile(rf"(?:\b(?:to|at|by|now|uses?|is|with|for)|->|→|=>|=)\s+{_A}", re.IGNORECASE)
_ENOUGH = 0.5
"""Share of what is named that a line has to hold, so that it is that which is set there."""


class Told(NamedTuple):
    """The old and the new number or word that a text gives; "" where it gives none."""

    old: str
    new: str


class Found(NamedTuple):
    """An edit of what is said to be changed, with what it put there, and whether that is what is said."""

    edit: Event
    swap: Swap
    is_so: bool


def swapped(done: Done, live: Sequence[Event], known: Known) -> Found | None:
    """The latest edit in effect that tells which number or word it put in the place of which, where the deed does."""
    told = _told(done.text)
    if any(each[:1].isdigit() for each in told):
        return _found([*_of_object(done, live, _ENOUGH)], told, live, known)
    if all(told) and (own := [(edit, each) for edit, each in _all(live) if {*told} & {each.old, each.new}]):
        return _found(own, told, live, known)
    return _moved(done, [*_of_object(done, live, 1.0)], known)


def _told(text: str) -> Told:
    """What stands behind "from", and behind "to": numbers where the text has one there, else words."""
    olds = [(each["a"] or each["b"]).lower() for each in _OLD.finditer(text)]
    news = [each["a"].lower() for each in _NEW.finditer(text)]
    is_of_numbers = any(each[0].isdigit() for each in (*olds, *news))
    old, new = (next((each for each in of if each[0].isdigit() == is_of_numbers), "") for of in (olds, news))
    return Told(old, new)


def _found(own: Sequence[tuple[Event, Swap]], told: Told, live: Sequence[Event], known: Known) -> Found | None:
    """The swap that a text tells, be it in several steps; else the latest, where what is told stands nowhere else."""
    new = [(edit, each) for edit, each in own if not told.new or _is(each.new, told.new)]
    is_old = not told.old or any(_is(each.old, told.old) for _, each in own)
    if new and is_old:
        return Found(*new[0], is_so=True)
    others = [known.commands, *(Text(each.added) for each in live)]
    is_elsewhere = _holds(known.code, told.old) if new else any(_holds(code, told.new) for code in others)
    is_swapped_back = any((each.old, each.new) == (told.new, told.old) for _, each in own)
    return None if not own or (is_elsewhere and not is_swapped_back) else Found(*own[0], is_so=False)


def _moved(done: Done, own: Sequence[tuple[Event, Swap]], known: Known) -> Found | None:
    """The swap of a number in the direction that the verb tells; else the latest, where all go the other way."""
    up, down = (bool(phrases(f"words.{name}").fullmatch(done.told)) for name in ("grown", "shrunk"))
    if up == down or not own or done.what.coverage(known.commands) >= _ENOUGH:
        return None
    right = [each for each in own if (float(each[1].new) > float(each[1].old)) == up]
    return Found(*(right or own)[0], is_so=bool(right))


def _all(live: Sequence[Event]) -> Iterator[tuple[Event, Swap]]:
    return ((edit, each) for edit in live for each in swaps(edit.removed, edit.added))


def _of_object(done: Done, live: Sequence[Event], share: float) -> Iterator[tuple[Event, Swap]]:
    """The swaps of numbers on lines that hold what a deed names."""
    for edit, each in _all(live):
        line = Text(each.line)
        is_of_numbers = each.old[0].isdigit() and each.new[0].isdigit()
        if is_of_numbers and not done.what.missing(line) and done.what.coverage(line) >= share:
            yield edit, each


def _is(held: str, value: str) -> bool:
    return holds_number(Text(held), float(value)) if value[0].isdigit() else value == held


def _holds(code: Code, value: str) -> bool:
    return holds_number(code, float(value)) if value[:1].isdigit() else bool(value) and value in code
