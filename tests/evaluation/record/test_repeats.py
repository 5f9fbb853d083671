"""Repeats of a setting: what is known of them at each place is what the values until there tell."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from environment.records import Action
from evaluation.language.quantity import Quantity
from evaluation.record.log import Exchange, LogStep, RunLog
from evaluation.record.repeats import Repeats
from evaluation.record.run import RunModel

NARROW, WIDE = [0.81, 0.83, 0.84, 0.76], [0.61, 0.62, 0.63]
ORDER = [(16, 0), (64, 0), (16, 1), (16, 2), (64, 1), (64, 2), (16, 3)]
"""The width and the seed of each run, one after another."""


def values_until(count: int) -> list[list[float]]:
    """The values of either width of the first runs."""
    return [[own[seed] for width, seed in ORDER[:count] if width == of] for of, own in ((16, NARROW), (64, WIDE))]


@pytest.fixture(scope="module")
def repeats() -> Repeats:
    done = (
        Exchange(
            action=Action(name="bash", args={"command": f"python train.py --width {width} --seed {seed}"}),
            observation=f"test accuracy: {(NARROW if width == 16 else WIDE)[seed]}",
        )
        for width, seed in ORDER
    )
    steps = tuple(LogStep(exchanges=(each,)) for each in done)
    finals = RunModel.of(RunLog(source="seeds", steps=steps)).before(len(steps)).finals
    return Repeats([final for final in finals if final.metric == "accuracy"])


@pytest.mark.parametrize("count", range(len(ORDER) + 1))
def test_the_widest_deviation_is_that_of_three_values_or_more(repeats: Repeats, count: int) -> None:
    expected = max((stdev(values) for values in values_until(count) if len(values) > 2), default=None)
    assert repeats.widest(("accuracy", "test"), count) == expected
    assert repeats.widest(("accuracy", "train"), count) is None


@pytest.mark.parametrize("count", range(len(ORDER) + 1))
def test_a_mean_is_one_until_another_value_is_measured(repeats: Repeats, count: int) -> None:
    for last in range(len(ORDER) + 1):
        for mean in (fmean(values) for values in values_until(last) if len(values) > 1):
            is_known = any(mean == fmean(values) for values in values_until(count) if len(values) > 1)
            stated = Quantity(value=mean, resolution=1e-6)
            assert (mean in repeats.means(stated, count)) is is_known
