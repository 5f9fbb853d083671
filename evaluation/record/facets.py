"""Which metric a value is of; of several of one line that only a number in their names tells apart, each its own.

They are of different horizons, ranks or classes, and comparable only with the same of other lines: "h1 MAE", "h28 MAE".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from environment.metrics.listed import is_listed
from environment.metrics.meaning import canonical, is_known
from environment.metrics.names import Split
from environment.records import MetricPoint
from evaluation.language.splits import TIMES, without_metrics

_DIGIT = re.compile(r"\d")
_ALIKE = frozenset({"fold", "seed", "run", "trial", "epoch", "step", "round", "repeat", "split"})
"""What there are several of that are alike: their values may be compared."""
_Key = tuple[int | None, str, Split | None]


def metric_of(point: MetricPoint) -> str:
    """The metric; a loss is not given in percent, so "Loss: 1.4, Train: 58.1%" tells of an accuracy."""
    metric = canonical(point.name)
    if point.unit == "seconds" and metric not in TIMES:
        return "time"
    return "accuracy" if metric == "loss" and point.unit == "percent" else metric


def metrics_of(points: Sequence[MetricPoint]) -> list[str]:
    """The metric of each point, with what tells it apart from others of its line."""
    metrics = [metric_of(point) for point in points]
    keys: list[_Key] = [(point.line, metric, point.split) for point, metric in zip(points, metrics, strict=True)]
    named: defaultdict[_Key, set[tuple[str, ...]]] = defaultdict(set)
    for point, key in zip(points, keys, strict=True):
        if point.source == "stdout" and is_known(key[1]) and not is_listed(point.part):
            named[key].add(_words(point))
    several = {key: names for key, names in named.items() if len(names) > 1}
    return [
        f"{_facet(_words(point), several[key])} {metric}".lstrip() if key in several else metric
        for point, metric, key in zip(points, metrics, keys, strict=True)
    ]


def _words(point: MetricPoint) -> tuple[str, ...]:
    return tuple(without_metrics(point.name).split())


def _facet(words: tuple[str, ...], names: set[tuple[str, ...]]) -> str:
    """The words with a number in them that not all the names have: "h14" of "ridge MAE h14"."""
    common = set.intersection(*map(set, names))
    are_alike = not _ALIKE.isdisjoint(common)
    own = [word for word in words if word not in common and _DIGIT.search(word)]
    return "" if are_alike and all(word.isdigit() for word in own) else " ".join(own)
