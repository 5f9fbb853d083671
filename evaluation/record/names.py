"""What outputs and command lines call the final values of a run: found once, asked for what was known at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from evaluation.record.measured_runs import Key, own_words, words_of
from evaluation.record.measurements import Measurement
from evaluation.record.settings import Setting, settings_of


class Names:
    """The words and settings of final values, oldest first; ``count`` says how many of them were known.

    Args:
        finals: The final values.
    """

    def __init__(self, finals: Sequence[Measurement]) -> None:
        self._finals = finals

    def called(self, words: Collection[str], count: int) -> Iterator[Measurement]:
        """The values whose output has all of some words for them, the latest first."""
        places = min((self._of_words.get(word, []) for word in words), key=len, default=[])
        return (self._finals[n] for n in reversed(places) if n < count and self._words[n].issuperset(words))

    def of(self, key: Key, count: int) -> list[Measurement]:
        """The values of a metric and split."""
        places = self._of_keys.get(key, [])
        return [self._finals[n] for n in places[: bisect_left(places, count)]]

    def things(self, count: int) -> int:
        """How many different names they have."""
        return bisect_left(self._first_called, count)

    @cached_property
    def _first_called(self) -> list[int]:
        firsts: dict[str, int] = {}
        for n, value in enumerate(self._finals):
            firsts.setdefault(value.words, n)
        return list(firsts.values())

    def knows(self, word: str, count: int) -> bool:
        """Whether a word stands beside a value in an output."""
        return next(iter(self._of_words.get(word, ())), count) < count

    def set_to(self, asked: Setting, count: int) -> Iterator[Measurement]:
        """The values that were measured with a setting, the latest first."""
        places = {
            n
            for name, places_of in self._of_settings.items()
            if asked.is_called(Setting(name, asked.value))
            for n in places_of.get(asked.value, ())
        }
        return (self._finals[n] for n in sorted(places, reverse=True) if n < count)

    def own(self, count: int) -> Iterator[str]:
        """The words that outputs have beside a value's metric and split."""
        return (word for word, first in self._first_own.items() if first < count)

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [frozenset(words_of(value.words)) for value in self._finals]

    @cached_property
    def _of_words(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for n, words in enumerate(self._words):
            for word in words:
                found[word].append(n)
        return dict(found)

    @cached_property
    def _of_keys(self) -> dict[Key, list[int]]:
        found: defaultdict[Key, list[int]] = defaultdict(list)
        for n, value in enumerate(self._finals):
            found[value.key].append(n)
        return dict(found)

    @cached_property
    def _of_settings(self) -> dict[tuple[str, ...], dict[float, list[int]]]:
        found: defaultdict[tuple[str, ...], defaultdict[float, list[int]]] = defaultdict(lambda: defaultdict(list))
        for n, value in enumerate(self._finals):
            for setting in settings_of(value):
                found[setting.name][setting.value].append(n)
        return {name: dict(places) for name, places in found.items()}

    @cached_property
    def _first_own(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for n, value in enumerate(self._finals):
            for word in own_words(value.label, value.name):
                found.setdefault(word, n)
        return found
