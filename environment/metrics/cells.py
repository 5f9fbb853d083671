"""The cells of a line, and the values in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from environment.metrics.spans import seconds_of
from environment.metrics.value import Unit, number_of

PIPES = re.compile(r"[|│┃║┆]")
_GAPS = re.compile(r"\t+|\s{2,}")
_SEVERAL = re.compile(r"[-+]?\d+\.\d+(?: [-+]?\d+\.\d+)+")
"""Columns that are one space apart where their widest values stand: "44.256 -0.368"."""
_COMMAS = re.compile(r"\s*[^,\s:=]+(?:,[^,\s:=]+)+\s*$")
_SEMICOLONS = re.compile(r"\s*[^;\s:=]+(?:;[^;\s:=]*)+\s*$")
_EMPHASIS = re.compile(r"^[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}$")
_VALUE = re.compile(
    r"^(?P<number>[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d+)?|[-+]?(?:nan|inf))(?P<percent>\s?%)?s?"
    r"(?:\s?(?:±|\+/-|\+-)\s?(?P<spread>\d+(?:\.\d+)?)\s?%?)?$",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"^\d{1,2}:\d\d(?::\d\d)?$")
_OF_TOTAL = re.compile(r"^(\d+)\s?/\s?\d+$")

INDEX = re.compile(r"[A-Za-z]\w{0,30}")
"""What a level of a data frame's index is called."""
_TYPE = re.compile(
    r"str|string|cat|enum|object|bool(?:ean)?|varchar|date(?:time.*)?|time(?:stamp)?|(?:big|small|u|hu)?int(?:eger|\d+)?"
    r"|[fiu]\d{1,3}|float\d*|double|decimal.*|list\W.*",
    re.IGNORECASE,
)
"""The type of a column, as polars and DuckDB print it below its name."""
_WORDS = re.compile(r"\S+(?: \S+)*")
_COUNTERS = {"E": "epoch", "#": "step"}
"""The first columns of spaCy's tables."""


class Value(NamedTuple):
    """What a cell holds: a number, if any, its unit, and the scatter around it where that is given."""

    number: float | None
    unit: Unit
    spread: float | None = None


def cells_of(line: str) -> list[str]:
    """The cells of a line: between bars, commas, semicolons or wide gaps."""
    if len(PIPES.findall(line)) >= 2:
        cells = [_EMPHASIS.sub("", cell.strip()) for cell in PIPES.split(line.strip().strip("|│┃║┆"))]
        return cells_of(cells[0]) if len(cells) == 1 else cells
    if _COMMAS.match(line):
        return line.strip().split(",")
    if _SEMICOLONS.match(line):
        return line.strip().split(";")
    return [cell.strip() for cell in _GAPS.split(line.strip().strip("|│┃║┆").strip())]


def parted(cells: list[str], columns: int) -> list[str]:
    """The cells, those of several numbers taken apart where there are as many columns, or one less.

    The last may hold a list.
    """
    found = [each for cell in cells[:-1] for each in (cell.split() if _SEVERAL.fullmatch(cell) else [cell])]
    found += cells[-1:]
    return found if len(found) in (columns, columns + 1) else cells


def is_no_row(cells: list[str], header: str) -> bool:
    """Whether a line below a header is none of its rows: it holds the columns' types, or names a data frame's index.

    Names of an index end in front of the header's first column.
    """
    are_names = len(cells) > 1 and all(INDEX.fullmatch(cell) for cell in cells)
    return _are_types(cells) or (are_names and sum(map(len, cells)) < len(header) - len(header.lstrip()))


def _are_types(cells: list[str]) -> bool:
    """Whether a line holds the types of columns, or the dashes over these."""
    return all(_TYPE.fullmatch(cell) or cell == "---" for cell in cells)


def is_plain_value(cell: str) -> bool:
    """Whether a cell is a number, perhaps with its scatter."""
    return _VALUE.match(cell) is not None


def is_value(cell: str) -> bool:
    """Whether a cell is a number, a time or a number of so many."""
    return bool(cell and (_VALUE.match(cell) or _CLOCK.match(cell) or _OF_TOTAL.match(cell)))


def value_of(text: str) -> Value:
    """The number of a cell: of a time its seconds, of "3/10" the first."""
    if _CLOCK.match(text):
        return Value(seconds_of(text), "seconds")
    if of_total := _OF_TOTAL.match(text):
        return Value(float(of_total[1]), "none")
    match = _VALUE.match(text)
    try:
        number = number_of(match["number"]) if match and text else None
    except ValueError:  # a dash or dot that stands for no value
        number = None
    spread = float(match["spread"]) if match and match["spread"] else None
    return Value(number, "percent" if match and match["percent"] else "none", spread)


def grouped(columns: Sequence[str]) -> list[str]:
    """Columns without the brackets that hold several together: ``Box(P  R  mAP50)  Mask(P  R  mAP50)``."""
    several = sum(column.count("(") > column.count(")") for column in columns) > 1
    group = ""
    bare: list[str] = []
    for column in columns:
        opened = column.count("(") - column.count(")")
        if opened > 0:
            group, _, column = column.partition("(")
        column = _COUNTERS.get(column, column) if len(bare) < len(_COUNTERS) else column
        bare.append(f"{group} {column}".strip() if several and group else column)
        if opened < 0:
            bare[-1] = bare[-1].rstrip(")")
            group = ""
    return bare


def columns_below(header: str, line: str) -> list[str]:
    """The columns of a header of two lines, of which the upper one groups the lower one's; none where it is none.

    A data frame writes a group's name above the first of its columns.
    """
    if PIPES.search(line):
        return []
    groups, columns = list(_WORDS.finditer(header)), list(_WORDS.finditer(line))
    if len(columns) <= len(groups) or any(is_value(column.group()) for column in columns):
        return []
    width = len(columns) // len(groups)
    lead, names = len(columns) - width * len(groups), [column.group() for column in columns]
    if width > 1 and names[lead:] == names[lead : lead + width] * len(groups):  # of the same columns, in their middle
        firsts = list(range(lead, len(columns), width))
    else:
        firsts = [next((n for n, each in enumerate(columns) if each.end() > group.start()), -1) for group in groups]
    if -1 in firsts or len(set(firsts)) < len(firsts):
        return []
    above = [bisect_right(firsts, n) for n in range(len(columns))]
    return [
        f"{groups[n - 1].group() if n else ''} {each.group()}".strip() for n, each in zip(above, columns, strict=True)
    ]
