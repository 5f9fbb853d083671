"""Whether an accusation stands beside what else the sentence names: another run, another model, a distance of two.

A sentence that names things speaks of these. What refutes it must be of them, in the places in which they are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from evaluation.claims.claim import Verdict
from evaluation.claims.judging.finding import Finding
from evaluation.claims.judging.operands import GENERIC, is_of, is_on, measurements, states
from evaluation.claims.reading.reader import Reading
from evaluation.claims.reading.rules.owners import alone_in, owners
from evaluation.claims.reading.rules.relations import names_apart, plain_pair, relation_in
from evaluation.claims.reading.rules.spoken_of import Named, named_in
from evaluation.claims.reading.rules.values import AT_EPOCH, at_epoch
from evaluation.claims.types.base import Assertion, Measured
from evaluation.claims.types.count import Count
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.claims.types.value import Value
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.subjects import Subject

_OF_MANY = re.compile(
    r"\b(?:nothing|no (?:other|one)|none|neither|couldn't|all along|of the two|than \w+ing)\b"
    r"|\bnumber of (?:changes|runs|experiments|configs|variants)\b"
    r"|\b(?:\d|one|two|three|four|five|six|seven|zero)\b[^.;\d]{0,24}?\b(?:runs?|experiments|configs|variants|others?|models|changes|tries)\b"
    r"|(?<![\w.])\d (?:improvements\b|in \d|(?:of|out of) (?:the|our|all|\d))|(?<![\w.])\d/\d(?![\w.])|:\s*\d+\b\W*$",
    re.IGNORECASE,
)
"""Says of several results at once how they stand to one, or how many do."""
_BOTH_WAYS = re.compile(r"\b(?:better\b.*\bworse|worse\b.*\bbetter)\b", re.IGNORECASE | re.DOTALL)
_COURSE = re.compile(
    r"\b(?:epochs?|all along|checkpoints?|at no point|afterwards?|from (?:there|then) on|past that point"
    r"|keeps? \w+ing|kept \w+ing|monoton\w*|steadily|gradually)\b",
    re.IGNORECASE,
)
_PLAIN = ("better", "worse", "higher", "lower")
"""Relations that leave nothing open where both sides are named."""
_MOST, _FEW = 12, 6
"""Results of the things named among which two are looked for that lie so far apart."""


def is_plain(reading: Reading, finding: Finding, known: Known) -> bool:
    """Whether the words name what they speak of so plainly that what is refuted needs no further grounds."""
    return _is_anothers(reading, finding, known) or _is_of_named_pair(reading, known) or _is_of_epoch(reading, known)


def of_names(reading: Reading, finding: Finding, known: Known) -> str:
    """Why the sentence may speak of another thing than the one whose rows refute it; "" where it does not."""
    says, context = reading.says, reading.context
    if not isinstance(says, Measured):
        return ""
    names = named_in(context, known)
    refuting = measurements(known, says.of.rows if isinstance(says, Extreme) else finding.rows)
    if isinstance(says, Value):
        return _of_value(says, finding, reading, names, known) or _of_other(names, refuting, known)
    if isinstance(says, Order | Difference | Count):
        return _of_pair(reading, names, finding, known)
    given = (number for number in find_numbers(context) if number.resolution < 1)
    beyond = [row for row in measurements(known, finding.rows) if row not in refuting]
    if isinstance(says, Extreme) and any(states(number, row) for number in given for row in beyond):
        return "what is beyond it stands beside it"
    return _of_other(names, refuting, known)


def _is_anothers(reading: Reading, finding: Finding, known: Known) -> bool:
    """Whether a value is said of one thing, with nothing left open, and stands for another, or another epoch, alone."""
    says = reading.says
    if not isinstance(says, Value) or finding.verdict is not Verdict.CONTRADICTED or not says.stated.is_telling:
        return False
    own = _owner(says.stated, reading.context, known) if says.metric not in ("", *GENERIC) else None
    if own is None:
        return False
    stating = [row for row in known.stating(says.stated) if is_of(says.metric, row) and is_on(known, row, says.split)]
    rows = measurements(known, says.rows)
    of_epoch = len(AT_EPOCH.findall(reading.context)) == 1 and bool(rows) and at_epoch(reading.context, rows) == rows
    keys = {row.key for row in known.index.subjects.rows(own)}
    return bool(stating) and all(
        row.key in keys and _is_of_other(row, own, known, of_epoch=of_epoch) for row in stating
    )


def _is_of_other(row: Measurement, own: Subject, known: Known, *, of_epoch: bool) -> bool:
    """Whether a row is of another thing, or of another epoch of the same; not of a part of its run."""
    subject = known.index.subjects.of(row)
    return of_epoch if subject == own else subject is None or bool(own.label) or subject.run != own.run


def _is_of_epoch(reading: Reading, known: Known) -> bool:
    """Whether the best or worst epoch is told of the one thing that the sentence names."""
    says = reading.says
    if not isinstance(says, Extreme) or len(AT_EPOCH.findall(reading.quote)) != 1:
        return False
    own = _subjects(measurements(known, says.among), known)
    return len(says.among) > 2 and own == {alone_in(reading.context, known)}


def _owner(stated: Quantity, text: str, known: Known) -> Subject | None:
    """What every number of that value in a text is said of."""
    own = owners(text, known)
    found = {own.get(each.start) for each in find_numbers(text) if each.value == stated.value}
    return found.pop() if len(found) == 1 else None


def _is_of_named_pair(reading: Reading, known: Known) -> bool:
    """Whether two results are held against each other that the words name, each in its place."""
    says = reading.says
    if not isinstance(says, Order | Difference) or says.relation not in _PLAIN or _OF_MANY.search(reading.context):
        return False
    if isinstance(says, Difference) and known.index.printed.differs_by(says.amount, known.step):
        return False
    pair = plain_pair(reading.quote, [each for each in named_in(reading.quote, known) if not each.is_guess])
    sides = [_subjects(measurements(known, side.rows), known) for side in (says.left, says.right)]
    return pair is not None and sides == [frozenset({pair[0]}), frozenset({pair[1]})]


def _of_value(says: Value, finding: Finding, reading: Reading, names: Sequence[Named], known: Known) -> str:
    """Why a value may be another thing's that is named, or none but how far two lie apart."""
    is_nowhere = finding.verdict is Verdict.UNSUPPORTED
    stating = [
        row
        for row in known.stating(says.stated)
        if is_nowhere or (is_of(says.metric, row) and is_on(known, row, says.split))
    ]
    named = {each for name in names or named_in(reading.previous, known) for each in name.subjects}
    others = _subjects(stating, known) - _subjects(measurements(known, finding.rows), known)
    if others & named:
        return "it holds of another thing that is named"
    if _is_distance(says.stated, reading.context, _results(says, names, known)):
        return f"{says.stated.value:g} is how far two results that the sentence names lie apart"
    return ""


