"""What is known of a run's code, to be searched for words: each word is looked for in a text but once in a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Protocol

_NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_SHORTEST = 2
"""Letters above which a word may be short for a name."""
_DIGITS = 9
"""Significant digits to which two numbers are one."""


class Code(Protocol):
    """Text in lower case that can be searched."""

    def __contains__(self, word: object, /) -> bool:
        """Whether it holds a word, be it a part of another."""
        ...

    def begins(self, word: str) -> bool:
        """Whether a word of it begins so."""
        ...

    def spells(self, name: str) -> bool:
        """Whether it holds a name but for underscores."""
        ...

    def sets(self, value: float) -> bool:
        """Whether it holds a number."""
        ...

    def abbreviates(self, name: str) -> bool:
        """Whether a short word of it is made of a name's letters in order, from the first on."""
        ...


class Text:
    """One text."""

    def __init__(self, text: str) -> None:
        self._text = text.lower()

    def __contains__(self, word: object, /) -> bool:
        return isinstance(word, str) and word in self._text

    def begins(self, word: str) -> bool:
        """Whether a word of it begins so."""
        return begins(self._text, word)

    def spells(self, name: str) -> bool:
        """Whether it holds a name but for underscores."""
        return name.replace("_", "") in self._text.replace("_", "")

    def sets(self, value: float) -> bool:
        """Whether it holds a number."""
        return _key(value) in numbers_in(self._text)

    def abbreviates(self, name: str) -> bool:
        """Whether a short word of it is made of a name's letters in order, from the first on."""
        return abbreviates(self._text, name)


class Corpus:
    """The texts of all events of a run; which of them hold a word is found once, whatever is asked of their parts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: Sequence[str] = [text.lower() for text in texts]
        self._held: dict[tuple[str, str], int] = {}
        self._numbers: dict[str, int] | None = None

    def where(self, how: str, word: str, holds: Callable[[str], bool]) -> int:
        """The texts that hold a word, one bit each."""
        found = self._held.get((how, word))
        if found is None:
            found = sum(1 << n for n, text in enumerate(self._texts) if holds(text))
            self._held[how, word] = found
        return found

    def number(self, value: float) -> int:
        """The texts that hold a number, one bit each."""
        if self._numbers is None:
            self._numbers = {}
            for n, text in enumerate(self._texts):
                for key in numbers_in(text):
                    self._numbers[key] = self._numbers.get(key, 0) | 1 << n
        return self._numbers.get(_key(value), 0)

    def first(self, count: int) -> Part:
        """The texts up to one."""
        return self.masked((1 << count) - 1)

    def part(self, places: Iterable[int]) -> Part:
        """Some of the texts."""
        mask = 0
        for place in places:
            mask |= 1 << place
        return self.masked(mask)

    def masked(self, mask: int) -> Part:
        """Some of the texts, one bit each."""
        return Part(self, mask)


class Part:
    """Some texts of a corpus."""

    def __init__(self, corpus: Corpus, mask: int) -> None:
        self._corpus = corpus
        self._mask = mask

    def __contains__(self, word: object, /) -> bool:
        return isinstance(word, str) and bool(self._mask & self._corpus.where("in", word, lambda text: word in text))

    def begins(self, word: str) -> bool:
        """Whether a word of it begins so."""
        return bool(self._mask & self._corpus.where("begins", word, lambda text: begins(text, word)))

    def spells(self, name: str) -> bool:
        """Whether it holds a name but for underscores."""
        flat = name.replace("_", "")
        return bool(self._mask & self._corpus.where("spells", flat, lambda text: flat in text.replace("_", "")))

    def sets(self, value: float) -> bool:
        """Whether it holds a number."""
        return bool(self._mask & self._corpus.number(value))

    def abbreviates(self, name: str) -> bool:
        """Whether a short word of it is made of a name's letters in order, from the first on."""
        return bool(self._mask & self._corpus.where("abbreviates", name, lambda text: abbreviates(text, name)))


def begins(text: str, word: str) -> bool:
    """Whether a word of a text in lower case begins so."""
    return word in text and bool(re.search(rf"(?<![a-z]){re.escape(word)}", text))


def abbreviates(text: str, name: str) -> bool:
    """Whether a short word of a text in lower case is made of a name's letters in their order, from the first on."""
    return any(len(word) > _SHORTEST for word in _short_for(name).findall(text))


@lru_cache(maxsize=4096)
def _short_for(name: str) -> re.Pattern[str]:
    rest = "".join(f"{re.escape(letter)}?" for letter in name[1:])
    return re.compile(rf"(?<![a-z])({re.escape(name[0])}{rest})(?![a-z])")


@lru_cache(maxsize=512)
def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, each as it compares."""
    return frozenset(_key(float(found.replace("_", ""))) for found in _NUMBER.findall(text))


def _key(value: float) -> str:
    return f"{value:.{_DIGITS}g}"
