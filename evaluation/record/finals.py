"""The final values of all runs by what they are of: found once, asked for what was known at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from evaluation.record.measured_runs import Key
from evaluation.record.measurements import Measurement
from evaluation.record.settings import Setting, settings_of


class Finals:
    """Final values by metric and by setting; ``count`` says how many of them were known.

    Args:
        finals: The final values, oldest first.
    """

    def __init__(self, finals: Sequence[Measurement]) -> None:
        self._finals = finals

    def of(self, key: Key, count: int) -> list[Measurement]:
        """The values of a metric and split, oldest first."""
        places = self._of_keys.get(key, [])
        return [self._finals[n] for n in places[: bisect_left(places, count)]]

    def things(self, count: int) -> int:
        """How many different names they have."""
        return bisect_left(self._first_called, count)

    def set_to(self, asked: Setting, count: int) -> Iterator[Measurement]:
        """The values that were measured with a setting, the latest first."""
        places = {
            n
            for name, places_of in self._of_settings.items()
            if asked.is_called(Setting(name, asked.value))
            for n in places_of.get(asked.value, ())
        }
        return (self._finals[n] for n in sorted(places, reverse=True) if n < count)

    @cached_property
    def _first_called(self) -> list[int]:
        firsts: dict[str, int] = {}
        for n, value in enumerate(self._finals):
            firsts.setdefault(value.words, n)
        return list(firsts.values())

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
