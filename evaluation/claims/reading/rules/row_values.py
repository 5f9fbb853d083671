"""Whose value a number is said to be: of the row of a printed table that the words around it name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import states
from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.reading.rules.mentions import metrics_in, one_split
from evaluation.claims.reading.rules.names import covered, exactly, names_of_rows
from evaluation.claims.reading.rules.numbers import is_end_of_range, is_precise
from evaluation.claims.reading.rules.owners import alone_among, alone_in
from evaluation.claims.reading.rules.rows import Meant, those_of
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.value import Value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.splits import Split
from evaluation.record.known import Known
from evaluation.record.line import Line
from evaluation.record.measured_runs import words_of
from evaluation.record.settings import sides_in, without_sides

_BEGIN = re.compile(r"[,;:–—]|\band\b|\bor\b|\bbut\b")
"""Where the words that name a value's row begin at the latest."""
_END = re.compile(r"[,;:–—.](?!\d)")
_OF = re.compile(
    r"(?: ?(?:ms|s|%))?(?: [A-Za-z]\w*){0,2}? "
    r"(?:(?:for|at|with) (?=\S)|(?=(?:over|under|above|below) \d+(?:[,.;]|$| and\b)))"
)
"""Between a value and what it is said to be of."""
_CLOSE = re.compile(r"[,;:–—().](?!\d)|\b(?:and|or|but|while|against|versus|where|which)\b")
_LINE = re.compile(r"^[ \t]*\|(?P<cells>.*\S)[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]+$")
_SETTING = re.compile(r"([a-z][a-z]+)[\s_=(:\"]{0,4}(\d+(?:(?:, | and |, and )\d+)*)(?!\w|[\w.]*\.\d)", re.IGNORECASE)


def misplaced(said: Said) -> Iterator[Value]:
    """The values that a clause gives a named row of a table and that stand in other rows of it alone."""
    numbers = find_numbers(said.text)
    for n, number in enumerate(numbers):
        if not is_precise(number) or number.bound or number.approximate or is_end_of_range(number, said.text):
            continue
        alone = alone_among(said.names)
        if alone and any(states(number, row) for row in said.known.index.subjects.rows(alone)):
            continue
        named = _Row.behind(said.text, numbers, n) or _Row.around(said.text, numbers, n)
        if named is not None and (cell := named.value(number, said.known)):
            yield Value(stated=number, rows=(cell,))


def read_tables(prose: str, known: Known) -> Iterator[Reading]:
    """The values in the tables of a prose, under the metrics that their heads name."""
    header: list[str] = []
    end = -2
    for line in _LINE.finditer(prose):
        cells = [cell.strip() for cell in line["cells"].strip("|").split("|")]
        is_first = line.start() != end + 1
        header, end = cells if is_first else header, line.end()
        for name, cell in zip(header, cells, strict=False) if not is_first and not _RULE.match(line["cells"]) else ():
            metrics, numbers = metrics_in(name, known), find_numbers(cell)
            if metrics and numbers:
                value = _of_cell(cells[0], metrics[0].what, one_split(name), numbers[0], known)
                quote, context = line.group().strip(), f"{cells[0]}: {name} = {cell}"
                yield Reading(quote[:QUOTE], line.start() + line.group().index("|"), value, context)


def _of_cell(called: str, metric: str, split: Split | None, number: Number, known: Known) -> Value:
    """A value in the row of a table that is called so: of the row of a printed table, or of what was measured."""
    row = _Row.named(called, called) if is_precise(number) else None
    if own := row.value(number, known) if row else None:
        return Value(stated=number, rows=(own,))
    owner = alone_in(called, known)
    rows = those_of(known, known.index.subjects.rows(owner), Meant(metric, split)) if owner else ()
    return Value(metric=metric, split=split, stated=number, rows=ids_of(rows))


