"""What a line of an output begins with to tell its values from those of others: "Fold 3", "alpha=10", "dropout 0.2"."""

from __future__ import annotations

import re

from environment.metrics.meaning import names_in
from environment.metrics.names import is_metric
from environment.records import MetricPoint

_LABEL = re.compile(
    r"[\s,;:(|-]*([A-Za-z]\w*:\s+\w+(?=\s{2,})|[A-Za-z]\w*(?=\s+(?:seed|fold)\s?=\s?\d)"
    r"|[A-Za-z][\w-]*?(?:\s*[=#:]?\s*\d+(?![\w.])|[ ]?[=#:]?[ ]?\d[\w.]*))\b"
)
_COUNTER = re.compile(r"(?:epoch|ep|step|iter\w*|batch|round|time|line|it)(?![a-z])", re.IGNORECASE)
_DECIMAL = re.compile(r"\d+\.\d+")


def label_of(text: str, point: MetricPoint, values: set[float]) -> str:
    """What a line begins with that is no count of time and no metric."""
    parts, at = [], 0
    while point.epoch is None and (found := _LABEL.match(text, at)) and not (is_metric(found[1]) or names_in(found[1])):
        if _COUNTER.match(found[1]):
            return ""
        parts.append(_without_value(found[1], point.value, values))
        at = found.end()
    return " ".join(parts)


def _without_value(label: str, own: float, values: set[float]) -> str:
    """The label without a value of the line, where the row begins with one word and its value ("lr  0.812")."""
    *name, last = re.split(r"[\s:=#]+", label)
    is_value = last == f"{own:g}" or (_DECIMAL.fullmatch(last) is not None and float(last) in values)
    return " ".join(name) if name and is_value else label
