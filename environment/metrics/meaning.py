"""Which metric is meant: one name for all its spellings, which way it is better, and on which split it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from environment.metrics.names import Split, is_metric, without_aggregates, without_split
from environment.records import MetricPoint
from tasks_catalog.library.spec import Direction

REPORTED: tuple[Split | None, ...] = ("validation", "test", None, "train")
"""Splits by which a run is followed, best first."""
TUNED_BY: tuple[Split | None, ...] = ("validation", None, "test")
"""Splits by which settings may be chosen, best first: test data last, training data never."""
SHARES = frozenset({"accuracy", "f1", "auc", "precision", "recall", "iou", "dice", "error rate", "win rate", "r2"})
"""Metrics that are a part of one, or of a hundred."""
_SYNONYMS = {
    "accuracy": r"accurac(?:y|ies)|acc|top-?1|prec@1|correct rate"
    r"|(?:more|most|less|least) accurate"
    r"|classif\w+(?= [\d.]+ ?% of [^.]{0,40}\b(?:correctly|right))",
    "loss": r"(?:log)?loss(?:es)?(?! of [\d.]+ in| functions?| landscape| weight| scal)|cross[- ]entropy(?! loss)",
    "rmsle": r"rmsle",
    "mcrmse": r"mcrmse",
    "nrmse": r"nrmse",
    "msle": r"msle",
    "rmse": r"rmse|root mean squared? error",
    "mse": r"mse|mean squared? error|squared error",
    "mape": r"mape|smape",
    "mae": r"mae|mean absolute error",
    "r2": r"r[2²](?:[ _-]?scores?)?|r[ -]?squared(?: score)?|r\^2"
    r"|explain(?:s|ed|ing)(?= [^.;,]{0,20}\d[\d.]* ?% of (?:the )?varia)",
    "f1": r"f1(?:[ _-]?scores?)?|f-?measure",
    "auc": r"(?:roc[ _-]?)?auc(?:[ _-]?roc)?|auroc",
    "precision": r"(?<!mixed[ -])(?<!half[ -])(?<!full[ -])precision(?! training)",
    "recall": r"recall",
    "perplexity": r"perplexit(?:y|ies)|ppl",
    "bleu": r"bleu(?:[ -]?\d)?(?:[ _-]?scores?)?",
    "rouge": r"rouge(?:-?[l\d])?(?:[ _-]?scores?)?",
    "reward": r"(?:mean |average |total |episode )?rewards?(?:[ _]mean)?|(?:mean |average |total |episode )returns?",
    "win rate": r"win[ _-]?rate",
    "kappa": r"(?:quadratic weighted |cohen'?s? )?kappa|qwk",
    "mcc": r"mcc|matthews correlation(?: coefficient)?",
    "ndcg": r"ndcg(?:@\d+)?",
    "mrr": r"mrr|mean reciprocal rank",
    "map": r"mean average precision|auprc",
    "psnr": r"psnr",
    "ssim": r"ssim",
    "fid": r"fid",
    "brier": r"brier(?: score)?",
    "nll": r"nll|negative log[- ]likelihood",
    "bits per byte": r"bpb|bits per byte",
    "bits per character": r"bpc|bits per character",
    "specificity": r"specificity",
    "exact match": r"exact match",
    "iou": r"m?iou|jaccard",
    "dice": r"dice(?: coefficient)?",
    "wer": r"wer|word error rates?",
    "cer": r"cer|character error rates?",
    "error rate": r"error rate|number of (?:\w+ )?errors|(?:test|val(?:idation)?|train(?:ing)?|hold-?out|held-out|cv"
    r"|eval(?:uation)?) errors?"
    r"|(?<=the )error(?= (?:has (?:fallen|dropped|risen|decreased|increased)|went|fell|dropped|decreased|increased"
    r"|rose|is (?:now )?\d|was \d))",
    "correlation": r"correlation|spearman\w*|pearson\w*",
    "feature importance": r"(?:feature )?importance",
    "steps": r"steps?[ _](?:to|until)(?: reach)?(?: \d+ ?%)?|steps?[ _](?:(?:val|train|test)[ _])?acc(?:[ _]\d+)?"
    r"|(?:took|takes|needed|needs) (?:\w+ )?(?:longer|more (?:steps|epochs)) to converge|convergence (?:speed|time"
    r"|rate)|(?:faster|slower|quicker) convergence|(?<=longer to )converge"
    r"|converge[sd]?(?= (?:faster|slower|sooner|later|earlier|more (?:quickly|slowly)))",
    "speedup": r"speed-?up",
    "throughput": r"throughput|(?:tokens|samples|images|steps|examples|sequences|frames|iterations|it)"
    r"(?: per |/| / |_per_)(?:sec(?:ond)?|s)",
    "step time": r"(?:average |mean |avg )?step[ _-](?:time|avg|duration)s?"
    r"|(?:time|milliseconds) ?(?:per|/|a|each) ?(?:\w+ )?(?:step|iteration|batch)"
    r"|(?:each|every|one|an?) (?:\w+ )?(?:step|iteration) (?:now |still )?(?:takes|took|costs?|needs)"
    r"|(?<=\dms )(?:per|a) (?:step|iteration|batch)|(?<= ms )(?:per|a) (?:step|iteration|batch)"
    r"|(?<=[\d ]s )per (?:step|iteration|batch)|(?<=seconds )per (?:step|iteration|batch)",
    "time": r"(?:training |execution |inference |run(?:ning)? ?|wall[- ]?clock )time|time taken|runtime|latency"
    "|durations?"
    r"|(?<!steps )(?:took|takes|taking|(?:solv|complet|process)\w+ [^.;,\d]{0,30}in|r[ua]ns? (?:in|for)|finish(?:es"
    r"|ed) in|needs"
    r"|needed)(?= [^.;,]{0,40}(?:\d[\d.,]* ?(?:s|m|ms|secs?|seconds?|min(?:ute)?s?|hours?)|seconds?|minutes?|hours?)\b)"
    r"|(?:execution|inference|training|running|run) speed(?= [^.;,]{0,40}\d[\d.,]* ?(?:m?s|secs?|seconds?|min(?:ute)?s?"
    r"|hours?)\b)"
    r"|(?:took|takes|taking) [^.;,]{0,30}(?:longer|less time|as long)|(?<!the )(?<!\ba )(?:faster|slower)|as fast"
    r"|as slow|fastest|slowest"
    r"|more slowly|more quickly",
    "memory": r"(?:peak |max(?:imum)? |gpu |cuda )*(?:memory|v?ram)(?: use| usage| consumption| footprint| allocated"
    r"|(?=[^.;,]{0,30}\d[\d.]* ?[mgt]i?b\b))|(?<=[gm]b of )(?:gpu |peak )?memory|(?<=[gm]ib of )(?:gpu |peak )?memory",
    "score": r"scores?|pay-?offs?|fitness",
    "std": r"standard deviations?|std(?:[. ]dev)?",
}
_LOWER_IS_BETTER = {
    "gap", "wer", "cer", "std",
    "mcrmse", "nrmse", "msle", "fid", "brier", "nll", "bits per byte", "bits per character", "ece", "crps", "steps",
    "kl", "deviance", "mase", "rmsse", "wql", "lpips",
    "loss", "rmsle", "rmse", "mse", "mape", "mae", "perplexity", "error rate", "time", "memory", "error", "cost",
}  # fmt: skip
_ERRORS = ("loss", "error", "mse", "mae", "mape", "msle", "deviation", "perplexity", "divergence")
_SPREAD = re.compile(r"\b(?:std|stdev|standard deviation|sd)\b", re.IGNORECASE)
_CANONICAL = list(_SYNONYMS)


@cache
def _names() -> re.Pattern[str]:
    """Every spelling; compiled where a metric is looked for, since most commands look for none."""
    spellings = "|".join(f"(?P<n{i}>{pattern})" for i, pattern in enumerate(_SYNONYMS.values()))
    return re.compile(rf"(?<![a-zA-Z])(?:{spellings})s?(?![a-zA-Z])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """One name for all spellings of a metric; an unknown name in lower case, without its split."""
    text = name.replace("_", " ")
    spread = " std" if _SPREAD.search(text) else ""
    found = (_CANONICAL[int((known.lastgroup or "n0")[1:])] for known in _names().finditer(text))
    known = next((metric for metric in found if metric != "std"), "")
    if known:
        return known + spread
    words = [word for word in re.split(r"[\s=]+", without_split(text).lower()) if word and not word.isdigit()]
    bare = without_aggregates(" ".join(words)).split()
    if bare and is_metric(bare[-1]):
        return bare[-1] + spread
    return "std" if spread and not bare else " ".join(words)


def is_same(name: str, other: str) -> bool:
    """Whether two names are of one metric."""
    return canonical(name) == canonical(other)


@lru_cache(maxsize=2048)
def names_in(text: str) -> tuple[tuple[str, int, int], ...]:
    """Metrics named in a text, as (canonical name, start, end)."""
    found = []
    for match in _names().finditer(text):
        spread = " std" if _SPREAD.match(text[match.end() :].lstrip(" _")) else ""
        found.append((_CANONICAL[int((match.lastgroup or "n0")[1:])] + spread, match.start(), match.end()))
    return tuple(found)


def is_known(metric: str) -> bool:
    """Whether a canonical name is that of a well-known metric, of which everybody knows which way it is better."""
    return metric in _SYNONYMS or metric in _LOWER_IS_BETTER


def lower_is_better(metric: str, *, task_metric: str | None = None, direction: Direction | None = None) -> bool:
    """Which way a metric is better; the task's own word goes first."""
    if task_metric and direction and is_same(task_metric, metric):
        return direction is Direction.MINIMIZE
    return any(word in _LOWER_IS_BETTER or word.endswith(_ERRORS) for word in (metric, *metric.split()))


def values_of(metric: str, points: Iterable[MetricPoint]) -> list[MetricPoint]:
    """The points of a metric, as it is spelled where a point has that spelling."""
    points = list(points)
    spelled = [point for point in points if _plain(point.name) == _plain(metric)]
    return spelled or [point for point in points if is_same(point.name, metric)]


def last_value(points: Sequence[MetricPoint], splits: Sequence[Split | None]) -> MetricPoint | None:
    """The last point on the first of the splits that has any."""
    for split in splits:
        found = [point for point in points if point.split == split]
        if found:
            return found[-1]
    return None


def without_names(text: str) -> str:
    """A text without the names of metrics."""
    return _names().sub(" ", text)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
