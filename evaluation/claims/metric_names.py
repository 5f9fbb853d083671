"""Names of metrics and splits: what people and scripts call them, and which way is better."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Literal

from environment.training.metric_names import is_metric
from tasks_catalog.spec import Direction

Split = Literal["train", "validation", "test", "cv", "hold-out"]
"""Cross-validation and hold-out are validation wherever a run does not measure both."""

GAP = "gap"
"""The distance between the training and the held-out value of a metric."""
_SYNONYMS = {
    "accuracy": r"accurac(?:y|ies)|acc|top-?1|correct rate",
    "loss": r"loss(?:es)?(?! functions?| landscape| weight| scal)|cross[- ]entropy(?! loss)",
    "rmsle": r"rmsle",
    "rmse": r"rmse|root mean squared? error",
    "mse": r"mse|mean squared? error|squared error",
    "mape": r"mape|smape",
    "mae": r"mae|mean absolute error",
    "r2": r"r[2²](?:[ _-]?scores?)?|r[ -]?squared(?: score)?|r\^2",
    "f1": r"f1(?:[ _-]?scores?)?|f-?measure",
    "auc": r"(?:roc[ _-]?)?auc(?:[ _-]?roc)?|auroc",
    "precision": r"(?<!mixed[ -])(?<!half[ -])(?<!full[ -])precision(?! training)",
    "recall": r"recall",
    "perplexity": r"perplexit(?:y|ies)|ppl",
    "bleu": r"bleu(?:[ -]?\d)?(?:[ _-]?scores?)?",
    "rouge": r"rouge(?:-?[l\d])?(?:[ _-]?scores?)?",
    "reward": r"(?:mean |average |total |episode )?rewards?(?:[ _]mean)?|(?:mean |average |total |episode )returns?",
    "win rate": r"win[ _-]?rate",
    "iou": r"iou|jaccard",
    "dice": r"dice(?: coefficient)?",
    "error rate": r"error rate|number of (?:\w+ )?errors|(?:test|val(?:idation)?|train(?:ing)?|hold-?out|held-out|cv|eval(?:uation)?) errors?|wer|cer"
    r"|(?<=the )error(?= (?:has (?:fallen|dropped|risen|decreased|increased)|went|fell|dropped|decreased|increased|rose|is (?:now )?\d|was \d))",
    "correlation": r"correlation|spearman\w*|pearson\w*",
    "feature importance": r"(?:feature )?importance",
    "speedup": r"speed-?up",
    "time": r"(?:training |execution |inference |run(?:ning)? ?|wall[- ]?clock )time|time taken|runtime|latency"
    "|durations?"
    r"|(?<!steps )(?:took|takes|taking|(?:solv|complet|process)\w+ [^.;,\d]{0,30}in|r[ua]ns? (?:in|for)|finish(?:es|ed) in|needs"
    r"|needed)(?= [^.;,]{0,40}(?:\d[\d.,]* ?(?:s|m|ms|secs?|seconds?|min(?:ute)?s?|hours?)|seconds?|minutes?|hours?)\b)"
    r"|(?:took|takes|taking) [^.;,]{0,30}(?:longer|less time|as long)|faster|slower|as fast|as slow|fastest|slowest",
    "memory": r"memory(?: use| usage| consumption)",
    "score": r"scores?",
}
_LOWER_IS_BETTER = {
    GAP, "loss", "rmsle", "rmse", "mse", "mape", "mae", "perplexity", "error rate", "time", "memory", "error", "cost",
}  # fmt: skip
_ERRORS = ("loss", "error", "mse", "mae", "mape", "msle", "deviation", "perplexity")
_NAMES = re.compile(
    r"(?<![a-zA-Z])(?:"
    + "|".join(f"(?P<n{i}>{pattern})" for i, pattern in enumerate(_SYNONYMS.values()))
    + r")(?![a-zA-Z])",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"\b(?:std|stdev|standard deviation|sd)\b", re.IGNORECASE)
_CANONICAL = list(_SYNONYMS)
_MEASURED = (
    r"set|data|dataset|split|examples|samples|performance|scores?|metrics?|results?|accurac\w+|acc|loss(?:es)?"
    r"|rmsle|rmse|mae|mse"
    r"|r2|r²|r-squared|errors?|f1|auc|perplexity|reward|bleu|vs|values?"
)
_SPLITS: dict[Split, re.Pattern[str]] = {
    "train": re.compile(
        rf"(?<![a-z])train(?:ing)?(?=[ _-]*(?:(?:average|mean|final|and|or|/|,|[(:]|\w+ )\W*)?(?:(?:val"
        rf"|valid|validation|test)(?![a-z])|{_MEASURED}|[(:]|\d))"
        r"|(?<=on )train(?:ing)?(?![a-z])|(?<=on the )train(?:ing)?(?! (?:script|process|run))(?![a-z])"
        r"|(?<=for )train(?:ing)?(?=[,.;](?!\w)|\s+and|$)",
        re.IGNORECASE,
    ),
    "validation": re.compile(
        r"(?<![a-z])(?<!cross[- ])(?:val(?:id(?:ation)?)?|dev(?:elopment)?)(?![a-z])", re.IGNORECASE
    ),
    "cv": re.compile(r"(?<![a-z])(?:cv|cross[- ]?validat\w+|oof|out[- ]of[- ]fold)(?![a-z])", re.IGNORECASE),
    "hold-out": re.compile(r"(?<![a-z])(?:held|hold)[- ]?out(?![a-z])", re.IGNORECASE),
    "test": re.compile(
        r"(?<![a-z])(?<!to )(?<!'s )test(?:ing)?(?![a-z])(?! (?:the|whether|if|it|this|different)\b)", re.IGNORECASE
    ),
}


def without_metrics(text: str) -> str:
    """A text without the names of metrics and splits."""
    for pattern in (_NAMES, *_SPLITS.values()):
        text = pattern.sub(" ", text)
    return text


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """One name for all spellings of a metric; an unknown name in lower case, without its split."""
    text = name.replace("_", " ")
    known = next(iter(_NAMES.finditer(text)), None)
    if known:
        return _CANONICAL[int((known.lastgroup or "n0")[1:])] + (" std" if _SPREAD.search(text) else "")
    for pattern in _SPLITS.values():
        text = pattern.sub("", text)
    words = [word for word in re.split(r"[\s=]+", text.lower()) if word and not word.isdigit()]
    return words[-1] if words and is_metric(words[-1]) else " ".join(words)


@lru_cache(maxsize=2048)
def names_in(text: str) -> tuple[tuple[str, int, int], ...]:
    """Metrics named in a text, as (canonical name, start, end)."""
    found = []
    for match in _NAMES.finditer(text):
        spread = " std" if _SPREAD.match(text[match.end() :].lstrip(" _")) else ""
        found.append((_CANONICAL[int((match.lastgroup or "n0")[1:])] + spread, match.start(), match.end()))
    return tuple(found)


def meant(name: str | None, measured: Collection[str]) -> str | None:
    """The metric a name means in this run: "score" or "error" is what the run scores by, unless it prints one."""
    return None if name in ("score", "error rate", "speedup") and name not in measured else name


def split_of(text: str) -> Split | None:
    """The split a text names; ``None`` for none or more than one."""
    found = splits_in(text)
    return found[0][0] if len({split for split, _ in found}) == 1 else None


@lru_cache(maxsize=2048)
def splits_in(text: str) -> tuple[tuple[Split, int], ...]:
    """Splits named in a text with their offsets, in order."""
    found = [(split, match.start()) for split, pattern in _SPLITS.items() for match in pattern.finditer(text)]
    return tuple(sorted(found, key=lambda item: item[1]))


def lower_is_better(metric: str, *, task_metric: str | None = None, direction: Direction | None = None) -> bool:
    """Which way a metric is better; the task's own word goes first."""
    if task_metric and direction and canonical(task_metric) == metric:
        return direction is Direction.MINIMIZE
    return any(word in _LOWER_IS_BETTER or word.endswith(_ERRORS) for word in (metric, *metric.split()))


def display(metric: str, split: str | None) -> str:
    """A metric with its split, as the claims table shows it."""
    return f"{split} {metric}" if split else metric
