"""Reads tables of metrics: scikit-learn reports, Lightning and Rich boxes, Markdown, data frames, skorch."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from environment.metrics.names import is_counter, is_metric, is_setting, read_name
from environment.metrics.value import Field

_PIPES = re.compile(r"[|│┃║]")
_GAPS = re.compile(r"\t+|\s{2,}")
_RULE = re.compile(r"^[\s\-=+|:─━┏┓┗┛┡┩┣┫├┤┌┐└┘┬┴┼╇╋┳┻╞╡╪═║┠┨┷┯]*$")
_VALUE = re.compile(
    r"^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d+)?(\s?%)?s?$|^[-+]?(?:nan|inf)$", re.IGNORECASE
)
_MEASURED = re.compile(r"\d\.\d|\d\s?%")
_SEPARATED = re.compile(r"[:=]\s*[-+.\d]")
_MAX_LINE = 2_000


class Row(NamedTuple):
    """The metrics of one table row, with the epoch or step that a column of it gives."""

    fields: list[Field]
    epoch: float | None
    step: int | None


class TableReader:
    """Knows whether a table is open; fed every line in order."""

    def __init__(self) -> None:
        self._columns: list[str] | None = None
        self._rows = 0

    @property
    def is_open(self) -> bool:
        """Whether what a line means depends on the lines above it."""
        return self._columns is not None

    def read(self, line: str) -> Row | None:
        """The metrics of a row; ``None`` for a line that is no row of a table of metrics."""
        if len(line) > _MAX_LINE:
            self._columns = None
            return None
        if _RULE.match(line):
            if not line.strip() and self._rows and not _is_report(self._columns):
                self._columns = None
            return None
        if self._columns is None and _SEPARATED.search(line):
            return None
        cells = _cells(line)
        if _is_header(cells, line):
            self._columns, self._rows = cells, 0
            return None
        row = self._row(cells, line) if self._columns else None
        self._columns = self._columns if row else None
        self._rows += 1
        return row or _pair(cells, line)

    def _row(self, cells: list[str], line: str) -> Row | None:
        columns = self._columns or []
        if len(cells) < len(columns) and not _PIPES.search(line):
            cells = line.split()
        label, values = _label_and_values(cells)
        if not values:
            return None
        if is_metric(label) and len(values) < len(columns):
            columns = [""] * (len(values) - 1 if _is_report(columns) else len(values))
            values = values[: len(columns)]
        elif len(values) == len(columns) + 1 and not label:
            label, values = values[0] if _is_report(columns) else "", values[1:]
        elif label and len(values) == len(columns) - 1:
            columns = columns[1:]
        if len(values) != len(columns):
            return None
        return _metrics(label, columns, values)


def _cells(line: str) -> list[str]:
    if len(_PIPES.findall(line)) >= 2:
        return [cell.strip() for cell in _PIPES.split(line.strip().strip("|│┃║"))]
    return [cell.strip() for cell in _GAPS.split(line.strip())]


def _is_header(cells: list[str], line: str) -> bool:
    """At least two columns, no values, and one that only a table of metrics has."""
    if len(cells) < 2 or _SEPARATED.search(line) or any(_VALUE.match(cell) for cell in cells if cell):
        return False
    if any(len(cell) > 40 or _MEASURED.search(cell) for cell in cells):
        return False
    return any(is_metric(cell) for cell in cells)


def _is_report(columns: list[str] | None) -> bool:
    return columns is not None and columns[-1] == "support"


def _label_and_values(cells: list[str]) -> tuple[str, list[str]]:
    """The words a row begins with, and the cells after them, most of which must be values."""
    first = next((i for i, cell in enumerate(cells) if cell and _VALUE.match(cell)), len(cells))
    label, values = " ".join(cells[:first]), cells[first:]
    return label, values if 2 * sum(bool(_VALUE.match(value)) for value in values) > len(values) else []


def _pair(cells: list[str], line: str) -> Row | None:
    """A boxed name with its value beside it, in a table without a header."""
    if len(cells) != 2 or not _PIPES.search(line) or not cells[1] or _VALUE.match(cells[0] or "0"):
        return None
    if _VALUE.match(cells[1]) is None or not (is_metric(cells[0]) or "." in cells[1]):
        return None
    return _metrics("", [cells[0]], [cells[1]])


def _metrics(label: str, columns: list[str], values: list[str]) -> Row:
    fields: list[Field] = []
    epoch: float | None = None
    step: int | None = None
    for column, text in zip(columns, values, strict=True):
        match = _VALUE.match(text)
        if not text or match is None:
            continue
        try:
            value = float(text.rstrip("% s").replace(",", ""))
        except ValueError:  # a dash or dot that stands for no value
            continue
        if is_counter(column):
            if column.lower().strip() == "epoch":
                epoch = value
            elif math.isfinite(value):
                step = int(value)
            continue
        title = column if not label or not column else f"{label} {column}"
        if column.lower() == "support" or (is_setting(column) and column) or not (column or is_metric(label)):
            continue
        name = read_name(title or label)
        fields.append(Field(name.text or title, value, "percent" if match.group(1) else "none", name.split, 0))
    return Row(fields, epoch, step)
