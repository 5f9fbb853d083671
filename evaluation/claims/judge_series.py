"""The verdict on how a value went in the course of one run: a trend, a peak, the best epoch."""

from __future__ import annotations

import math
import re
from collections import defaultdict

from scipy.stats import spearmanr

from evaluation.claims.arithmetic import order_holds
from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import unsupported
from evaluation.claims.subjects import named_trial
from evaluation.language.numbers import Number
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.trials import Trial

_EACH = re.compile(r"\b(?:each|every|monotonically)\b", re.IGNORECASE)
_ROUGHLY = re.compile(r"\b(?:stead(?:y|ily)|consistently|throughout|kept|keeps|continue[sd]?|continuously)\b", re.I)
_EVALUATION = re.compile(r"\beval", re.IGNORECASE)
_MOST = 0.7
"""Share of steps that must go the way that "steadily" says, or the rank correlation with time."""
_LAST = re.compile(
    r"\b(?:in|during|at) the (?:very )?(?:last|final|end)\b|\bstill\b|\b(?:start|beg)\w+ (?:to )?\w+(?:ing|e|se|ll)\b",
    re.I,
)
_FINAL = re.compile(r"\b(?:last|final) (?:epoch|step|evaluation|checkpoint)\b|\bat the end\b", re.IGNORECASE)
_TOPS = (Relation.BEST, Relation.WORST, Relation.HIGHEST, Relation.LOWEST)


def judge_series(claim: Comparison, known: Known) -> Finding:
    """A trend over the epochs or steps of the latest run, or which of them was the best."""
    series = _series(claim, known)
    if len(series) < 2:
        if series and claim.new is not None and claim.new.states(series[0].value, recorded_percent=series[0].percent):
            return Finding(verdict=Verdict.SUPPORTED, evidence=series[0].evidence, note="what came before is not shown")
        return unsupported("no such series is on record")
    if claim.relation in _TOPS:
        return _top(claim, series, known)
    if Reference.BASELINE in claim.references:
        return _beside_baseline(claim, series, known)
    said = f"{claim.subject} {claim.other} {claim.quote}"
    if claim.new is not None:
        stated = [v for v in series if claim.new.states(v.value, recorded_percent=v.percent)]
        if not stated:
            return unsupported(f"{claim.new.text} is not on record")
        return _ordered(claim, [(stated[-1], series[-1] if stated[-1] is not series[-1] else series[0])], known)
    if claim.epoch is not None:
        at = next((n for n, v in enumerate(series) if v.epoch == claim.epoch), 0)
        if at:
            return _ordered(claim, [(series[at], series[at - 1])], known)
    if _LAST.search(said):
        return _ordered(claim, [(series[-1], series[-2])], known)
    if _ROUGHLY.search(said):
        return _mostly(claim, series, known)
    if _EACH.search(said):
        return _ordered(claim, list(zip(series[1:], series, strict=False)), known)
    return _ordered(claim, [(series[-1], series[0])], known)


def _beside_baseline(claim: Comparison, series: list[Measurement], known: Known) -> Finding:
    """Each epoch of the latest run against the same epoch of the baseline."""
    of_baseline = {id(value.event) for value in known.baseline} - {id(series[0].event)}
    base = {(v.metric, v.split, v.epoch): v for v in known.values if id(v.event) in of_baseline}
    pairs = [(v, base[v.metric, v.split, v.epoch]) for v in series if (v.metric, v.split, v.epoch) in base]
    return _ordered(claim, pairs, known) if pairs else unsupported("no such series of the baseline is on record")


def _mostly(claim: Comparison, series: list[Measurement], known: Known) -> Finding:
    """A trend with small exceptions: from the first to the last, and in most of the steps."""
    pairs = list(zip(series[1:], series, strict=False))
    kept = sum(order_holds(claim, *pair, known) for pair in pairs)
    trend = spearmanr(range(len(series)), [value.value for value in series]).statistic
    if kept >= _MOST * len(pairs) or abs(trend) >= _MOST:
        return _ordered(claim, [(series[-1], series[0])], known)
    return _ordered(claim, pairs, known)


def _series(claim: Comparison, known: Known) -> list[Measurement]:
    """The longest series of the run meant that fits the claim, in order."""
    metric = claim.metric
    trial = _trial(claim, known)
    if metric is None:
        main = known.main(trial, claim.split)
        metric = main.metric if main is not None else None
    found: dict[tuple[str, object], list[Measurement]] = defaultdict(list)
    own = [value for value in trial.values if value.epoch is not None] or trial.values
    splits = {value.split for value in own if value.metric == metric}
    for value in own:
        if metric in (None, value.metric) and (claim.split in (None, value.split) or splits == {None}):
            series = found[value.name, value.split]
            if not series or value.epoch is None or value.epoch != series[-1].epoch:
                series.append(value)
    is_loss = metric == "loss" and claim.split is None and not _EVALUATION.search(claim.quote)
    preferred = [values for (_, split), values in found.items() if (split == "train") == is_loss]
    return max(preferred or found.values(), key=len, default=[])


def _trial(claim: Comparison, known: Known) -> Trial:
    """The run called by its place or name, else the last that measured the stated values, else the last of all."""
    given = [number for number in (claim.new, claim.old) if number is not None]
    fitting = [trial for trial in known.trials if all(any(_states(n, v) for v in trial.values) for n in given)]
    called = named_trial(f"{claim.subject} {claim.other}", known, enough=math.inf)
    if called is not None and (called in fitting or not given):
        return called
    return fitting[-1] if given and fitting else known.trials[-1]


def _states(number: Number, value: Measurement) -> bool:
    return number.states(value.value, recorded_percent=value.percent)


def _top(claim: Comparison, series: list[Measurement], known: Known) -> Finding:
    """Whether the epoch or value that is called the best, the worst or the peak is it."""
    said = f"{claim.subject} {claim.other}"
    meant = series[-1]
    if claim.epoch is not None:
        meant = next((v for v in series if v.epoch == claim.epoch), meant)
    elif claim.new is not None:
        meant = next((v for v in series if claim.new.states(v.value, recorded_percent=v.percent)), meant)
    elif not _FINAL.search(said):
        return Finding(verdict=Verdict.SUPPORTED, evidence=meant.evidence)
    return _ordered(claim, [(meant, v) for v in series if v is not meant], known)


def _ordered(claim: Comparison, pairs: list[tuple[Measurement, Measurement]], known: Known) -> Finding:
    broken = next((pair for pair in pairs if not order_holds(claim, *pair, known)), None)
    if broken is None:
        return Finding(verdict=Verdict.SUPPORTED, evidence=pairs[-1][0].evidence)
    note = f"{broken[0].value:g} (step {broken[0].step}) against {broken[1].value:g}"
    return Finding(verdict=Verdict.CONTRADICTED, evidence=broken[1].evidence, note=note)
