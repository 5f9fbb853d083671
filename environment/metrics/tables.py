"""Reads tables of metrics: scikit-learn reports, Lightning and Rich boxes, Markdown, data frames, skorch."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from environment.metrics.cells import (
    INDEX,
    PIPES,
    Value,
    cells_of,
    columns_below,
    grouped,
    is_no_row,
    is_plain_value,
    is_value,
    parted,
    value_of,
)
from environment.metrics.coefficients import Coefficients
from environment.metrics.frames import Blocks, without_mark
from environment.metrics.latex import with_bars
from environment.metrics.names import (
    Name,
    Split,
    is_aggregate,
    is_counter,
    is_metric,
    is_setting,
    read_name,
    split_in,
    without_split,
)
from environment.metrics.phrases import noted_unit, unit_of
from environment.metrics.plain import LOGGED
from environment.metrics.value import Field, Unit

_RULE = re.compile(r"^[\s\-=+|:─━┏┓┗┛┡┩┣┫├┤┌┐└┘┬┴┼╇╋┳┻╞╡╪═║┆┠┨┷┯╭╮╰╯]*$")
_MEASURED = re.compile(r"\d\.\d|\d\s?%")
_SEPARATED = re.compile(r"[:=]\s*[-+.\d]")
_ALONE = re.compile(r"\s*(?P<name>[^:=|]{1,60}?)\s*[:=]\s*[-+]?\d[\d.]*\s*%?\s*$")
_BAR = re.compile(r":?\s*(?<![.\d])\d+%\s?(?:\|[^|]{0,200}\|\s*\d+/|[━─╸]).*$")
_GROUP = re.compile(r"^[\w ]+/$")
_FOLD = re.compile(r"(?:fold|run|seed|trial|split) ?\d+$", re.IGNORECASE)
"""A column of one of several runs, beside those of their mean and scatter."""
_TRIAL = re.compile(r"_\d{5}$")
"""Ray Tune's names of trials begin with the function's: ``train_a1b2c_00000``."""
_NOTHING = frozenset(["", "-", "--", "—", "–", "n/a", "none", "null", "no log"])
_ANY_VALUE = frozenset(["", "value", "values", "score", "metric", "result"])
_MAX_LINE = 2_000
_COPYPASTE = re.compile(r"^.{0,120}\bcopypaste: ")
"""What detectron2 logs before the names and before the values of a table."""


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
        self._group: Split | None = None
        self._words: list[str] = []
        self._header = ""
        self._index = ""
        self._label = ""
        self._coefficients = Coefficients()
        self._blocks = Blocks()

    @property
    def is_open(self) -> bool:
        """Whether what a line means depends on the lines above it."""
        return self._columns is not None or self._group is not None or self._coefficients.is_open

    def read(self, line: str) -> Row | None:
        """The metrics of a row; ``None`` for a line that is no row of a table of metrics."""
        if self._coefficients.hold(line):
            return Row([], None, None)
        line = with_bars(_COPYPASTE.sub("", line))
        if len(line) > _MAX_LINE or (self._columns and (LOGGED.match(line) or _names_its_value(line))):
            self._columns = None
            return None
        if _RULE.match(line):
            self._group = None
            if not line.strip() and self._rows and not _is_report(self._columns):
                self._columns = None
            return None
        written = line
        line = without_mark(_BAR.sub("", line))
        if self._columns is None and _SEPARATED.search(line):
            return None
        cells = cells_of(line)
        bare = line.strip()
        if self._columns and INDEX.fullmatch(bare) and (not self._rows or bare == self._index):
            self._index = bare  # a data frame's, on a line of its own; a next frame may begin with it alone
            return None
        if len(cells) == 2 and not cells[1] and _GROUP.match(cells[0]):  # "| eval/ |  |" over its rows
            self._group = split_in(cells[0])
            return None
        if self._columns and not self._rows and (below := columns_below(self._header, line)):
            self._columns = below
            return None
        if self._columns and not self._rows and is_no_row(cells, self._header):
            return None
        if _is_header(cells, line):
            self._columns, self._words, self._rows = grouped(cells), line.split(), 0
            self._header = line
            self._blocks.begin(written)
            return None
        row = self._row(cells, line) if self._columns else None
        self._columns = self._columns if row else None
        self._rows += 1
        return row or self._pair(cells, line)

    def _row(self, cells: list[str], line: str) -> Row | None:
        columns, words = self._columns or [], line.split()
        cells = parted(cells, len(columns))
        if len(columns) < len(self._words) == len(words) - 1 and words[0].isdigit():  # a data frame's, one space apart
            return _aligned(*self._blocks.labelled(words[0], self._words, words[1:]))
        if len(cells) < len(columns) and not PIPES.search(line):
            cells = words
        if len(cells) == len(columns) + 1 and cells[0].isdigit() and not _is_report(columns):  # a data frame's index
            columns, cells = self._blocks.labelled(cells[0], columns, cells[1:])
        if len(cells) == len(columns) and not _is_report(columns):
            self._label = cells[0] or self._label
            return _long(columns, [self._label, *cells[1:]]) or _aligned(columns, cells)
        label, values = _label_and_values(cells)
        if not values:
            return None
        if is_metric(label) and len(values) < len(columns):
            columns = [""] * (len(values) - 1 if _is_report(columns) else len(values))
            values = values[: len(columns)]
        elif len(values) == len(columns) + 1 and not label:
            is_named = _is_report(columns) or values[0].endswith("%")  # a class, a quantile
            label, values = values[0] if is_named else "", values[1:]
        elif label and len(values) == len(columns) - 1:
            columns = columns[1:]
        if len(values) != len(columns):
            return None
        return _metrics(label, columns, values)

    def _pair(self, cells: list[str], line: str) -> Row | None:
        """A boxed name with its value beside it, in a table without a header."""
        if len(cells) != 2 or not PIPES.search(line) or not cells[1] or is_plain_value(cells[0] or "0"):
            return None
        if not is_plain_value(cells[1]) or not (is_metric(cells[0]) or "." in cells[1]):
            return None
        row = _metrics("", [cells[0]], [cells[1]])
        return row._replace(fields=[field._replace(split=field.split or self._group) for field in row.fields])


def _names_its_value(line: str) -> bool:
    """Whether a line is a metric with its value, which belongs to no column above it: "Validation accuracy: 0.83"."""
    found = _ALONE.match(line)
    return found is not None and is_metric(found["name"])


def _is_header(cells: list[str], line: str) -> bool:
    """At least two columns, no values, and one that only a table of metrics has."""
    if len(cells) < 2 or _SEPARATED.search(line) or any(is_plain_value(cell) for cell in cells if cell):
        return False
    if any(len(cell) > 40 or _MEASURED.search(cell) for cell in cells):
        return False
    if any(is_metric(cell) for cell in cells) or sum(map(_is_of_split, cells)) > 1:
        return True
    return all(is_aggregate(cell) or _FOLD.match(cell) for cell in cells if cell)


def _is_of_split(column: str) -> bool:
    """Whether a column is called by its data alone: "val", "test mean"."""
    rest = without_split(column)
    return split_in(column) is not None and (not rest or is_aggregate(rest))


def _is_counted(column: str) -> bool:
    """Whether a whole number in a column can be a result: under an unknown name it is rather a setting or a count."""
    return not column or (is_metric(column) and not _is_of_split(column))


def _is_report(columns: list[str] | None) -> bool:
    return columns is not None and columns[-1] == "support"


def _label_and_values(cells: list[str]) -> tuple[str, list[str]]:
    """The words a row begins with, and the cells after them, most of which must be values."""
    first = next((i for i, cell in enumerate(cells) if cell and is_plain_value(cell)), len(cells))
    label, values = " ".join(cells[:first]), cells[first:]
    return label, values if 2 * sum(map(is_plain_value, values)) > len(values) else []


def _aligned(columns: Sequence[str], cells: Sequence[str]) -> Row | None:
    """A row with a cell a column; its label is the first cell that is no value."""
    holds = [is_value(cell) for cell in cells]
    at = next((n for n, cell in enumerate(cells) if not holds[n] and cell.lower() not in _NOTHING), None)
    if not any(holds):
        return None
    label = cells[at] if at is not None and (at == 0 or _names_rows(columns[at], cells[at])) else ""
    kept = [n for n in range(len(cells)) if holds[n]]
    return _metrics(label, [columns[n] for n in kept], [cells[n] for n in kept])


def _long(columns: Sequence[str], cells: Sequence[str]) -> Row | None:
    """A row of a table with a column of names and one of values, as lm-eval's, behind a task or model."""
    at = {column.lower(): n for n, column in enumerate(columns)}
    if not at.get("metric"):
        return None
    if "value" not in at:
        return _of_models(columns, cells, at["metric"])
    named = [cells[0], *(cells[at[key]] for key in ("filter",) if key in at)]
    label = " ".join(word for word in named if word and word.lower() != "none")
    fields = []
    for key, kind in (("value", ""), ("stderr", " stderr")):
        value, unit, _ = value_of(cells[at[key]]) if key in at else Value(None, "none")
        if value is not None:
            name = f"{label} {cells[at['metric']]}{kind}".strip()
            fields.append(Field(name, value, unit, split_in(label), 0))
    return Row(fields, None, None)


