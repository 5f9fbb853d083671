"""Final values that were measured again under other seeds or folds: how far they scatter, and their means."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from statistics import fmean, stdev

from evaluation.language.quantity import Quantity
from evaluation.record.by_value import ByValue
from evaluation.record.measured_runs import Key
from evaluation.record.measurements import Measurement

_SEED = re.compile(r"(?:--)?(?:random_)?seeds?[ =_:]*\d+", re.IGNORECASE)
PART = re.compile(r"(?:seed|fold|run|trial)\W{0,3}\d+", re.IGNORECASE)
_ENOUGH = 3
"""Repeated results from which their scatter is known."""


class Repeats:
    """The final values of one metric and split under one setting; ``count`` says how many finals were known.

    Args:
        finals: The final values, oldest first.
    """

    def __init__(self, finals: Sequence[Measurement]) -> None:
        self._finals = finals

    def widest(self, key: Key, count: int) -> float | None:
        """The widest standard deviation of the repeats of one setting; ``None`` without any."""
        known = self._widest.get(key, [])
        before = bisect_left(known, (count,))
        return known[before - 1][1] if before else None

    def means(self, stated: Quantity, count: int) -> Iterator[float]:
        """The means of repeats that a stated number can be, and a few that it is not."""
        return (mean for mean, (since, until) in self._means.near(stated) if since < count <= until)

    @cached_property
    def _widest(self) -> dict[Key, list[tuple[int, float]]]:
        """Of each metric and split the widest deviation that there is from a final value on."""
        latest: defaultdict[Key, dict[object, float]] = defaultdict(dict)
        found: defaultdict[Key, list[tuple[int, float]]] = defaultdict(list)
        for n, key, setting, values in self._repeats():
            if len(values) >= _ENOUGH:
                latest[key][setting] = stdev(values)
                found[key].append((n, max(latest[key].values())))
        return dict(found)

    @cached_property
    def _means(self) -> ByValue[tuple[int, int]]:
        """The means, each with the final values after which it is one, and after which it is one no more."""
        means: defaultdict[tuple[Key, object], list[tuple[int, float]]] = defaultdict(list)
        for n, key, setting, values in self._repeats():
            means[key, setting].append((n, fmean(values)))
        end = len(self._finals), 0.0
        return ByValue((mean, (n, until)) for own in means.values() for (n, mean), (until, _) in pairwise([*own, end]))

    def _repeats(self) -> Iterator[tuple[int, Key, object, Sequence[float]]]:
        """Each final value that repeats others: its number, what it is of, and the values of its setting so far."""
        values: defaultdict[tuple[Key, object], list[float]] = defaultdict(list)
        for n, final in enumerate(self._finals):
            if (setting := _setting(final)) is not None:
                own = values[final.key, setting]
                own.append(final.value)
                if len(own) > 1:
                    yield n, final.key, setting, own


def _setting(value: Measurement) -> object:
    """What stays the same when only the seed is changed; ``None`` where nothing tells of seeds."""
    if PART.fullmatch(value.label.strip()):
        return value.event.id
    command = value.event.command.partition("\n")[0]
    return _SEED.sub("", command) if _SEED.search(command) else None
