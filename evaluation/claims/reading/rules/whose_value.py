"""Whose value a number is said to be: of the row of a printed table that the words in front of it name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.claims.reading.rules.measured import is_precise
from evaluation.claims.reading.rules.mentions import metrics_in, split_mentions
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.row_names import covered, exactly, names_of_rows
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.value import Value
from evaluation.language.numbers import Number, find_numbers
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
_SETTING = re.compile(r"([a-z][a-z]+)[\s_=(:\"]{0,4}(\d+(?:(?:, | and |, and )\d+)*)(?!\w|[\w.]*\.\d)", re.IGNORECASE)
_ROW = re.compile(r"^[ \t]*\|(?P<cells>.*\S)[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]+$")


def misplaced(clause: Clause, known: Known) -> Iterator[Value]:
    """The values that a clause gives a named row of a table and that stand in other rows of it alone."""
    for number, said in _said(clause):
        own = own_cell(said, number, known)
        if own is not None:
            yield Value(stated=number, rows=(own,))


def _said(clause: Clause) -> Iterator[tuple[Number, Said]]:
    """Each exact value of a clause with what names its row, where something does."""
    numbers = find_numbers(clause.text)
    for n, number in enumerate(numbers):
        if not is_precise(number) or number.bound or number.approximate:
            continue
        behind = Said.behind(clause.text, number, numbers[n + 1 :])
        said = behind if behind.names_row else Said.of(clause.text, number, numbers[:n], numbers[n + 1 :])
        if said.names_row:
            yield number, said


@dataclass(frozen=True)
class Said:
    """What stands around a number: the words that can name its row, in order, and all that can."""

    names: tuple[str, ...] = ()
    settings: frozenset[tuple[str, str]] = frozenset()
    around: tuple[str, ...] = ()

    @property
    def names_row(self) -> bool:
        """Whether anything can name a row."""
        return bool(self.names or self.settings)

    @classmethod
    def of(cls, text: str, number: Number, before: Sequence[Number], behind: Sequence[Number]) -> Said:
        """What stands around a value, between the values on either side of it."""
        values = [each for each in before if each.resolution < 1 or each.percent_like]
        start = values[-1].end if values else 0
        start = max([start, *(m.end() for m in _BEGIN.finditer(text, start, number.start))])
        end = next((each.start for each in behind if each.resolution < 1), len(text))
        end = min([end, *(m.start() for m in _END.finditer(text, number.end, end))])
        own = text[start : number.start]
        if _is_of_other(own):
            return cls()
        behind_it = "" if own.endswith("(") else text[number.end : end]  # "the name (0.91) is above …"
        return cls.around_it(own, f"{own} {behind_it}")

    @classmethod
    def behind(cls, text: str, number: Number, behind: Sequence[Number]) -> Said:
        """What a value is said to be of right behind it: "53.78 for plain ridge", "0.867 at window 15"."""
        of = _OF.match(text, number.end)
        if of is None:
            return cls()
        end = next((each.start for each in behind if each.resolution < 1), len(text))
        end = min([end, *(m.start() for m in _CLOSE.finditer(text, of.end(), end))])
        own = text[of.end() : end]
        if _is_of_other(own):
            return cls()
        return cls.around_it(own, f"{text[: number.start]} {own}")

    @classmethod
    def around_it(cls, own: str, every: str) -> Said:
        """What words can name its row, and all that stands around it."""
        return cls(tuple(names_of_rows(own)), _settings(own), tuple(words_of(every)))

    def named_in(self, table: Sequence[Line]) -> list[Line]:
        """The rows of a table that they name; of several those that are called exactly so: "Adam", not "adamw"."""
        alike = (line for line in table if self.settings & line.settings or covered(self.names, line.words))
        named = [line for line in alike if self.is_of(line, table)]
        exact = [line for line in named if covered(self.names, line.words) <= exactly(self.names, line.words)]
        return exact or named

    def is_of(self, line: Line, table: Sequence[Line]) -> bool:
        """Whether they name a row and not all others of its table."""
        known = {each for each in self.settings if any(word == each[0] for row in table for word, _ in row.settings)}
        if not known <= line.settings:
            return False
        found = covered(self.names, line.words)
        is_own = any(not (known <= row.settings and found <= covered(self.names, row.words)) for row in table)
        is_on_side = any(word in "<>" for word, _ in known)
        is_set_so = is_on_side or (bool(known) and (bool(found) or not self.names))
        return is_own and (2 * len(found) > len(self.names) or is_set_so)

    def may_mean(self, line: Line, named: Line) -> bool:
        """Whether they may mean another row than the one named: by a word that only that has, or part of the name."""
        if covered(self.around, line.words) - covered(self.around, named.words):
            return True
        is_set_apart = bool((self.settings & named.settings) - line.settings)
        is_less = covered(self.names, line.words) <= exactly(self.names, named.words) - exactly(self.names, line.words)
        return not is_set_apart and bool(covered(self.names, line.words)) and not is_less


def _is_of_other(text: str) -> bool:
    """Whether words say that a value is not of what they name, or is held against that."""
    bare = without_sides(text)
    return bool(phrases("words.other_than").search(bare) or phrases("operands.against").search(bare))


def _settings(text: str) -> frozenset[tuple[str, str]]:
    own = ((word.lower(), n) for word, given in _SETTING.findall(text) for n in re.findall(r"\d+", given))
    return frozenset(own) | sides_in(text)


def own_cell(said: Said, number: Number, known: Known) -> str | None:
    """The id of the value in the row that the words name, where others of its table alone bear the number."""
    lines = known.index.tables
    bearing = lines.bearing(number, known.step)
    if not bearing or lines.is_elsewhere(number, known.step):
        return None
    found = ""
    for line, place in bearing:
        named = said.named_in(lines.table_of(line))
        if not named or line in named or said.may_mean(line, named[0]):
            return None
        found = found or named[0].values[place].id
    return found or None


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
            other = own_cell(Said.around_it(cells[0], cells[0]), numbers[0], known) if is_precise(numbers[0]) else None
            if other:
                yield Value(stated=numbers[0], rows=(other,))
                continue
            splits = split_mentions(name)
            yield Value(metric=metrics[0].what, split=splits[0].what if splits else None, stated=numbers[0])  # type: ignore[arg-type]
