"""Printed lines of whose numbers the record has no names: in a ledger each number stands behind its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.language.numbers import Number
from evaluation.record.cells import Output
from evaluation.record.line import Line, terms_of

EXPLAINED = """
- A line that begins with c is printed output with numbers that have no other row. Each of its numbers is a row, with \
its place in front: of "c12:5 | gbm .1=0.8123 .2=0.7931" the rows are c12:5.1 (0.8123) and c12:5.2 (0.7931). Name them \
wherever rows are asked for, or the m row of the same number. The line and the column that the text speaks of decide, \
not the number that fits; a column's name stands in front of the place. "metric" is what the text names, else the \
column's name; where it is not generally known which way that is better, say "higher" and "lower" ("highest", \
"lowest"), not "better". Give all results that an extreme is held against or that are counted. What the output itself \
counts or works out ("better in 7 of 10 folds", a mean, a difference, a size) is a value, of that very number."""
"""What a model is told of such lines, where a ledger has any."""
_GIVEN = 8
"""Lines with numbers of the text are shown beside so many others."""
_DIGITS = 4
"""How many words in common a number in common is worth."""
_FILLERS = terms_of("the and of to in is it as at by for on are was be no not an so but only all or if")
_BLANKS = re.compile(r"\s{2,}")


def numbered(line: Line) -> str:
    """The line with the place of each number in front, and with the names of row and column that stand but above it."""
    parts, end = [], 0
    for place, (number, name, column) in enumerate(zip(line.numbers, line.names, line.columns, strict=True), 1):
        parts.append(line.text[end : number.start()])
        parts.append(f"{f' {name} ' if name and name == column else ''}.{place}={number.group()}")
        end = number.end()
    above = f"({line.above}) " if line.above else ""
    return f"{line.id} | {above}{_BLANKS.sub('  ', ''.join([*parts, line.text[end:]]).strip())}"


def with_heads(lines: Sequence[Line]) -> Iterator[str]:
    """The lines, numbered, under the lines of their tables' heads."""
    shown: dict[int, str] = {}
    for line in lines:
        for number, head in line.heads.items():
            if number not in shown:
                shown[number] = head
                yield f"| {_BLANKS.sub('  ', head.strip())}"
        yield numbered(line)


@dataclass(frozen=True)
class Listing:
    """The printed lines of an output that may be listed.

    Attributes:
        lines: Those that share most with a text first; of equals the last one and then the first ones.
        given: How many of them hold a number of the text that is hardly another's by chance.
    """

    lines: Sequence[Line]
    given: int

    @classmethod
    def of(cls, output: Output, prose: str, numbers: Sequence[Number]) -> Listing:
        """Those of an output that matter to a text, which has these numbers."""
        lines = output.listed
        telling = [number for number in numbers if number.is_telling and not number.bound]
        given = {line.number for number in telling for line in output.giving(number)}
        terms = terms_of(prose) - _FILLERS
        shared = [len(terms & line.terms) + _DIGITS * (line.number in given) for line in lines]
        order = sorted(range(len(lines)), key=lambda n: (-shared[n], n + 1 < len(lines), n))
        return cls([lines[n] for n in order], len(given))

    def shown(self, limit: int) -> list[str]:
        """As many of them as may be, and some more with numbers of the text, in their order."""
        limit += min(_GIVEN, 2 * limit, self.given)
        left = [f"… {len(self.lines) - limit} more lines"] if len(self.lines) > limit else []
        return [*with_heads(sorted(self.lines[:limit], key=lambda line: line.number)), *left]
