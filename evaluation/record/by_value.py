"""Things by a value of theirs, to be found by a number that somebody stated."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Generic, TypeVar

from evaluation.language.quantity import Quantity

Thing = TypeVar("Thing")
_value = itemgetter(0)


class ByValue(Generic[Thing]):
    """Things in the order of their values.

    Args:
        valued: Each value with what has it.
    """

    def __init__(self, valued: Iterable[tuple[float, Thing]]) -> None:
        self._ordered = sorted(valued, key=_value)

    def near(self, stated: Quantity) -> Iterator[tuple[float, Thing]]:
        """Those whose value a number can be, and a few that it is not, some twice; all, for one with a bound."""
        return iter(self._ordered) if stated.bound else self.in_spans(stated)

    def in_spans(self, stated: Quantity) -> Iterator[tuple[float, Thing]]:
        """Those whose value a number can be, whatever its bound, and a few that it is not, some twice."""
        for low, high in stated.spans():
            start = bisect_left(self._ordered, low, key=_value)
            yield from self._ordered[start : bisect_right(self._ordered, high, key=_value)]
