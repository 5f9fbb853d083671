"""What the header of a printed table calls the numbers below it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

_WORDS = re.compile(r"[^\s|│]+(?: [^\s|│]+)*")
"""A column's name may have blanks, but one at a time."""
_WORD = re.compile(r"[^\s|│]+")
_FIELD = re.compile(r"[^\s|│,;]+")
_SEPARATORS = ("|", "│", "&", "\t", ",", ";")
_FEWEST = 2
"""Separators from which a line is a row of fields."""
_NAME = r"[^\W\d][\w.-]*(?: [^\W\d][\w.-]*)*"
_BORDER = r"(?:\s*[,;\t|┆│]\s*|\s{2,})"
_FIRST_NAMES = re.compile(rf"[\W\d]*({_NAME}{_BORDER}{_NAME}){_BORDER}")
_DECIMAL = re.compile(r"(?<![\w.])[-+]?\d*\.\d")
_BARE = re.compile(r"(?<![\w.=])\d+(?![\w.%])")
_LETTER = re.compile(r"[^\W\d_]")
_FARTHEST = 60
"""Lines below its header that a table may have."""
_MOST = 2
"""Lines that a header may have."""

Span = tuple[int, int]


def heads_of(texts: Sequence[str], at: int) -> list[int]:
    """The places of the lines, with several words and no bare numbers, that end right above the table of a line."""
    n = at - 1
    while n >= max(0, at - _FARTHEST) and _is_body(texts[n]):
        n -= 1
    heads: list[int] = []
    while n >= 0 and len(heads) < _MOST and _is_head(texts[n]):
        heads.insert(0, n)
        n -= 1
    return heads


def first_names(text: str) -> str:
    """The first two cells of a row, where both are names: "C,ridge" of "C,ridge,353.2"; "" where they are not."""
    found = _FIRST_NAMES.match(text)
    return found[1] if found else ""


def repeats_names(texts: Sequence[str], at: int) -> bool:
    """Whether the columns above a line are named alike by group, which a line above them tells: "mean std mean std"."""
    heads = heads_of(texts, at)
    names = _WORD.findall(texts[heads[-1]]) if len(heads) > 1 else []
    return sum(count > 1 for count in Counter(names).values()) > 1


def names_over(text: str, numbers: Sequence[Span], heads: Sequence[str]) -> tuple[str, ...]:
    """What the lowest of a table's headers has over each number of a line, where that is clear; else ""."""
    named = (_of_fields(head, text, numbers) or _over(head, numbers) for head in reversed(heads))
    return next((names for names in named if names), ("",) * len(numbers))


def _of_fields(head: str, text: str, numbers: Sequence[Span]) -> tuple[str, ...] | None:
    """The names by field, where both lines have as many fields."""
    for separator in _SEPARATORS:
        if text.count(separator) == head.count(separator) >= _FEWEST:
            names = [name.strip() for name in head.split(separator)]
            return tuple(names[text.count(separator, 0, start)] for start, _ in numbers)
    names, fields = head.split(" "), text.split(" ")
    if all(names) and all(fields) and len(names) == len(fields) > _FEWEST:  # one blank between any two
        return tuple(names[text.count(" ", 0, start)] for start, _ in numbers)
    return None


@lru_cache(maxsize=4096)  # each line of a table looks at all lines above it
def _is_body(text: str) -> bool:
    """Whether a line is inside a table: it has numbers, or rules it off, or names the column of the rows' names."""
    return bool(_DECIMAL.search(text)) or len(_FIELD.findall(text)) == 1 or not _LETTER.search(text.strip() or "a")


def _is_head(text: str) -> bool:
    is_words = len(_FIELD.findall(text)) > 1 and bool(_LETTER.search(text))
    return is_words and not (_DECIMAL.search(text) or _BARE.search(text))


def _over(head: str, numbers: Sequence[Span]) -> tuple[str, ...] | None:
    """The words that stand over each number; ``None`` where two numbers share one, or one has several.

    Words with one blank between them are columns only where they begin or end where numbers do.
    """
    for words in (_WORDS, _WORD):
        spans = [(found.group(), found.span()) for found in words.finditer(head)]
        over = [[word for word, span in spans if _is_over(span, number)] for number in numbers]
        told = [found for found in over if found]
        is_edged = words is _WORDS or all(_is_edged(number, [span for _, span in spans]) for number in numbers)
        if (
            told
            and is_edged
            and all(len(found) == 1 for found in told)
            and len({found[0] for found in told}) == len(told)
        ):
            return tuple(found[0] if found else "" for found in over)
    return None


def _is_over(word: Span, number: Span) -> bool:
    return word[0] < number[1] and number[0] < word[1]


def _is_edged(number: Span, words: Sequence[Span]) -> bool:
    return any(word[0] == number[0] or word[1] == number[1] for word in words if _is_over(word, number))
