"""Which words of a text can name a row, and which of them the name that a row has on record bears."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from evaluation.claims.reading.rules.prose import without_article
from evaluation.claims.reading.rules.vocabulary import phrases, word_list
from evaluation.language.splits import without_metrics
from evaluation.record.measured_runs import is_letter, words_of
from evaluation.record.measurements import Measurement

_SCOPE = re.compile(
    r"\b(?:of|among|on|for|within|in) (?:the |all |our |these )*"
    r"((?:(?!(?:is|are|was|were|has|had|with|by|and|at|to)\b)[\w-]+(?: |$|(?=[,:;.(]))){1,3})",
    re.IGNORECASE,
)
"""Of what, or on which data, a result is said to be the best."""
_STEM = 4
_INITIALS = 3


def names_of_rows(text: str) -> Iterator[str]:
    """The words of a text that can name a row, in order."""
    for word in words_of(without_metrics(without_article(text))):
        if is_letter(word) or not (
            word in word_list("generic") or word[0].isdigit() or phrases("words.beside_values").fullmatch(word)
        ):
            yield word


def names_of_scope(text: str) -> Iterator[str]:
    """The words that say of what, or on which data, something is so."""
    return (word for found in _SCOPE.finditer(text) for word in names_of_rows(found[1]))


def narrowed(rows: Sequence[Measurement], words: Iterable[str]) -> list[Measurement]:
    """Those rows that bear some words, but for the words that none of them bears."""
    found = list(rows)
    for word in words:
        found = [row for row in found if covered((word,), tuple(words_of(row.words)))] or found
    return found


@lru_cache(maxsize=32_768)  # tables that are printed again and again have rows of the same names
def covered(names: tuple[str, ...], words: tuple[str, ...]) -> frozenset[int]:
    """Which of some words a row's name has: as they are, but for their ends, or as what is short for several."""
    found = {n for n, name in enumerate(names) if any(_is_one(name, word) for word in words)}
    for n, (one, two) in enumerate(pairwise(names)):
        if any(len(word) <= _INITIALS and word.startswith(one[0] + two[0]) for word in words):
            found |= {n, n + 1}
    return frozenset(found)


def exactly(names: Sequence[str], words: Sequence[str]) -> set[int]:
    """Which of some words a row's name has as they are, but for a number behind them: "blend3"."""
    return {n for n, name in enumerate(names) if any(name in (word, word.rstrip("0123456789")) for word in words)}


def _is_one(name: str, word: str) -> bool:
    """Whether two words are one but for their ends, be the shorter of four letters at least."""
    short, long = sorted((name, word), key=len)
    return long in (short, f"{short}s") or (len(short) >= _STEM and long.startswith(short))
