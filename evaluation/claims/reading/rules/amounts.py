"""How many trials, folds or parameters something had, held against what code, commands and outputs say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.types.deed import Deed, Doing
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.events import Event
from evaluation.record.known import Known

_TIMES = 11
"""As often the largest amount may have been spent at most."""
_N = r"\d[\d,_]*(?:\.\d+)?"
_WHOLE = re.compile(r"(?<![\w.])\d{1,3}(?:[,_]?\d{3})+(?![\w.]|,\d)")
"""Whole numbers of so many digits that they stand for one thing alone, wherever a text that names it has them."""


class _Thing(NamedTuple):
    """What is counted: its name, how prose has it behind the number, how code and outputs do, the least that tells."""

    name: str
    said: re.Pattern[str]
    shown: re.Pattern[str]
    least: int


_THINGS = (
    _Thing(
        "trial",
        re.compile(r" ?(?:\w+ )?trials\b", re.IGNORECASE),
        re.compile(rf"trials\w*[\"']?\W{{0,4}}(?P<a>{_N})|(?<![\w.])(?P<b>{_N}) (?:\w+ )?trials\b", re.IGNORECASE),
        2,
    ),
    _Thing(
        "fold",
        re.compile(r"-?\s?fold\b(?! (?:#?\d|more|less|high|low|increase|speed))", re.IGNORECASE),
        re.compile(
            rf"(?:fold\(|n_splits|n_folds|\bcv)[\"']?\W{{0,3}}(?:n_splits ?= ?)?(?P<a>{_N})"
            rf"|(?<![\w.])(?P<b>{_N})[ -]?folds?\b",
            re.IGNORECASE,
        ),
        2,
    ),
    _Thing(
        "param",
        re.compile(r"[ -](?:trainable )?param(?:eter)?s?\b", re.IGNORECASE),
        re.compile(rf"param\w*[\"']?\W{{0,4}}(?P<a>{_N})|(?<![\w.])(?P<b>{_N}) (?:trainable )?param", re.IGNORECASE),
        1000,
    ),
)


def miscalled(clause: Clause, known: Known) -> Iterator[Deed]:
    """The counts of a clause that no code, command or output gives, though they give others of the same."""
    for number in find_numbers(clause.text):
        thing = next((each for each in _THINGS if each.said.match(clause.text, number.end)), None)
        if thing is None or number.value < thing.least or number.approximate or number.bound:
            continue
        if is_hedged(clause, number.start) or known.hides_code or known.hides_outputs:
            continue
        shown = [(value, event) for event in known.events for value in _shown(thing, event)]
        printed = [event for value, event in shown if event.shows_output]
        if not printed or any(number.is_near(value) for event in known.events for value in _beside(thing, event)):
            continue
        if not _makes(number, {value for value, _ in shown}):
            yield Deed(doing=Doing.RAN, new=number, instead=(printed[-1].id,))


def _shown(thing: _Thing, event: Event) -> Iterator[float]:
    for text in (event.command, event.added, event.observation):
        for found in thing.shown.finditer(text):
            yield _value(found["a"] or found["b"])


def _beside(thing: _Thing, event: Event) -> Iterator[float]:
    """The large whole numbers of an output that names the thing, as the head of a table does."""
    if thing.name in event.observation.lower():
        yield from (_value(found) for found in _WHOLE.findall(event.observation))


def _makes(number: Number, shown: set[float]) -> bool:
    """Whether those shown make a number: one of them, the largest several times, or all together."""
    multiples = (max(shown) * times for times in range(2, _TIMES))
    return any(number.is_near(total) for total in (*shown, sum(shown), *multiples))


def _value(text: str) -> float:
    return float(text.replace(",", "").replace("_", ""))