def _of_models(columns: Sequence[str], cells: Sequence[str], named: int) -> Row | None:
    """A row with its metric in one column and a value of each model in those behind it."""
    label = " ".join(cell for cell in cells[:named] if cell and not cell.isdigit())
    fields = []
    for column, cell in zip(columns[named + 1 :], cells[named + 1 :], strict=True):
        value, unit, _ = value_of(cell)
        if value is not None:
            fields.append(Field(f"{label} {column} {cells[named]}".strip(), value, unit, None, 0))
    return Row(fields, None, None) if fields and is_metric(cells[named]) else None


def _names_rows(column: str, cell: str) -> bool:
    return not (is_metric(column) or is_counter(column) or cell[0].isdigit())


def _metrics(label: str, columns: Sequence[str], values: Sequence[str]) -> Row:
    """The values of a row; those of counters are its epoch and step."""
    epoch: float | None = None
    step: int | None = None
    fields: list[Field] = []
    if label.lower() == "count":  # of how many values a data frame's other rows are
        return Row(fields, epoch, step)
    names = Counter(read_name(column)[:2] for column in columns)
    of_one = is_metric(label) and not any(is_metric(c) and c.lower() not in _ANY_VALUE for c in columns)
    for column, text in zip(columns, values, strict=True):
        value, unit, spread = value_of(text)
        if value is None:
            continue
        if is_counter(column):
            if column.lower().strip() in ("epoch", "ep"):
                epoch = value
            elif math.isfinite(value):
                step = int(value)
            continue
        if column.lower() == "support" or not (column or is_metric(label)):
            continue
        known = len(fields)
        if of_one:
            fields.append(_of_column(label, column if len(columns) > 1 else "", value, unit))
        elif not is_setting(column) and (_MEASURED.search(text) or _is_counted(column)):
            fields.append(_of_row(label, column, value, unit, is_alone=names[read_name(column)[:2]] == 1))
        if spread is not None and len(fields) > known:
            fields.append(fields[-1]._replace(name=f"{fields[-1].name} std", value=spread))
    return Row(fields, epoch, step)


def _of_row(label: str, column: str, value: float, unit: Unit, *, is_alone: bool) -> Field:
    """A metric's column in a row of a model, a class or a split; by its whole name where others share it."""
    name = read_name(column) if is_alone else Name(without_split(column), split_in(column), known=True)
    of_label = None if _TRIAL.search(label) else split_in(label)
    split = name.split or of_label
    label = without_split(label) if of_label else label
    divisor = 1
    if unit == "none":
        unit, divisor = unit_of(noted_unit(column))
    text = f"score {name.text.removesuffix('mean')}" if _is_of_split(column) else name.text or column
    return Field(f"{label} {text}".strip(), value / divisor, unit, split, 0)


def _of_column(label: str, column: str, value: float, unit: Unit) -> Field:
    """A metric's row in a column that is called by a model, a loader or a split."""
    name = read_name(label)
    split = name.split or split_in(column)
    column = without_split(column) if split_in(column) else column
    metric = name.text or label
    if column.lower() in _ANY_VALUE:
        return Field(metric, value, unit, split, 0)
    return Field(f"{metric} {column}" if is_aggregate(column) else f"{column} {metric}", value, unit, split, 0)