@dataclass(frozen=True)
class _Row:
    """What can name the row of a value: words, in order, and settings; and all words that stand around the value."""

    names: tuple[str, ...]
    settings: frozenset[tuple[str, str]]
    beside: tuple[str, ...]

    @classmethod
    def named(cls, own: str, every: str) -> _Row | None:
        """What can name it in some words, if anything; not where a value is said to be of something else than they."""
        bare = without_sides(own)
        if phrases("words.other_than").search(bare) or phrases("operands.against").search(bare):
            return None
        set_so = ((word.lower(), n) for word, given in _SETTING.findall(own) for n in re.findall(r"\d+", given))
        row = cls(tuple(names_of_rows(own)), frozenset(set_so) | sides_in(own), tuple(words_of(every)))
        return row if row.names or row.settings else None

    @classmethod
    def around(cls, text: str, numbers: Sequence[Number], n: int) -> _Row | None:
        """What stands around a value, between the values on either side of it."""
        number, before = numbers[n], [each for each in numbers[:n] if each.resolution < 1 or each.percent_like]
        start = before[-1].end if before else 0
        start = max([start, *(m.end() for m in _BEGIN.finditer(text, start, number.start))])
        own = text[start : number.start]
        end = _end(text, numbers, n, number.end, _END)
        behind = "" if own.endswith("(") else text[number.end : end]  # "the name (0.91) is above …"
        return cls.named(own, f"{own} {behind}")

    @classmethod
    def behind(cls, text: str, numbers: Sequence[Number], n: int) -> _Row | None:
        """What a value is said to be of right behind it: "53.78 for plain ridge", "0.867 at window 15"."""
        of = _OF.match(text, numbers[n].end)
        if of is None:
            return None
        own = text[of.end() : _end(text, numbers, n, of.end(), _CLOSE)]
        return cls.named(own, f"{text[: numbers[n].start]} {own}")

    def value(self, number: Number, known: Known) -> str | None:
        """The id of the value in the row that is named, where others of its table alone bear the number."""
        lines, found = known.index.tables, ""
        if lines.is_elsewhere(number, known.step):
            return None
        for line, place in lines.bearing(number, known.step):
            named = self._named_in(lines.table_of(line))
            if not named or line in named or self._may_mean(line, named[0]):
                return None
            found = found or named[0].values[place].id
        return found or None

    def _named_in(self, table: Sequence[Line]) -> list[Line]:
        """The rows of a table that are named; of several those that are called exactly so: "Adam", not "adamw"."""
        alike = (line for line in table if self.settings & line.settings or covered(self.names, line.words))
        named = [line for line in alike if self._is_of(line, table)]
        exact = [line for line in named if covered(self.names, line.words) <= exactly(self.names, line.words)]
        return exact or named

    def _is_of(self, line: Line, table: Sequence[Line]) -> bool:
        """Whether a row is named and not all others of its table."""
        known = {each for each in self.settings if any(word == each[0] for row in table for word, _ in row.settings)}
        if not known <= line.settings:
            return False
        found = covered(self.names, line.words)
        is_own = any(not (known <= row.settings and found <= covered(self.names, row.words)) for row in table)
        is_on_side = any(word in "<>" for word, _ in known)
        is_set_so = is_on_side or (bool(known) and (bool(found) or not self.names))
        return is_own and (2 * len(found) > len(self.names) or is_set_so)

    def _may_mean(self, line: Line, named: Line) -> bool:
        """Whether another row than the one named may be meant: by a word that only that has, or part of the name."""
        if covered(self.beside, line.words) - covered(self.beside, named.words):
            return True
        is_set_apart = bool((self.settings & named.settings) - line.settings)
        own = exactly(self.names, named.words) - exactly(self.names, line.words)
        found = covered(self.names, line.words)
        return not is_set_apart and bool(found) and not found <= own


def _end(text: str, numbers: Sequence[Number], n: int, start: int, closing: re.Pattern[str]) -> int:
    """Where what is said of a value ends: before the next value or a mark that closes it."""
    end = next((each.start for each in numbers[n + 1 :] if each.resolution < 1), len(text))
    return min([end, *(m.start() for m in closing.finditer(text, start, end))])
