"""Reads the results that a Markdown table in prose states: one for each number under the name of a metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.claims.reading.rules.measured import is_precise
from evaluation.claims.reading.rules.mentions import metrics_in, split_mentions
from evaluation.claims.reading.rules.whose_value import Said, own_cell
from evaluation.claims.types.value import Value
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known

_ROW = re.compile(r"^[ \t]*\|(?P<cells>.*\S)[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]+$")


def read_tables(prose: str, known: Known) -> Iterator[tuple[str, int, Value]]:
    """The rows of the tables of a prose: quote, offset and value."""
    for header, *rows in _tables(prose):
        for row in rows:
            for value in _values(_cells(row), _cells(header), known):
                yield row.group().strip(), row.start() + row.group().index("|"), value


def _tables(prose: str) -> Iterator[list[re.Match[str]]]:
    """The lines of each table, its head first, without rules."""
    table: list[re.Match[str]] = []
    end = -2
    for match in _ROW.finditer(prose):
        if match.start() != end + 1 and table:
            yield table
            table = []
        if not table or not _RULE.match(match["cells"]):
            table.append(match)
        end = match.end()
    if table:
        yield table


def _cells(row: re.Match[str]) -> list[str]:
    return [cell.strip() for cell in row["cells"].strip("|").split("|")]


def _values(cells: Sequence[str], header: Sequence[str], known: Known) -> Iterator[Value]:
    for name, cell in zip(header, cells, strict=False):
        metrics = metrics_in(name, known)
        numbers = find_numbers(cell)
        if metrics and numbers:
            other = own_cell(Said.before(cells[0]), numbers[0], known) if is_precise(numbers[0]) else None
            if other:
                yield Value(stated=numbers[0], rows=(other,))
                continue
            splits = split_mentions(name)
            yield Value(metric=metrics[0].what, split=splits[0].what if splits else None, stated=numbers[0])  # type: ignore[arg-type]
