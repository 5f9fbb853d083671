"""Tables of a text that were copied from printed ones: a cell that is not the one of its row's line is refuted.

Which line a row was copied from is told by its other values, and which column by those of the other rows; no name needs
to be understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.claims.reading.rules.measured import is_precise
from evaluation.claims.reading.rules.whose_value import Said
from evaluation.claims.types.value import Value
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.known import Known
from evaluation.record.named_lines import NamedLine

_FEWEST = 2
"""Values of a row by which its line is known, and other rows by which a column is."""
_CLEAR = 3
"""Times that more rows must have a column from one place than from another, which may hold an equal value by chance."""


@dataclass
class _Row:
    """A row of a text's table: its label, its exact values by column, and the lines that bear some of them."""

    label: str
    numbers: Mapping[int, Number]
    borne: dict[str, _Borne] = field(default_factory=dict)

    def sources(self, known: Known) -> list[_Borne]:
        """The lines that bear most of its values, where they are at least two, or one and its label names the line."""
        most = max((len(each.places) for each in self.borne.values()), default=0)
        best = [each for each in self.borne.values() if len(each.places) == most]
        if most >= _FEWEST:
            return best
        said, tables = Said.before(self.label), known.index.named_lines
        return [each for each in best if said.named_in(tables.table_of(each.line)) == [each.line]]


@dataclass
class _Borne:
    """A line, and for each column of a row whose value it bears the place of that."""

    line: NamedLine
    places: dict[int, int] = field(default_factory=dict)


def miscopied(rows: Sequence[Sequence[str]], known: Known) -> Iterator[tuple[int, Value]]:
    """The values that stand in a table's rows and not in the lines that these were copied from, by row."""
    read = [_read(row, known) for row in rows]
    sources = [row.sources(known) for row in read]
    for n, row in enumerate(read):
        others = [each for m, found in enumerate(sources) if m != n for each in found]
        for column, number in row.numbers.items():
            tables = {_table(each.line) for each in others}
            if any(column in each.places and _table(each.line) in tables for each in sources[n]):
                continue
            found = (each for each in sources[n] if column not in each.places)
            own = next((cell for each in found if (cell := _cell(each, column, others))), "")
            if own:
                yield n, Value(stated=number, rows=(own,))


def _read(row: Sequence[str], known: Known) -> _Row:
    found = _Row(row[0] if row else "", dict(_numbers(row)))
    for column, number in found.numbers.items():
        for line, place in known.index.named_lines.bearing(number, known.step):
            found.borne.setdefault(f"{line.event.id}:{line.line}", _Borne(line)).places[column] = place
    return found


def _numbers(row: Sequence[str]) -> Iterator[tuple[int, Number]]:
    for column, cell in enumerate(row[1:], 1):
        found = find_numbers(cell)
        if len(found) == 1 and is_precise(found[0]) and not found[0].bound and not found[0].approximate:
            yield column, found[0]


def _cell(source: _Borne, column: int, others: Sequence[_Borne]) -> str:
    """The id of a line's value in the place that other rows have a column from; "" where none is known."""
    of_table = (each for each in others if _table(each.line) == _table(source.line) and column in each.places)
    places = Counter(each.places[column] for each in of_table)
    [(place, votes), (_, rest)] = [*places.most_common(2), (0, 0), (0, 0)][:2]
    if votes < _FEWEST or votes < _CLEAR * rest or place in source.places.values():
        return ""
    return source.line.cells[place].id


def _table(line: NamedLine) -> tuple[str, str]:
    return line.event.id, line.shape
