"""How far results lie apart when nothing but the seed or the fold is changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import sqrt
from statistics import fmean, stdev

from environment.metrics.meaning import is_same
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.line import Line, is_decimal, place_of
from evaluation.record.measurements import Measurement
from evaluation.record.repeats import PART

_SIGNS = ("±", "+/-", "+-")
_LONGEST = 40
"""Numbers of a line among which the parts of a mean are looked for."""


def is_within_noise(known: Known, a: Measurement, b: Measurement) -> bool:
    """Whether two results lie no further apart than results of one setting under several seeds or folds do."""
    spread = scatter(known, a) or _printed_spread(known, a, b)
    return (spread is not None and abs(a.value - b.value) <= spread) or is_chance(known, a, b)


def scatter(known: Known, like: Measurement) -> float | None:
    """The widest standard deviation of repeats of one setting, of the same quantity; ``None`` without any."""
    repeated, log = known.index.repeats.widest(like.key, len(known.finals)), known.log
    if log.spread is None or not log.metric or not is_same(log.metric, like.metric):
        return repeated
    return max(repeated or 0.0, log.spread * (100 if like.percent else 1))


def is_chance(known: Known, a: Measurement, b: Measurement) -> bool:
    """Whether the seeds or folds of two means, each held against its own, go both ways and tell no difference."""
    apart = [one - other for one, other in _pairs(known, a, b)]
    if len(apart) < 2 or all(each > 0 for each in apart) or all(each < 0 for each in apart):
        return False
    return abs(fmean(apart)) <= stdev(apart) / sqrt(len(apart))


def _pairs(known: Known, a: Measurement, b: Measurement) -> list[tuple[float, float]]:
    """The values of the same seeds or folds of two means: beside these in their lines, or printed each by its name."""
    one, other = _beside(known, a), _beside(known, b)
    if not (one and one.keys() == other.keys()):
        one, other = _printed_apart(known, a), _printed_apart(known, b)
    return [(one[part], other[part]) for part in one] if one.keys() == other.keys() else []


def _beside(known: Known, mean: Measurement) -> dict[object, float]:
    """The longest row of numbers in the line of a number whose mean that is, by their places from it."""
    line, own = _place(known, mean)
    values = [cell.value for cell in line.cells]
    if own is None or len(values) > _LONGEST:
        return {}
    printed = line.numbers[own].group()
    is_apart = [any(map(str.isalpha, line.text[a.end() : b.start()])) for a, b in pairwise(line.numbers)]
    spans = [
        (end - start, start, end)
        for start, end in combinations(range(len(values) + 1), 2)
        if end - start > 1 and not start <= own < end and not any(is_apart[start : end - 1])
        if all(map(is_decimal, line.numbers[start:end])) and _is_mean(mean, printed, values[start:end])
    ]
    _, start, end = max(spans, default=(0, 0, 0))
    return {place - own: values[place] for place in range(start, end)}


def _printed_spread(known: Known, a: Measurement, b: Measurement) -> float | None:
    """The smaller of the spreads that are printed behind two means; ``None`` where one has none."""
    spreads = [_spread_behind(known, a), _spread_behind(known, b)]
    return None if None in spreads else min(filter(None, spreads), default=None)


def _spread_behind(known: Known, mean: Measurement) -> float | None:
    """The number that a sign of spread parts from a mean: "0.862 ± 0.002"."""
    line, own = _place(known, mean)
    if own is None or own + 1 == len(line.numbers):
        return None
    between = line.text[line.numbers[own].end() : line.numbers[own + 1].start()]
    return line.cells[own + 1].value if between.strip() in _SIGNS else None


def _place(known: Known, row: Measurement) -> tuple[Line, int | None]:
    """The line of a result, and which of the line's numbers it is; ``None`` where it is none of them."""
    line = known.index.cells.of(row.event).line_of(row)
    if row.is_cell:
        return line, place_of(row)
    return line, next((n for n, cell in enumerate(line.cells) if row.line and cell.value == row.value), None)


def _printed_apart(known: Known, mean: Measurement) -> dict[object, float]:
    """The values of the same output that are called by a seed or fold and by nothing more, whose mean a value is."""
    own = [row for row in known.index.of_event(mean.event) if row.key == mean.key and PART.fullmatch(row.label.strip())]
    parts: dict[object, float] = {row.label.strip().lower(): row.value for row in own}
    return parts if len(parts) > 1 and _is_mean(mean, f"{mean.value:g}", list(parts.values())) else {}


def _is_mean(mean: Measurement, printed: str, values: Sequence[float]) -> bool:
    """Whether a number that was printed with decimals is the mean of some values, to its digits."""
    decimals = len(printed.strip(" %").partition(".")[2])
    return decimals > 0 and Quantity(value=mean.value, resolution=10.0**-decimals).is_near(fmean(values))
