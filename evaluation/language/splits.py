"""Names of splits in prose, and the metric a name means in a run."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Literal

from environment.metrics.meaning import without_names

Split = Literal["train", "validation", "test", "cv", "hold-out"]
"""Cross-validation and hold-out are validation wherever a run does not measure both."""

GAP = "gap"
"""The distance between the training and the held-out value of a metric."""
TIMES = frozenset({"time", "step time"})
"""Metrics that are durations, of whatever data."""
_SHORTEST = 3
"""Letters from which an unknown name is looked for in prose; the shortest must be whole words ("MRR")."""
_MEASURED = (
    r"set|data|dataset|split|examples|samples|performance|scores?|metrics?|results?|accurac\w+|acc|loss(?:es)?"
    r"|(?:mc|n)?rmsle|(?:mc|n)?rmse|mae|mse|s?mape|dice|iou|wer|cer|kappa|log[- ]?loss"
    r"|r2|r²|r-squared|errors?|f1|auc|perplexity|reward|bleu|vs|values?"
)
_SPLITS: dict[Split, re.Pattern[str]] = {
    "train": re.compile(
        rf"(?<![a-z])train(?:ing)?(?=[ _-]*(?:(?:average|mean|final|and|or|/|,|[(:]|\w+ )\W*)?(?:(?:val"
        rf"|valid|validation|test)(?![a-z])|{_MEASURED}|[(:]|\d))"
        r"|(?<=\()train(?:ing)?(?=\))"
        r"|(?<=on )train(?:ing)?(?![a-z])|(?<=on the )train(?:ing)?(?! (?:script|process|run))(?![a-z])"
        r"|(?<=for )train(?:ing)?(?=[,.;](?!\w)|\s+and|$)",
        re.IGNORECASE,
    ),
    "validation": re.compile(
        r"(?<![a-z])(?<!cross[- ])(?:val(?:id(?:ation)?)?|dev(?:elopment)?)(?![a-z])", re.IGNORECASE
    ),
    "cv": re.compile(r"(?<![a-z])(?:cv|cross[- ]?validat\w+|oof|out[- ]of[- ]fold)(?![a-z])", re.IGNORECASE),
    "hold-out": re.compile(r"(?<![a-z])(?:held|hold)[- ]?out(?![a-z])(?![- ](?:test|val|dev))", re.IGNORECASE),
    "test": re.compile(
        r"(?<![a-z])(?<!to )(?<!let['’]s )test(?:ing)?(?![a-z])(?! (?:the|whether|if|it|this|different)\b)",
        re.IGNORECASE,
    ),
}


@lru_cache(maxsize=2048)
def without_metrics(text: str) -> str:
    """A text without the names of metrics and splits."""
    text = without_names(text)
    for pattern in _SPLITS.values():
        text = pattern.sub(" ", text)
    return text


def meant(name: str | None, measured: Collection[str]) -> str | None:
    """The metric a name means in this run: "score" or "error" is what the run scores by, unless it prints one."""
    return None if name in ("score", "error rate", "speedup") and name not in measured else name


def place_of(name: str, lowered: str) -> int:
    """Where a metric that only this run knows stands in a text in lower case; -1 where it does not."""
    if len(name) < _SHORTEST or name not in lowered:
        return -1
    found = _whole(name).search(lowered)
    return found.start() if found else -1


@lru_cache(maxsize=2048)
def _whole(name: str) -> re.Pattern[str]:
    """A name that is no part of a longer word: "drop", and not "dropout"."""
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?:e?[sd])?(?![^\W_])")


def split_of(text: str) -> Split | None:
    """The split a text names; ``None`` for none or more than one."""
    found = splits_in(text)
    return found[0][0] if len({split for split, _ in found}) == 1 else None


@lru_cache(maxsize=2048)
def splits_in(text: str) -> tuple[tuple[Split, int], ...]:
    """Splits named in a text with their offsets, in order."""
    found = [(split, match.start()) for split, pattern in _SPLITS.items() for match in pattern.finditer(text)]
    return tuple(sorted(found, key=lambda item: item[1]))


def display(metric: str, split: str | None) -> str:
    """A metric with its split, as the claims table shows it."""
    return f"{split} {metric}" if split else metric
