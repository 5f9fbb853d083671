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
_UNSURE = re.compile(r"\b(?:target|goal|expected|planned|estimate\w*|todo|tbd)\b", re.IGNORECASE)


def read_tables(prose: str, known: Known) -> Iterator[tuple[str, int, Value]]:
    """The rows of the tables of a prose: quote, offset and value."""
    header: list[str] = []
    end = -2
    for match in _ROW.finditer(prose):
        cells = [cell.strip() for cell in match["cells"].strip("|").split("|")]
        if match.start() != end + 1:
            header = cells
        elif not _RULE.match(match["cells"]):
            for value in _values(cells, header, known):
                yield match.group().strip(), match.start() + match.group().index("|"), value
        end = match.end()


def _values(cells: Sequence[str], header: Sequence[str], known: Known) -> Iterator[Value]:
    subject = cells[0] if cells else ""
    for name, cell in zip(header, cells, strict=False):
        metrics = metrics_in(name, known)
        numbers = find_numbers(cell)
        if metrics and numbers and not _UNSURE.search(f"{name} {subject}"):
            splits = split_mentions(name)
            other = own_cell(Said.before(subject), numbers[0], known) if is_precise(numbers[0]) else None
            if other:
                yield Value(stated=numbers[0], rows=(other,))
                continue
            yield Value(metric=metrics[0].what, split=splits[0].what if splits else None, stated=numbers[0])  # type: ignore[arg-type]
