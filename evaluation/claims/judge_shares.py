"""The verdict on what is said of all or some: "none of them beat the baseline", "three of the four folds improved"."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluation.claims.arithmetic import order_holds
from evaluation.claims.assertions import Comparison, Reference
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import unsupported
from evaluation.claims.references import is_comparable, references
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_MEAN = re.compile(r"mean|average|avg|overall", re.IGNORECASE)
Pair = tuple[Measurement, Measurement]


def judge_share(claim: Comparison, new: Measurement, known: Known) -> Finding:
    """Hold each of the values meant against its own reference, and count."""
    siblings = _siblings(claim, new, known)
    pairs = siblings or _attempts(claim, new, known)
    if not pairs:
        missing = (
            "no comparable baseline value" if Reference.BASELINE in claim.references else "nothing to compare with"
        )
        return unsupported(f"{missing} is on record")
    broken = [pair for pair in pairs if not order_holds(claim, *pair, known)]
    said = find_numbers(claim.share)
    if siblings and said:
        if len(pairs) - len(broken) == said[0].value:
            return Finding(verdict=Verdict.SUPPORTED, evidence=pairs[-1][0].evidence)
        return _refuted(pairs[-1], f"it holds for {len(pairs) - len(broken)} of {len(pairs)}")
    if not broken:
        return Finding(verdict=Verdict.SUPPORTED, evidence=pairs[-1][0].evidence)
    if claim.hedged:
        return Finding(verdict=Verdict.UNCHECKABLE, note="depends on what the degree means")
    return _refuted(broken[0], "")


def judge_bound_of_all(claim: Comparison, bound: Number, known: Known) -> Finding | None:
    """Whether all, or as many as said, of the values of the latest run lie beyond a number; ``None`` of one value."""
    latest = known.main(known.trials[-1], claim.split, claim.metric)
    if latest is None or {Reference.BASELINE, Reference.NAMED} & set(claim.references):
        return None
    values = [
        v for v in known.trials[-1].finals.values() if v.metric == latest.metric and v.split in (latest.split, None)
    ]
    parts = [v for v in values if not _MEAN.search(v.words)]
    if len(parts) < 2:
        return None
    limits = [replace(v, value=_in_units_of(bound, v)) for v in parts]
    held = [v for v, limit in zip(parts, limits, strict=True) if order_holds(claim, v, limit, known)]
    said = find_numbers(claim.share)
    wanted = said[0].value if said else 0 if claim.negated else len(parts)
    if len(held) == wanted:
        return Finding(verdict=Verdict.SUPPORTED, evidence=parts[-1].evidence)
    odd = next((v for v in parts if v not in held), parts[-1])
    note = f"it holds for {len(held)} of {len(parts)}"
    return Finding(verdict=Verdict.CONTRADICTED, evidence=odd.evidence, note=note)


def _in_units_of(bound: Number, value: Measurement) -> float:
    """A bound in percent, or as a fraction, on the scale of a value."""
    if bound.percent_like and not value.percent and abs(value.value) <= 1:
        return bound.value / 100
    if not bound.percent_like and abs(bound.value) <= 1 and value.percent:
        return bound.value * 100
    return bound.value


def _refuted(pair: Pair, note: str) -> Finding:
    a, b = pair
    note = note or f"{a.value:g} (step {a.step}) against {b.value:g} (step {b.step})"
    return Finding(verdict=Verdict.CONTRADICTED, evidence=a.evidence, note=note)


def _siblings(claim: Comparison, new: Measurement, known: Known) -> list[Pair]:
    """The folds, targets or settings of the latest run, each with the same one of an earlier run or the baseline."""
    own = [v for v in known.trials[-1].finals.values() if v.metric == new.metric and v.split in (new.split, None)]
    parts = [v for v in own if not _MEAN.search(v.words)]
    if len(parts) < 2 or claim.negated:
        return []
    pairs = []
    for part in parts:
        earlier = [v for v in known.finals if v.step < part.step and is_comparable(v, part)]
        same = [v for v in earlier if v.words == part.words]
        base = [v for v in earlier if v in known.baseline]
        reference = same or base
        if reference:
            pairs.append((part, reference[-1]))
    return pairs if len(pairs) > 1 else []


def _attempts(claim: Comparison, new: Measurement, known: Known) -> list[Pair]:
    """Every attempt against the baseline, against what is named, or against the one before."""
    baseline = [v for v in known.baseline if is_comparable(v, new) and v is not new][-1:]
    attempts = [v for v in known.finals if known.comparable(v, new) and v not in known.baseline]
    if claim.references == (Reference.NAMED,):
        held_against = references(claim, new, known)[-1:]
        return [(v, held_against[0]) for v in attempts if v.event is not held_against[0].event] if held_against else []
    if Reference.BASELINE in claim.references or claim.negated:
        return [(attempt, baseline[0]) for attempt in attempts] if baseline else []
    ordered = [*baseline, *attempts]
    return list(zip(ordered[1:], ordered, strict=False))
