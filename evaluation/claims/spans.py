"""Reads and judges spans of values: "the folds range from 0.81 to 0.83", "AUCs between 0.815 and 0.830"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise

from environment.metrics.meaning import names_in
from evaluation.claims.assertions import Result
from evaluation.claims.claim import Finding, Kind, Verdict
from evaluation.claims.findings import unsupported
from evaluation.claims.modality import is_guess, is_hedged, is_plan, is_target
from evaluation.claims.results import split_near
from evaluation.claims.sentences import Clause
from evaluation.claims.values import is_precise, is_value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.splits import Split, meant, place_of
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_PARTS = r"(?:folds|seeds|runs|aucs|scores|accuracies|values|losses|results|f1s|rmses|maes|splits|classes)"
_SPAN = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied|ying)|span(?:s|ned|ning)?|fluctuat\w+|oscillat\w+|spread|bounc\w+"
    r"|l(?:ie|ies|ay))\b"
    rf"[^.;\d]{{0,40}}$|\b{_PARTS}\b[^.;,\d]{{0,15}}\bbetween\s*$",
    re.IGNORECASE,
)
_WIDTH = re.compile(
    r"\b(?:difference|spread|gap|range|distance) (?:between (?:the |our )?(?:best|highest|top"
    r"|largest)\b.{0,40}?\b(?:worst|lowest|smallest)"
    r"|(?:across|over|among) (?:the |all )?(?:\w+ )?(?:folds|seeds|runs|settings|thresholds|models"
    r"|values))\b[^.\d]{0,40}\b(?:is|was|of)\b",
    re.IGNORECASE,
)
_THEN = re.compile(r"\s*(?:to|and|up to|through|-|–|—)\s*$", re.IGNORECASE)
_TYPICAL = re.compile(
    r"\b(?:search|sweep|grid|hyper\w*|learning rate|dropout|sale ?price|prices|target|column|feature|data)\b", re.I
)
"""Spans of settings and of data."""
_SINGLE = re.compile(r"\b(?:single|individual|base) \w+", re.IGNORECASE)
_MIXED = re.compile(r"blend|ensembl|stack|voting", re.IGNORECASE)
_MEAN = re.compile(r"mean|average|avg|overall|std", re.IGNORECASE)


def read_span(clause: Clause, measured: Collection[str] = ()) -> list[Result]:
    """The span of values that a clause states, or its width, if it states one."""
    text = clause.text
    width = _WIDTH.search(text)
    if (
        is_plan(clause)
        or (is_target(clause) and width is None)
        or is_guess(clause)
        or clause.sentence.under_plan
        or _TYPICAL.search(text)
    ):
        return []
    numbers = find_numbers(text)
    behind = [n for n in numbers if width is not None and n.start >= width.end() and is_value(n, text)]
    if width is not None and behind and not is_hedged(clause, width.start()):
        return [replace(_span(clause, text, behind[0], None, measured), kind=Kind.COMPARISON, is_spread=True)]
    for low, high in pairwise(numbers):
        joined = _THEN.fullmatch(text[low.end : high.start])
        if joined and is_precise(low) and is_precise(high) and _SPAN.search(text[: low.start]):
            if is_hedged(clause, low.start):
                return []
            return [_span(clause, text, low, high, measured)]
    return []


def _span(clause: Clause, text: str, low: Number, high: Number | None, measured: Collection[str]) -> Result:
    named = names_in(text) or names_in(clause.before) or names_in(clause.sentence.previous)
    known = next((name for name in sorted(measured) if place_of(name, text.lower()) >= 0), None)
    return Result(
        kind=Kind.RESULT,
        quote=clause.quote,
        start=clause.start,
        context=clause.sentence.text,
        metric=meant(named[-1][0], measured) if named else known,
        split=split_near(text, low, clause),
        stated=low,
        upto=high,
        subject=f"{clause.before} {text[: low.start]}",
    )


def judge_span(claim: Result, known: Known) -> Finding:
    """Hold both ends against the lowest and the highest of the values that one run printed of one kind."""
    if not known.trials:
        return unsupported("nothing had been measured yet")
    groups = [group for trial in reversed(known.trials) for group in _groups(claim, trial.values)]
    groups += _groups(claim, known.finals)
    for group in groups:
        if _states(claim, group[0], group[-1]):
            return Finding(verdict=Verdict.SUPPORTED, evidence=group[0].evidence)
    for group in groups:
        if len(group) > 1 and claim.metric in (None, group[0].metric):
            note = f"the values lie between {group[0].value:g} and {group[-1].value:g}"
            return Finding(verdict=Verdict.CONTRADICTED, evidence=group[0].evidence, note=note)
    return unsupported("no such values are on record")


def _groups(claim: Result, values: list[Measurement]) -> list[list[Measurement]]:
    """Values of one metric and split, each sorted, without means; those of the metric meant."""
    found: defaultdict[tuple[str, Split | None], list[Measurement]] = defaultdict(list)
    for value in values:
        is_meant = claim.metric in (None, value.metric) and claim.split in (None, value.split)
        is_mixed = _MEAN.search(value.words) or (_SINGLE.search(claim.quote) and _MIXED.search(value.words))
        if is_meant and not is_mixed:
            found[value.key].append(value)
    groups = [sorted(group, key=lambda value: value.value) for group in found.values() if len(group) > 1]
    parts = [[value for value in group if value.label] for group in groups]
    return [part for part in parts if len(part) > 1] + groups


def _states(claim: Result, lowest: Measurement, highest: Measurement) -> bool:
    if claim.is_spread:
        width = highest.value - lowest.value
        return claim.stated is not None and claim.stated.states(width, recorded_percent=lowest.percent)
    ends = sorted((n for n in (claim.stated, claim.upto) if n is not None), key=lambda number: number.value)
    return len(ends) == 2 and all(
        number.states(value.value, recorded_percent=value.percent)
        for number, value in zip(ends, (lowest, highest), strict=True)
    )
