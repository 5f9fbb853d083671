"""Comparisons part by part, where every run prints a metric for several data sets, tasks or targets.

"Better on circle, worse on moons" holds each part against its own earlier value; what is said of the whole run is held
against most of its parts, and what is said of all of them against every one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from environment.metrics.meaning import names_in
from evaluation.claims.arithmetic import order_holds
from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.relations import RELATION, stated_absence
from evaluation.claims.subjects import numbered_run
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import TIMES
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.trials import Trial, words_of

_NUMBERED = re.compile(r"\bruns? #?(\d+)(?:(?:,| and|,? or|/| &)+ (?:run )?#?(\d+))?\b", re.IGNORECASE)
_START_TO_END = re.compile(r"(\bfrom\b.{1,40}?)\bto\b.*", re.IGNORECASE)
_BASELINE = re.compile(r"\bbaseline\b|\brun 0\b", re.IGNORECASE)
_EARLIER = re.compile(r"\b(?:previous|earlier|prior|other|all) (?:\w+ )?runs\b", re.IGNORECASE)
_ALL = re.compile(
    r"\b(?:all|every|each|any)(?: of)?(?: the| our)?(?: (?:\w+ )?)(?:data ?sets?|tasks?|targets?|columns?|operations?"
    r"|problems?|environments?|games?|languages?|classes)\b|\bacross (?:the )?(?:data ?sets|tasks|board)\b",
    re.IGNORECASE,
)
_SOME = re.compile(r"\b(?:some|several|a few|certain|one of the|mixed)\b", re.IGNORECASE)
_OR_ALIKE = re.compile(
    r"\b(?:or (?:is |are |remain\w* |stay\w* )?(?:comparable|similar|maintain\w*|equal|unchanged|on par)"
    r"|(?:maintain\w*|comparable|similar|kept) or)\b",
    re.IGNORECASE,
)
_SEGMENT = re.compile(r"[;,]\s|\b(?:but|while|whereas|although|though|and (?=makes?|made|worse|better|slightly))\b")
_PIECE = re.compile(r"[.;]\s|\bbut\b|\bwhile\b")
_OVERALL = re.compile(r"\b(?:overall|approach|method|model|strategy|tasks|data ?sets|experiments?|in general)\b", re.I)
_SIDE = re.compile(r"loss|time|step|gap|error rate|memory|std", re.IGNORECASE)
_PERFECT = (0.0, 1.0, 100.0)
"""Values that leave no room for "improved"."""
_ALIKE = 0.1
"""Part by which values of a part may differ that are called comparable; each varies from run to run."""
_SUPERLATIVE = (Relation.BEST, Relation.WORST, Relation.HIGHEST, Relation.LOWEST)
_ORDINARY = {Reference.BASELINE, Reference.PREVIOUS, Reference.ALL, Reference.BEST}


class _Pair(NamedTuple):
    new: Measurement
    old: Measurement


def judge_parts(claim: Comparison, known: Known) -> Finding | None:
    """The verdict by parts; ``None`` where the runs have no parts, or something else is compared."""
    if claim.number is not None or claim.relation in _SUPERLATIVE or claim.factor is not None or claim.other_split:
        return None
    newest = _meant_run(claim, known)
    if not _labels(list(newest.finals.values())):
        return None
    olds = _referred(claim, newest, known)
    metric = _metric(claim, newest, known)
    if olds is None or metric is None:
        return None
    broken: list[_Pair] = []
    pairs: list[_Pair] = []
    for piece, labels in _pieces(claim, newest):
        for old in olds:
            own = list(_pairs(piece, metric, labels, newest, old))
            off = [pair for pair in own if not _holds(piece, pair, known)]
            pairs += own
            broken += off if labels or not _is_excused(piece, own, off) else []
    if not pairs:
        return None
    if broken:
        new, old_value = broken[0]
        note = f"{new.label}: {new.value:g} (step {new.step}) against {old_value.value:g} (step {old_value.step})"
        return Finding(verdict=Verdict.CONTRADICTED, evidence=new.evidence, note=note)
    return Finding(verdict=Verdict.SUPPORTED, evidence=pairs[-1].new.evidence, note=f"by {len(pairs)} parts")


def _meant_run(claim: Comparison, known: Known) -> Trial:
    """The run that the claim is about: the one its subject numbers, else the last."""
    told = _NUMBERED.search(claim.subject)
    return (numbered_run(int(told[1]), known) if told and not told[2] else None) or known.trials[-1]


def _labels(values: list[Measurement]) -> set[str]:
    """The names of the parts that values are given for; none where there is but one."""
    labels = {value.label for value in values if value.label and not any(c.isdigit() for c in value.label.split()[-1:])}
    return labels if len(labels) > 1 else set()


def _referred(claim: Comparison, newest: Trial, known: Known) -> list[list[Measurement]] | None:
    """The values of every run that is compared with; ``None`` where one is not known, or is something else."""
    told = [value for value in known.told if value.label]
    text = _START_TO_END.sub(r"\1", claim.other)
    numbers = [int(n) for found in _NUMBERED.finditer(text) for n in found.groups() if n]
    runs = [t for n in dict.fromkeys(numbers) if n and (t := numbered_run(n, known)) and t is not newest]
    found = [list(run.finals.values()) for run in runs]
    text = f"{text} {claim.quote}"
    before = [list(t.finals.values()) for t in known.trials[: known.trials.index(newest)]]
    base = told or (before[0] if before else [])
    if _BASELINE.search(text) or Reference.BASELINE in claim.references:
        found.append(base)
    if not found and (_EARLIER.search(text) or Reference.ALL in claim.references):
        found = [told, *before] if told else before
    if not found and not ({Reference.NAMED, Reference.WITHIN} & set(claim.references)):
        found = before[-1:] or [told]
    found = [values for values in found if _labels(values)]
    return found or None


def _metric(claim: Comparison, newest: Trial, known: Known) -> str | None:
    """The metric meant; "performance" is the one of the sentence before, or the first that is no loss or duration."""
    own = [value.metric for value in newest.finals.values() if value.label]
    if claim.metric is not None:
        return claim.metric if claim.metric in own else None
    spoken = [m for m in dict.fromkeys(own) if re.search(rf"\b{re.escape(m)}\b", claim.context, re.IGNORECASE)]
    spoken = [m for m in [*spoken, *(name for name, _, _ in names_in(claim.context) if name in own)] if m not in TIMES]
    main = known.log.metric if known.log.metric in own else None
    return next(iter(spoken), None) or main or next((m for m in own if not _SIDE.search(m)), None)


def _pieces(claim: Comparison, newest: Trial) -> Iterator[tuple[Comparison, set[str]]]:
    """The clause, or its pieces that name parts and have a word of order of their own."""
    known = _labels(list(newest.finals.values()))
    ends = [0, *(m.start() for m in _SEGMENT.finditer(claim.quote)), len(claim.quote)]
    pieces = [claim.quote[a:b] for a, b in itertools.pairwise(ends)]
    told = [(piece, RELATION.search(piece), _named(piece, known)) for piece in pieces]
    if sum(bool(match and labels) for _, match, labels in told) < 2:
        yield claim, _named(claim.quote, known) or _spoken_of(claim, known)
        return
    for piece, match, labels in told:
        if match and labels:
            relation = Relation[str(match.lastgroup)]
            relation = relation.denied if stated_absence(piece[: match.start()], match.group()) else relation
            yield replace(claim, quote=piece, relation=relation), labels


def _spoken_of(claim: Comparison, labels: set[str]) -> set[str]:
    """The one part that the words before the claim speak of, where the claim itself says no "all"."""
    head = claim.context[: max(0, claim.context.find(claim.quote.strip()))]
    named = [found for piece in _PIECE.split(head) if (found := _named(piece, labels))]
    is_of_whole = _ALL.search(claim.quote) or _OVERALL.search(claim.quote) or not named or len(named[-1]) > 1
    return set() if is_of_whole else named[-1]


def _named(text: str, labels: set[str]) -> set[str]:
    """The parts that a text names, or all where it says so."""
    words = text.lower().replace("'", " ")
    return {name for name in labels if re.search(rf"(?<![\w]){re.escape(name.lower())}(?![\w])", words)}


def _pairs(claim: Comparison, metric: str, labels: set[str], newest: Trial, old: list[Measurement]) -> Iterator[_Pair]:
    """Values of the newest run with those of the same part in another."""
    said = set(words_of(claim.quote))
    for value in newest.finals.values():
        if value.metric != metric or not value.label or (labels and value.label not in labels):
            continue
        if claim.split not in (None, value.split) or (claim.split is None and value.split == "train"):
            continue
        if not _is_called(value, said):
            continue
        same = [
            v for v in old if (v.metric, v.label, v.split, v.name) == (metric, value.label, value.split, value.name)
        ]
        if same:
            yield _Pair(value, same[-1])


def _is_called(value: Measurement, said: set[str]) -> bool:
    """Whether a duration is the one spoken of: that of training, unless inference is named."""
    of_inference = "infer" in value.name
    if value.metric != "time" or not said & {"inference", "training", "train"}:
        return True
    return "inference" in said if of_inference else bool(said & {"training", "train"})


def _holds(claim: Comparison, pair: _Pair, known: Known) -> bool:
    new, old = pair
    if new.value == old.value in _PERFECT and claim.relation in (Relation.BETTER, Relation.HIGHER, Relation.LOWER):
        return True
    apart = abs(new.value - old.value) / (max(abs(new.value), abs(old.value)) or 1.0)
    if claim.relation is Relation.SIMILAR or _OR_ALIKE.search(claim.quote):
        return apart <= _ALIKE or (claim.relation is not Relation.SIMILAR and order_holds(claim, new, old, known))
    return order_holds(claim, new, old, known)


def _is_excused(claim: Comparison, own: list[_Pair], off: list[_Pair]) -> bool:
    """Whether what is said of the whole may fail for some parts: for most of them it must hold, unless it says all."""
    if _ALL.search(claim.quote) and not (claim.share and find_numbers(claim.share)):
        return False
    if claim.share and find_numbers(claim.share):
        return len(own) - len(off) == find_numbers(claim.share)[0].value
    return len(off) < len(own) if _SOME.search(claim.quote) else 2 * len(off) < len(own)
