"""How many are said, held against what code, commands and outputs tell of the same: "100 trials", "5 folds"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.types.deed import Deed, Doing
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.events import Event

_TIMES = 11
"""As often the largest amount may have been spent at most."""
_DIGITS = r"\d[\d,_]*(?:\.\d+)?"
_WHOLE = re.compile(r"(?<![\w.])\d{1,3}(?:[,_]?\d{3})+(?![\w.]|,\d)")
"""Whole numbers of so many digits that they stand for one thing alone, wherever a text that names it has them."""


class _Thing(NamedTuple):
    """What is counted: its name, how prose has it behind and code before the number, and the least one that tells."""

    name: str
    behind: str
    before: str
    least: int

    def shown(self, event: Event) -> Iterator[float]:
        """How many of it an event's code, command or output tells."""
        pattern = (
            rf"(?:{self.before})[\"']?\W{{0,4}}(?:n_splits ?= ?)?(?P<a>{_DIGITS})"
            rf"|(?<![\w.])(?P<b>{_DIGITS})[ -]?(?:\w+ )?{self.name}"
        )
        for text in (event.command, event.added, event.observation):
            yield from (_value(found["a"] or found["b"]) for found in re.finditer(pattern, text, re.IGNORECASE))

    def beside(self, event: Event) -> Iterator[float]:
        """The large whole numbers of an output that names it, as the head of a table does."""
        if self.name in event.observation.lower():
            yield from map(_value, _WHOLE.findall(event.observation))


_THINGS = (
    _Thing("trial", r" ?(?:\w+ )?trials\b", r"trials\w*", 2),
    _Thing("fold", r"[- ]?fold\b(?! (?:#?\d|more|less|high|low|increase|speed))", r"fold\(|n_splits|n_folds|\bcv", 2),
    _Thing("param", r"[ -](?:trainable )?param(?:eter)?s?\b", r"param\w*", 1000),
)


def miscalled(said: Said) -> Iterator[Deed]:
    """The counts of a clause that no code, command or output gives, though they give others of the same."""
    known, text = said.known, said.text
    for number in find_numbers(text) if not (known.hides_code or known.hides_outputs) else ():
        behind = text[number.end :]
        thing = next((each for each in _THINGS if re.match(each.behind, behind, re.IGNORECASE)), None)
        if thing is None or number.value < thing.least or number.approximate or number.bound:
            continue
        shown = [(value, event) for event in known.events for value in thing.shown(event)]
        printed = [event for _, event in shown if event.shows_output]
        is_beside = any(number.is_near(value) for event in known.events for value in thing.beside(event))
        is_told = is_beside or _makes(number, {value for value, _ in shown})
        if printed and not is_told and not is_hedged(text, number.start):
            yield Deed(doing=Doing.RAN, new=number, instead=(printed[-1].id,))


def _makes(number: Number, shown: set[float]) -> bool:
    """Whether those shown make a number: one of them, the largest several times, or all together."""
    multiples = (max(shown) * times for times in range(2, _TIMES) if shown)
    return any(number.is_near(total) for total in (*shown, sum(shown), *multiples))


def _value(text: str) -> float:
    return float(text.replace(",", "").replace("_", ""))
