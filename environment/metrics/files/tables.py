"""Tables of results with a header: Lightning's and Keras's logs, and what people write by hand."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from environment.metrics.files.documents import record_time
from environment.metrics.files.keys import Named
from environment.metrics.mappings import read_number
from environment.metrics.names import is_counter, is_metric, is_setting
from environment.records import MetricPoint
from foundation.text import text_of

_DECIMAL = re.compile(r"^\s*([-+]?\d+),(\d+)\s*$")
_MOST_COLUMNS = 1_000
_MOST_COMMENTS = 100
_MOST_ROWS = 500
"""Of a table that counts no epochs or steps: a longer one has a row an example."""


def table_points(content: bytes) -> Iterator[MetricPoint]:
    """The values of a table that has a column of a metric, row by row; none of another file."""
    text, above = _without_comments(text_of(content).removeprefix("\ufeff"))
    delimiter, columns = _header(text.partition("\n")[0])
    if not columns or (not any(is_counter(column) for column in columns) and text.count("\n") > _MOST_ROWS):
        return
    rows = csv.DictReader(io.StringIO(text), columns, delimiter=delimiter, restval="", skipinitialspace=True)
    try:
        next(rows)
        for n, row in enumerate(rows):
            if delimiter == ";":  # where a comma is the decimal point
                row = {column: _DECIMAL.sub(r"\1.\2", cell) if cell else cell for column, cell in row.items()}
            yield from _row_points(row, n, above + rows.line_num)
    except csv.Error:  # a line without end, or not a table after all
        return


def _without_comments(text: str) -> tuple[str, int]:
    """A table from its header on, and how many lines of comment stand above it."""
    above = 0
    while above < _MOST_COMMENTS and text.startswith("#") and not _header(text.partition("\n")[0])[1]:
        text, above = text.partition("\n")[2], above + 1
    return text, above


def _header(line: str) -> tuple[str, list[str]]:
    """What parts the columns of a header, and these; none where none of them is of a metric."""
    delimiter = max(",\t;", key=line.count)
    columns = next(csv.reader([line.strip("\r")], delimiter=delimiter), []) if delimiter in line else []
    columns = [column.strip() for column in columns]
    is_of_metrics = any(is_metric(column) and not is_setting(column) for column in columns)
    return delimiter, columns if is_of_metrics and 2 <= len(columns) <= _MOST_COLUMNS else []


def _row_points(row: dict[str, str], n: int, line: int) -> Iterator[MetricPoint]:
    row.pop(None, None)  # type: ignore[call-overload]  # cells beyond the header
    epoch, step = record_time(row, None, n)
    counted = any(is_counter(column) for column in row)
    label = "" if counted else next((cell.strip() for cell in row.values() if _is_label(cell)), "")
    for column, cell in row.items():
        if cell and is_metric(column):
            point = Named([label, column] if label else [column], cell, epoch, step, line).point()
            if point is not None:
                yield point


def _is_label(cell: str) -> bool:
    return bool(cell and cell.strip()) and read_number(cell)[0] is None
