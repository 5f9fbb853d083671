"""How many of how many are so, held against the lines that tell it: "wrong in all seeds"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.whose_value import Said
from evaluation.claims.types.value import Value
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.named_lines import NamedLine

_N = r"\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
_COUNT = re.compile(
    rf"\b(?P<some>{_N}|one|none|all|each|every(?: single)?(?: one)?) (?:out )?of (?:the |its |these |our |my |all )?"
    rf"(?P<of>{_N})\b(?! ?%|\.\d)"
    rf"|(?<![\w./])(?P<k>\d+) ?/ ?(?P<n>\d+)(?![\w./])"
    rf"|\b(?P<every>all|both) (?:the |its )?(?P<number>{_N}) (?P<things>[a-z]{{3,}}s)\b",
    re.IGNORECASE,
)
_SO = re.compile(
    r"\b(?P<word>better|worse|win|won|beat|improv|wrong|right|correct|identical|equal|fewer|higher|lower|faster|slower)"
    r"[a-z]*\b[^.;]{0,24}$",
    re.IGNORECASE,
)
"""What is so, in front of how many."""
_TURNS = ("win", "won", "beat")
"""What is told of two, each of which may stand first."""
_ALIKE = ((*_TURNS, "better", "improv"), ("wrong",), ("right", "correct"), ("identical", "equal"))
_EVERY = ("all", "each", "every", "both")
_FEW = 3
"""Lines from which on all that was counted of a kind is taken to have been printed."""


def miscounted(clause: Clause, known: Known) -> Iterator[Value]:
    """The counts that a clause gives and that the lines which tell them have otherwise."""
    for found in _COUNT.finditer(clause.text):
        some, total = _numbers(found)
        so = _SO.search(clause.text[: found.start()])
        lines = known.index.named_lines.counting(total, known.step) if so and total > 1 else []
        if so and lines:
            said = Said.before(clause.sentence.text[: clause.start - clause.sentence.start + found.start()])
            cells = _refuting(said, some, total, lines, so["word"].lower(), known)
            if cells:
                stated = Quantity(value=float(some), resolution=1.0)
                yield Value(stated=stated, rows=tuple(cell.id for cell in cells))


def _numbers(found: re.Match[str]) -> tuple[int, int]:
    total = _number(found["of"] or found["n"] or found["number"])
    some = (found["some"] or found["k"] or found["every"]).lower()
    return (total if some.startswith(_EVERY) else 0 if some == "none" else _number(some)), total


def _number(word: str) -> int:
    return int(find_numbers(word)[0].value)


def _refuting(
    said: Said, some: int, total: int, lines: Sequence[NamedLine], so: str, known: Known
) -> list[Measurement]:
    """The values that are another number than the one given: of the lines that are named, else of all there are."""
    named = [line for line in lines if said.is_of_part(line)]
    if named:  # what is said of several parts holds of each
        return next((own for line in named if (own := _others(line, some, total, so))), [])
    tables = known.index.named_lines
    named = [line for line in lines if said.is_of(line, tables.table_of(line))]
    if named:
        cells = [_others(line, some, total, so) for line in named]
        is_other = any(said.may_mean(line, named[0]) for line in lines if not _others(line, some, total, so))
        return cells[0] if all(cells) and not is_other else []
    alike = next((words for words in _ALIKE if so in words), (so,))
    same = [line for line in lines if any(word in line.text.lower() for word in alike)]
    cells = [_others(line, some, total, so) for line in same]
    is_counted_by_hand = any(len(tables.table_of(line)) == total for line in tables.before(known.step))
    return [each[0] for each in cells] if len(same) >= _FEW and all(cells) and not is_counted_by_hand else []


def _others(line: NamedLine, some: int, total: int, so: str) -> list[Measurement]:
    """The counts of a line, where none is the one given, nor, under another word, what is left of all."""
    own = [(each, cell) for each, of, cell in line.counts if of == total]
    fitting = {some} if so in line.text.lower() and so not in _TURNS else {some, total - some}
    return [] if any(each in fitting for each, _ in own) else [cell for _, cell in own]
