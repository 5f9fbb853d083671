"""Tells values apart that stand in lines of one form: "Target updrs_4: SMAPE 97.8", "Random Forest | MAE 18450"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from environment.metrics.meaning import canonical, names_in
from environment.metrics.names import is_aggregate, is_counter, is_metric
from evaluation.language.splits import splits_in
from evaluation.record.measurements import UNNAMED, Measurement

_BEGIN = re.compile(
    r"\W*(?P<label>[A-Za-z][\w.+-]*(?:[ =][A-Za-z0-9][\w.+-]*){0,4}?)\W*?(?::|\||,|->|=>|→|\s-+\s|\s{2,}"
    r"|\t)\W*(?=[A-Za-z])"
)
_PART = re.compile(r"(?:seed|fold|run|trial|split|game|episode)(?: \d+)?", re.IGNORECASE)
_PART_OF_LINE = re.compile(r"\W*(?:seed|fold|run|trial|split|game|episode)\W{0,3}\d+", re.IGNORECASE)
_NO_NAME = re.compile(
    r"(?:info|warn\w*|debug|error|root|results?|final|best|metrics?|summary|scores?|evaluation|epoch|ep|step|iter\w*"
    r"|batch|round"
    r"|time|baseline|overall|mean|average|wandb|model|output|done)\W*$",
    re.IGNORECASE,
)


def with_labels(values: Sequence[Measurement]) -> list[Measurement]:
    """The values, with what their lines begin with for a label, where one metric has several such lines."""
    values = _of_one_metric(values)
    keys = {value.name.rpartition("/")[0] for value in values if "/" in value.name}
    if len(keys) > 1:
        values = [_under_key(value, keys) for value in values]
    groups: defaultdict[tuple[str, object], dict[str, int]] = defaultdict(dict)
    begun = [_begin(value) for value in values]
    for value, begin in zip(values, begun, strict=True):
        if begin:
            groups[value.key][begin] = groups[value.key].get(begin, 0) + 1
    return [
        replace(value, label=f"{begin} {value.label}".strip())
        if begin and (not value.label or value.is_beside_mean) and len(groups[value.key]) > 1
        else value
        for value, begin in zip(values, begun, strict=True)
    ]


def _under_key(value: Measurement, keys: set[str]) -> Measurement:
    """The value of a nested record, labelled by what it stands under: "circle/kl_divergence", "circle loss"."""
    above, slash, name = value.name.rpartition("/")
    first, space, rest = value.name.partition(" ")
    if not slash and space and first in keys and not value.label:
        return replace(value, label=first, name=rest)
    if not slash or value.label or not name or splits_in(above) or is_metric(above):
        return value
    return replace(value, label=above, name=name, metric=canonical(name))


def _of_one_metric(values: Sequence[Measurement]) -> list[Measurement]:
    """The values, where "Seed 1: 14.2" has the one metric that the same output gives of all seeds."""
    others = {v.metric for v in values if not _PART.fullmatch(v.metric)} - {"time", "step time", "memory"}
    others = {metric for metric in others if not metric.endswith("std")}
    metric = others.pop() if len(others) == 1 else UNNAMED
    return [replace(v, metric=metric, label=v.label or _part(v)) if _PART.fullmatch(v.metric) else v for v in values]


def _part(value: Measurement) -> str:
    found = _PART_OF_LINE.match(value.text)
    return found.group().strip() if found else value.name


def _begin(value: Measurement) -> str:
    """What a line begins with that is no metric, no split and no count; "" where there is none."""
    if value.epoch is not None or value.is_baseline:
        return ""
    found = _BEGIN.match(value.text)
    label = found["label"] if found else ""
    spoken = label.replace("_", " ")
    named = names_in(spoken) or splits_in(spoken) or is_metric(label) or is_aggregate(label) or is_counter(label)
    return "" if not label or named or _NO_NAME.match(label) or label in value.name else label
