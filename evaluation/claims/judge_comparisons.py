"""The verdict on an order or a difference between results."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from evaluation.claims.arithmetic import difference_holds, order_holds
from evaluation.claims.assertions import Comparison, Reference
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.events import EventKind
from evaluation.claims.findings import unsupported
from evaluation.claims.measurements import Measurement
from evaluation.claims.numbers import Number
from evaluation.claims.references import is_comparable, newer, references, stating
from evaluation.claims.run_model import Known

_EACH = re.compile(r"\b(?:each|every|steadily|monotonically|consistently)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:in|during|at) the (?:last|final) epoch\b", re.IGNORECASE)


def judge_comparison(claim: Comparison, known: Known) -> Finding:
    """Find the newer value and what it is compared with, then check order and arithmetic."""
    if not known.trials:
        return unsupported("nothing had been measured yet")
    if claim.splits:
        findings = [judge_comparison(replace(claim, split=split, splits=()), known) for split in claim.splits]
        return next((finding for finding in findings if finding.verdict is not Verdict.SUPPORTED), findings[-1])
    measured = claim.old is not None and bool(stating(replace(claim.old, bound=""), claim, known))
    if claim.threshold and claim.old is not None and (claim.is_goal or not measured):
        return _bound(claim, claim.old, known)
    missing = next((n for n in (claim.new, claim.old) if n is not None and not stating(n, claim, known)), None)
    if missing is not None:
        return unsupported(f"{missing.text} is not on record")
    if claim.number is None and not claim.references and _died(known):
        return unsupported("the last run ended before it measured anything")
    if claim.new is None and claim.old is None and Reference.WITHIN in claim.references:
        return _within(claim, known)
    new = newer(claim, known)
    if new is None:
        return unsupported("no such value on record")
    if claim.every:
        return _every(claim, new, known)
    held_against = references(claim, new, known)
    return _compare(claim, new, held_against, known) if held_against else unsupported(_missing(claim))


def _bound(claim: Comparison, bound: Number, known: Known) -> Finding:
    """The latest value against a bound that nobody measured."""
    latest = newer(claim, known)
    if latest is None:
        return unsupported("no such value on record")
    value = latest.value
    if bound.percent_like and not latest.percent and abs(value) <= 1:
        value *= 100
    elif not bound.percent_like and abs(bound.value) <= 1 and latest.percent:
        value /= 100
    return _compare(claim, replace(latest, value=value), [replace(latest, value=bound.value)], known)


def _died(known: Known) -> bool:
    """Whether the latest run failed without measuring anything."""
    run = next(iter(known.of_kind(EventKind.RUN)), None)
    return run is not None and not run.succeeded and all(trial.event is not run for trial in known.trials)


def _missing(claim: Comparison) -> str:
    if Reference.BASELINE in claim.references:
        return "no comparable baseline value is on record" if claim.old is None else "the number is not the baseline's"
    return "there is nothing to compare with"


def _compare(claim: Comparison, new: Measurement, held_against: list[Measurement], known: Known) -> Finding:
    wrong = _wrong_reference(claim, new, held_against[-1], known)
    if wrong is not None:
        return wrong
    best_first = sorted(held_against, key=lambda v: v.value, reverse=not known.lower_is_better(new.metric))
    broken = next((ref for ref in best_first if not order_holds(claim, new, ref, known)), None)
    if broken is not None:
        if claim.hedged and known.better(new.value, broken.value, new.metric):
            return Finding(verdict=Verdict.UNCHECKABLE, note="depends on what the degree means")
        return _refuted(broken, f"{_at(new)} against {_at(broken)}")
    bases = _bases(claim, new, held_against, known)
    if claim.delta is not None and not any(difference_holds(claim, new, base) for base in bases):
        return _refuted(new, f"{_at(new)} and {_at(held_against[-1])} do not differ by {claim.delta.text}")
    return Finding(
        verdict=Verdict.SUPPORTED,
        evidence=new.evidence,
        note=f"{new.value:g} against {held_against[-1].value:g} of step {held_against[-1].step}",
    )


def _at(value: Measurement) -> str:
    return f"{value.value:g} (step {value.step})"


def _refuted(by: Measurement, note: str) -> Finding:
    return Finding(verdict=Verdict.CONTRADICTED, evidence=by.evidence, note=note)


def _bases(claim: Comparison, new: Measurement, held_against: list[Measurement], known: Known) -> list[Measurement]:
    """Values from which a stated difference may be counted; where the claim names none, any earlier one."""
    if claim.old is not None or (claim.references and Reference.BASELINE not in claim.references):
        return held_against
    return held_against + [v for v in known.baseline if is_comparable(v, new)] + known.earlier(new)


def _wrong_reference(claim: Comparison, new: Measurement, stated: Measurement, known: Known) -> Finding | None:
    """Refuted, where another value than the stated one is the best or the previous."""
    old = claim.old
    if old is None or not {Reference.BEST, Reference.PREVIOUS} & set(claim.references):
        return None
    earlier = known.earlier(new) + ([new] if claim.new is None else [])
    if Reference.BEST in claim.references:
        best = known.best([*earlier, stated])
        if best is None or not known.better(best.value, stated.value, best.metric) or old.states(best.value):
            return None
        return _refuted(best, f"{stated.value:g} is not the best: {best.value:g} is")
    previous = earlier[-1] if earlier else None
    if previous is None or old.states(previous.value, recorded_percent=previous.percent):
        return None
    if order_holds(claim, new, previous, known):
        return None
    return _refuted(previous, f"the value before was {previous.value:g}")


def _within(claim: Comparison, known: Known) -> Finding:
    """A trend over the epochs of the latest run: its last value against its first, or each against the one before."""
    series: dict[tuple[str, object], list[Measurement]] = defaultdict(list)
    own = [value for value in known.trials[-1].values if value.epoch is not None] or known.trials[-1].values
    splits = {value.split for value in own if value.metric == claim.metric}
    for value in own:
        if claim.metric in (None, value.metric) and (claim.split in (None, value.split) or splits == {None}):
            series[value.name, value.split].append(value)
    longest = max(series.values(), key=len, default=[])
    if len(longest) < 2:
        return unsupported("no such series is on record")
    said = f"{claim.subject} {claim.other}"
    if _EACH.search(said):
        pairs = list(zip(longest[1:], longest, strict=False))
        broken = next((pair for pair in pairs if not order_holds(claim, *pair, known)), None)
        return _refuted(broken[0], f"{_at(broken[0])} against {_at(broken[1])}") if broken else _shown(longest[-1])
    first = longest[-2:-1] if _LAST.search(said) else longest[:1]
    return _compare(claim, longest[-1], first, known)


def _shown(value: Measurement) -> Finding:
    return Finding(verdict=Verdict.SUPPORTED, evidence=value.evidence)


def _every(claim: Comparison, new: Measurement, known: Known) -> Finding:
    """Claims about all attempts: "none of them beat the baseline", "each iteration improved"."""
    attempts = [v for v in known.finals if known.comparable(v, new) and v not in known.baseline]
    baseline = [v for v in known.baseline if is_comparable(v, new)][-1:]
    if Reference.BASELINE in claim.references or claim.negated:
        if not baseline:
            return unsupported("no comparable baseline value is on record")
        pairs = [(attempt, baseline[0]) for attempt in attempts]
    else:
        ordered = [*baseline, *attempts]
        pairs = list(zip(ordered[1:], ordered, strict=False))
    if not pairs:
        return unsupported("there is nothing to compare with")
    broken = next((pair for pair in pairs if not order_holds(claim, *pair, known)), None)
    if broken is None:
        return Finding(verdict=Verdict.SUPPORTED, evidence=pairs[-1][0].evidence)
    if claim.hedged:
        return Finding(verdict=Verdict.UNCHECKABLE, note="depends on what the degree means")
    return _refuted(broken[0], f"{_at(broken[0])} against {_at(broken[1])}")
