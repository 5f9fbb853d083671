"""How many are said, held against what code, commands and outputs tell of the same: "100 trials", "5 folds"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.deeds import Done
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.vague import VagueDeed
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_TIMES = 11
"""As often the largest amount may have been spent at most."""
_DIGITS = r"\d[\d,_]*(?:\.\d+)?"
_OF_FILES = re.compile(r"\b(?P<n>\w+) (?:(?:different|source|separate|Python|project) )?files?\b", re.IGNORECASE)
_OF_SCRIPT = re.compile(r"\bscript\b|\w\.py\b", re.IGNORECASE)
_TIMES_RUN = re.compile(r"\b(?P<n>\w+) (?:times|runs)\b", re.IGNORECASE)
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


def count_of(done: Done, known: Known) -> Assertion | None:
    """How many files were edited, or how often a script was run; ``None`` where a deed does not say it.

    Fewer than there are may be some of them; more may be those of which the log does not tell one by one.
    """
    told = _OF_FILES.search(done.text) or (_OF_SCRIPT.search(done.text) and _TIMES_RUN.search(done.text))
    number = next(iter(find_numbers(told["n"])), None) if told else None
    if number is None or number.approximate or number.bound:
        return None
    if done.doing is Doing.CHANGED:
        counted = {event.files[0]: event for event in known.edits if event.changed and event.files}
        is_open = any(event.rewrites and (event.kind is EventKind.RUN or not event.files) for event in known.events)
    else:
        files = done.what.files
        runs = [event for event in known.events if event.kind is EventKind.RUN]
        counted = {event.id: event for event in runs if not files or files & {*event.files}}
        is_open = known.hides_outputs or any(event.runs_several or event.writes for event in runs)
    latest = [*counted.values()][-1:]
    if number.value == len(counted) and latest:
        return Deed(doing=done.doing, new=number, events=ids_of(latest), however_it_ended=True)
    if number.value < len(counted) or is_open or known.cuts_code or not latest:
        return VagueDeed()
    return Deed(doing=done.doing, new=number, instead=ids_of(latest), found=f"{len(counted)} of them")


def _value(text: str) -> float:
    return float(text.replace(",", "").replace("_", ""))
