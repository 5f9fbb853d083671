"""How many are said, held against what code, commands and outputs tell of the same: "100 trials", "5 folds"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.types.deed import Deed, Doing
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.events import Event
from evaluation.record.known import Known

_TIMES = 11
"""As often the largest amount may have been spent at most."""
_DIGITS = r"\d[\d,_]*(?:\.\d+)?"
_WHOLE = re.compile(r"(?<![\w.])\d{1,3}(?:[,_]?\d{3})+(?![\w.]|,\d)")
"""Whole numbers of so many digits that they stand for one thing alone, wherever a text that names it has them."""


class _Thing:
    """What is counted.

    Args:
        name: What it is called.
        behind: How prose has it behind the number.
        before: How code and outputs have it in front of the number.
        least: The least number that tells.
    """

    def __init__(self, name: str, behind: str, before: str, least: int) -> None:
        self.name, self.least = name, least
        self.said = re.compile(behind, re.IGNORECASE)
        self.shown = re.compile(
            rf"(?:{before})[\"']?\W{{0,4}}(?:n_splits ?= ?)?(?P<a>{_DIGITS})"
            rf"|(?<![\w.])(?P<b>{_DIGITS})[ -]?(?:\w+ )?{name}",
            re.I,
        )


_THINGS = (
    _Thing("trial", r" ?(?:\w+ )?trials\b", r"trials\w*", 2),
    _Thing("fold", r"[- ]?fold\b(?! (?:#?\d|more|less|high|low|increase|speed))", r"fold\(|n_splits|n_folds|\bcv", 2),
    _Thing("param", r"[ -](?:trainable )?param(?:eter)?s?\b", r"param\w*", 1000),
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