def _of_other(names: Sequence[Named], refuting: Sequence[Measurement], known: Known) -> str:
    """Why it may be said of another thing than of the one that refutes it."""
    of = _subjects(refuting, known)
    is_other = names and of and not any(of & name.subjects for name in names)
    return "the sentence names another thing than the one that refutes it" if is_other else ""


def _of_pair(reading: Reading, names: Sequence[Named], finding: Finding, known: Known) -> str:
    """Why two results are not held against each other in the plain way: one named before, the other behind "than"."""
    text, refuting = reading.context, measurements(known, finding.rows)
    of, related = _subjects(refuting, known), relation_in(text)
    if not isinstance(reading.says, Count) and (_OF_MANY.search(text) or _BOTH_WAYS.search(reading.quote)):
        return "it is said of several results at once"
    before = [each for each in names if not related or each.end <= related.start]
    if _COURSE.search(text) and (len({each.run for each in of}) > 1 or (before and not _gives_both(reading.says))):
        return "it is said of the course of one run"
    if doubt := _of_other(before, refuting, known):
        return doubt
    apart = names_apart(names)
    if len(apart) < 2:
        return ""
    if finding.verdict is Verdict.UNSUPPORTED:
        return "both things that are named have results"
    if not of <= {subject for name in names for subject in name.subjects}:
        return "the sentence names other things than those that refute it"
    return "" if plain_pair(text, names) else "which is held against which is not plain"


def _gives_both(says: Assertion) -> bool:
    """Whether the numbers of both sides are stated."""
    return isinstance(says, Order | Difference) and None not in (says.left.stated, says.right.stated)


def _subjects(rows: Sequence[Measurement], known: Known) -> frozenset[Subject]:
    return frozenset(each for row in rows if (each := known.index.subjects.of(row)))


def _results(says: Measured, names: Sequence[Named], known: Known) -> list[float]:
    """The last results of the things that names tell from all others, of the metric in question."""
    named = {subject for name in names if len(name.subjects) == 1 for subject in name.subjects}
    rows = (row for subject in named for row in known.index.subjects.rows(subject) if is_of(says.metric, row))
    last = {(row.event.id, row.words): row.value for row in rows}
    return list(last.values()) if len(last) <= _MOST else []


def _is_distance(stated: Quantity, text: str, results: Sequence[float]) -> bool:
    """Whether a number is the distance, the relative change or the ratio of two that a sentence gives or names."""
    given = [number.value for number in find_numbers(text) if number.resolution < 1 and number.value != stated.value]
    given = given if len(given) <= _FEW else []
    return any(
        stated.is_near(each) for one, two in permutations({*given, *results}, 2) for each in _distances(one, two)
    )


def _distances(one: float, two: float) -> Iterator[float]:
    yield abs(one - two)
    if two:
        yield from (abs(one - two) / abs(two) * 100, one / two)
    if max(abs(one), abs(two)) <= 1:
        yield abs(one - two) * 100
