"""Orders that a quote tells both ways: "the sign changes between folds" is above and below naught, each of some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.claims.reading.reader import Reading
from evaluation.claims.types.base import Relation
from evaluation.claims.types.order import Order

_OPPOSITES: dict[Relation, Relation] = {"higher": "lower", "lower": "higher", "better": "worse", "worse": "better"}


def of_some(readings: Sequence[Reading]) -> list[Reading]:
    """What a model has read, where it says opposite orders of the same rows of one quote as said of some rows each."""
    return [_of_some(each) if any(_are_opposite(each, other) for other in readings) else each for each in readings]


def _are_opposite(one: Reading, other: Reading) -> bool:
    a, b = one.says, other.says
    if one.quote != other.quote or not (isinstance(a, Order) and isinstance(b, Order)):
        return False
    return _OPPOSITES.get(a.relation) == b.relation and (a.metric, a.left, a.right) == (b.metric, b.left, b.right)


def _of_some(reading: Reading) -> Reading:
    return replace(reading, says=reading.says.model_copy(update={"every": False}))
