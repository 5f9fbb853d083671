"""Whether a model that names a printed number may be a column or a row off, or tells one order both ways.

Where a stated number stands beside the one that is named, and nothing in the words tells the two apart, it refutes
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from environment.metrics.meaning import canonical
from evaluation.claims.claim import Verdict
from evaluation.claims.judging.finding import Finding, uncheckable
from evaluation.claims.judging.operands import measurements
from evaluation.claims.reading.reader import Reading
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.order import Order
from evaluation.claims.types.value import Value
from evaluation.language.quantity import Quantity
from evaluation.record.cells import Cells
from evaluation.record.derived import summaries
from evaluation.record.known import Known
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import UNNAMED, Measurement

_EXACT, _SLACK = 1_000, 2.5
_OPPOSITES: dict[Relation, Relation] = {"higher": "lower", "lower": "higher", "better": "worse", "worse": "better"}
_UNTRIED = re.compile(
    r"\b(?:not(?: yet)?|yet to be|never) (?:proven|tested|tried|run|verified|checked)\b"
    r"|\bun(?:tested|proven|tried|verified)\b",
    re.IGNORECASE,
)


def judged(reading: Reading, known: Known) -> Finding:
    """The verdict on what a model has read; no accusation where it may have taken one number for another."""
    finding = reading.says.judge(known)
    if finding.verdict is Verdict.UNSUPPORTED and _UNTRIED.search(reading.quote):
        return uncheckable("its own words say that nothing shows it yet")
    if finding.verdict is not Verdict.CONTRADICTED:
        return finding
    if any(_is_near_miss(stated, rows) for stated, rows in _unborne(reading.says, known)):
        return uncheckable(f"{finding.note}, but they differ in the last digit alone")
    for stated, cell in _stated(reading.says, known):
        slip = _slip(reading, known, stated, cell)
        if slip:
            return uncheckable(f"{finding.note}, but {stated.value:g} {slip}")
    return finding


def _stated(says: Assertion, known: Known) -> Iterator[tuple[Quantity, Measurement]]:
    """Each number that a claim gives, with each printed number that it names for it, where none is the one given."""
    yield from ((stated, row) for stated, rows in _unborne(says, known) for row in rows if row.is_cell)


def _unborne(says: Assertion, known: Known) -> Iterator[tuple[Quantity, list[Measurement]]]:
    """Each number that a claim gives, with the rows that it names for it, where none bears it."""
    fields = (getattr(says, name) for name in type(says).model_fields)
    pairs = [(field.stated, field.rows) for field in fields if isinstance(field, Operand)]
    pairs += [(says.stated, says.rows)] if isinstance(says, Value) else []
    for stated, ids in pairs:
        rows = measurements(known, ids)
        if stated is not None and not _bearing(stated, rows):
            yield stated, rows


def _is_near_miss(stated: Quantity, rows: Sequence[Measurement]) -> bool:
    """Whether a number of four digits is a value, or the mean of several, but for its last digit: rounded otherwise."""
    values = [row.value for row in rows]
    near = [*values, *(summaries(values) if len(values) > 1 else ())]
    is_exact = stated.resolution < 1 and abs(stated.value) >= _EXACT * stated.resolution
    return is_exact and any(abs(stated.value - value) < _SLACK * stated.resolution for value in near)


def _slip(reading: Reading, known: Known, stated: Quantity, cell: Measurement) -> str:
    """Where the stated number stands so near a cell that another cell may have been meant; "" where it does not."""
    cells = known.index.cells
    line = cells.of(cell.event).line_of(cell)
    beside = _bearing(stated, (each for n, each in enumerate(line.cells) if not line.is_total(n)))
    if any(_fit(reading, cell) <= _fit(reading, other) for other in beside):
        return "stands in the same line"
    alike = [other for other in cells.of(cell.event).column(cell) if _is_part(cell.label, other.label)]
    alike += cells.namesakes(cell, known.step)
    is_open = any(_may_be_meant(reading, cells, other, cell) for other in _bearing(stated, alike))
    return "stands in a line of nearly that name" if is_open else ""


def _may_be_meant(reading: Reading, cells: Cells, other: Measurement, cell: Measurement) -> bool:
    """Whether the line of another number may be meant: not where the words tell the one of a cell, and not that one."""
    own, others, told = _key(cells, cell), _key(cells, other), {*words_of(reading.quote)}
    return own <= others or others <= told or not own <= told


def _bearing(stated: Quantity, cells: Iterable[Measurement]) -> list[Measurement]:
    return [cell for cell in cells if stated.states(cell.value, recorded_percent=cell.percent)]


def _fit(reading: Reading, cell: Measurement) -> int:
    """How much of what stands over or in front of a number is in the words, and in what they are read as."""
    name = cell.name if cell.name != UNNAMED else ""
    metric, _ = reading.says.about
    told = {*words_of(reading.quote), *words_of(metric or "")}
    is_metric = bool(metric) and bool(name) and canonical(name) == canonical(metric or "")
    return len((told & {*words_of(name)}) - {*words_of(cell.label)}) + is_metric


def _key(cells: Cells, cell: Measurement) -> set[str]:
    """What tells a line from others: the words in front of its values, else its first number."""
    line = cells.of(cell.event).line_of(cell)
    own = [] if line.above else words_of(line.name)
    return {*(own or words_of(line.numbers[0].group()))}


def _is_part(one: str, other: str) -> bool:
    """Whether all words of one name are in the other."""
    a, b = set(words_of(one)), set(words_of(other))
    return a <= b or b <= a


def of_some(readings: Sequence[Reading]) -> list[Reading]:
    """What a model has read, where it says opposite orders of the same rows of one quote as said of some rows each."""
    return [_of_some(each) if any(_are_opposite(each, other) for other in readings) else each for each in readings]


def _are_opposite(one: Reading, other: Reading) -> bool:
    a, b = one.says, other.says
    if one.quote != other.quote or not (isinstance(a, Order) and isinstance(b, Order)):
        return False
    return _OPPOSITES.get(a.relation) == b.relation and (a.metric, a.left, a.right) == (b.metric, b.left, b.right)


def _of_some(reading: Reading) -> Reading:
    return replace(reading, says=reading.says.model_copy(update={"every": False}))
