"""Reads the results that a Markdown table in prose states: one for each number under the name of a metric."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from environment.metrics.meaning import names_in
from evaluation.claims.assertions import Result
from evaluation.claims.claim import Kind
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import Split, meant, place_of, splits_in

_ROW = re.compile(r"^[ \t]*\|(?P<cells>.*\S)[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]+$")
_UNSURE = re.compile(r"\b(?:target|goal|expected|planned|estimate\w*|todo|tbd)\b", re.IGNORECASE)


def is_row(text: str) -> bool:
    """Whether a line belongs to a table."""
    return text.startswith("|")


def read_tables(prose: str, measured: Collection[str] = ()) -> Iterator[Result]:
    """The results that the tables of a prose state, row by row."""
    header: list[str] = []
    end = -2
    for match in _ROW.finditer(prose):
        cells = [cell.strip() for cell in match["cells"].strip("|").split("|")]
        if match.start() != end + 1:
            header = cells
        elif not _RULE.match(match["cells"]):
            yield from _results(match, cells, header, measured)
        end = match.end()


def _results(
    match: re.Match[str], cells: Sequence[str], header: Sequence[str], measured: Collection[str]
) -> Iterator[Result]:
    columns = [(name, cell, _metric(name, measured)) for name, cell in zip(header, cells, strict=False)]
    quote = match.group().strip()
    subject = " ".join(cell for _, cell, metric in columns if metric is None)
    for name, cell, metric in columns:
        numbers = find_numbers(cell)
        if metric is None or not numbers or _UNSURE.search(f"{name} {subject}"):
            continue
        yield Result(
            kind=Kind.RESULT,
            quote=quote,
            start=match.start() + match.group().index("|"),
            context=quote,
            metric=metric,
            split=_split(name),
            stated=numbers[0],
            of_baseline="baseline" in subject.lower(),
            subject=subject,
        )


def _metric(name: str, measured: Collection[str]) -> str | None:
    named = names_in(name)
    if named:
        return meant(named[0][0], measured)
    return next((known for known in measured if place_of(known, name.lower()) >= 0), None)


def _split(name: str) -> Split | None:
    found = splits_in(name)
    return found[0][0] if found else None
