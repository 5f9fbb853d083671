"""How many are said, held against what outputs and code tell: "wrong in all seeds", "100 trials"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.whose_value import Said
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.value import Value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Quantity
from evaluation.record.events import Event
from evaluation.record.known import Known
from evaluation.record.line import Line
from evaluation.record.measurements import Measurement

_N = r"\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
_COUNT = re.compile(
    rf"\b(?P<some>{_N}|one|none|all|each|every(?: single)?(?: one)?) (?:out )?of (?:the |its |these |our |my |all )?"
    rf"(?P<of>{_N})\b(?! ?%|\.\d)"
    rf"|(?<![\w./])(?P<k>\d+) ?/ ?(?P<n>\d+)(?![\w./])"
    rf"|\b(?P<every>all|both) (?:the |its )?(?P<number>{_N}) (?P<things>[a-z]{{3,}}s)\b",
    re.IGNORECASE,
)
_SO = re.compile(
    r"\b(?P<word>better|worse|win|won|beat|improv|wrong|right|correct|identical|equal|fewer|higher|lower|faster|slower)"
    r"[a-z]*\b[^.;]{0,24}$",
    re.IGNORECASE,
)
"""What is so, in front of how many."""
_TURNS = ("win", "won", "beat")
"""What is told of two, each of which may stand first."""
_ALIKE = ((*_TURNS, "better", "improv"), ("wrong",), ("right", "correct"), ("identical", "equal"))
_EVERY = ("all", "each", "every", "both")
_FEW = 3
"""Lines from which on all that was counted of a kind is taken to have been printed."""
_TIMES = 11
"""As often the largest amount may have been spent at most."""
_DIGITS = r"\d[\d,_]*(?:\.\d+)?"
_WHOLE = re.compile(r"(?<![\w.])\d{1,3}(?:[,_]?\d{3})+(?![\w.]|,\d)")
"""Whole numbers of so many digits that they stand for one thing alone, wherever a text that names it has them."""


def miscounted(clause: Clause, known: Known) -> Iterator[Value]:
    """The counts that a clause gives and that the lines which tell them have otherwise."""
    for found in _COUNT.finditer(clause.text):
        some, total = _numbers(found)
        so = _SO.search(clause.text[: found.start()])
        lines = known.index.tables.counting(total, known.step) if so and total > 1 else []
        if so and lines:
            said = Said.before(clause.sentence.text[: clause.start - clause.sentence.start + found.start()])
            cells = _refuting(said, some, total, lines, so["word"].lower(), known)
            if cells:
                stated = Quantity(value=float(some), resolution=1.0)
                yield Value(stated=stated, rows=tuple(cell.id for cell in cells))


def _numbers(found: re.Match[str]) -> tuple[int, int]:
    total = _number(found["of"] or found["n"] or found["number"])
    some = (found["some"] or found["k"] or found["every"]).lower()
    return (total if some.startswith(_EVERY) else 0 if some == "none" else _number(some)), total


def _number(word: str) -> int:
    return int(find_numbers(word)[0].value)


def _refuting(said: Said, some: int, total: int, lines: Sequence[Line], so: str, known: Known) -> list[Measurement]:
    """The values that are another number than the one given: of the lines that are named, else of all there are."""
    named = [line for line in lines if said.is_of_part(line)]
    if named:  # what is said of several parts holds of each
        return next((own for line in named if (own := _others(line, some, total, so))), [])
    tables = known.index.tables
    named = [line for line in lines if said.is_of(line, tables.table_of(line))]
    if named:
        cells = [_others(line, some, total, so) for line in named]
        is_other = any(said.may_mean(line, named[0]) for line in lines if not _others(line, some, total, so))
        return cells[0] if all(cells) and not is_other else []
    alike = next((words for words in _ALIKE if so in words), (so,))
    same = [line for line in lines if any(word in line.text.lower() for word in alike)]
    cells = [_others(line, some, total, so) for line in same]
    is_counted_by_hand = any(len(tables.table_of(line)) == total for line in tables.before(known.step))
    return [each[0] for each in cells] if len(same) >= _FEW and all(cells) and not is_counted_by_hand else []


def _others(line: Line, some: int, total: int, so: str) -> list[Measurement]:
    """The counts of a line, where none is the one given, nor, under another word, what is left of all."""
    own = [(each, cell) for each, of, cell in line.counts if of == total]
    fitting = {some} if so in line.text.lower() and so not in _TURNS else {some, total - some}
    return [] if any(each in fitting for each, _ in own) else [cell for _, cell in own]


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
        re.compile(
            rf"trials\w*[\"']?\W{{0,4}}(?P<a>{_DIGITS})|(?<![\w.])(?P<b>{_DIGITS}) (?:\w+ )?trials\b", re.IGNORECASE
        ),
        2,
    ),
    _Thing(
        "fold",
        re.compile(r"-?\s?fold\b(?! (?:#?\d|more|less|high|low|increase|speed))", re.IGNORECASE),
        re.compile(
            rf"(?:fold\(|n_splits|n_folds|\bcv)[\"']?\W{{0,3}}(?:n_splits ?= ?)?(?P<a>{_DIGITS})"
            rf"|(?<![\w.])(?P<b>{_DIGITS})[ -]?folds?\b",
            re.IGNORECASE,
        ),
        2,
    ),
    _Thing(
        "param",
        re.compile(r"[ -](?:trainable )?param(?:eter)?s?\b", re.IGNORECASE),
        re.compile(
            rf"param\w*[\"']?\W{{0,4}}(?P<a>{_DIGITS})|(?<![\w.])(?P<b>{_DIGITS}) (?:trainable )?param", re.IGNORECASE
        ),
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
