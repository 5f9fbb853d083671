"""The verdict on an order or a difference between results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.claim import Finding, Unit, Verdict
from evaluation.claims.events import EventKind
from evaluation.claims.measurements import Measurement
from evaluation.claims.numbers import Number
from evaluation.claims.run_model import Known
from evaluation.claims.subjects import content_words, named_values, ranked_trials

_SUPERLATIVE = (Relation.BEST, Relation.WORST, Relation.HIGHEST, Relation.LOWEST)
_SAME = 0.005
_SIMILAR = 0.05


def judge_comparison(claim: Comparison, known: Known) -> Finding:
    """Find the newer value and what it is compared with, then check order and arithmetic."""
    if not known.trials:
        return _unsupported("nothing had been measured yet")
    if claim.splits:
        findings = [judge_comparison(replace(claim, split=split, splits=()), known) for split in claim.splits]
        return next((finding for finding in findings if finding.verdict is not Verdict.SUPPORTED), findings[-1])
    missing = [n for n in (claim.new, claim.old) if n is not None and not _on_record(n, claim, known)]
    if missing:
        return _unsupported(f"{missing[0].text} is not on record")
    if claim.number is None and not claim.references and _died(known):
        return _unsupported("the last run ended before it measured anything")
    if Reference.WITHIN in claim.references and claim.number is None:
        return _within(claim, known)
    new = _newer(claim, known)
    if new is None:
        return _unsupported("no such value on record")
    if claim.every:
        return _every(claim, new, known)
    references = _references(claim, new, known)
    if not references:
        return _unsupported(_missing_reference(claim))
    return _compare(claim, new, references, known)


def _within(claim: Comparison, known: Known) -> Finding:
    """A trend over the epochs of the latest run: its last value against its first."""
    series: dict[tuple[str, object], list[Measurement]] = defaultdict(list)
    for value in known.trials[-1].values:
        if claim.metric in (None, value.metric) and claim.split in (None, value.split):
            series[value.name, value.split].append(value)
    longest = max(series.values(), key=len, default=[])
    if len(longest) < 2:
        return _unsupported("no such series is on record")
    return _compare(claim, longest[-1], longest[:1], known)


def _died(known: Known) -> bool:
    """Whether the latest run failed without measuring anything."""
    run = next(iter(known.of_kind(EventKind.RUN)), None)
    return run is not None and not run.succeeded and all(trial.event is not run for trial in known.trials)


def _unsupported(note: str) -> Finding:
    return Finding(verdict=Verdict.UNSUPPORTED, note=note)


def _on_record(number: Number, claim: Comparison, known: Known) -> bool:
    return bool(_stating(number, claim, known))


def _stating(number: Number, claim: Comparison, known: Known) -> list[Measurement]:
    found = [
        v
        for v in known.values
        if claim.metric in (None, v.metric) and number.states(v.value, recorded_percent=v.percent)
    ]
    return [v for v in found if claim.split in (None, v.split)] or [v for v in found if v.split is None] or found


def _newer(claim: Comparison, known: Known) -> Measurement | None:
    if claim.new is not None:
        return _stating(claim.new, claim, known)[-1]
    named = named_values(claim.subject, claim.metric, claim.split, known)
    if named:
        return named[-1]
    described = ranked_trials(claim.subject, claim.context, known) if claim.relation in _SUPERLATIVE else []
    for candidate in described[:3] + known.trials[::-1]:
        value = known.main(candidate, claim.split, claim.metric)
        if value is not None and (claim.split is None or value.split in (claim.split, None)):
            return value
    return None


def _references(claim: Comparison, new: Measurement, known: Known) -> list[Measurement] | None:
    """Every value the newer one must be held against; ``None`` where one of them is not on record."""
    if claim.old is not None:
        stated = _stated_references(claim, new, known)
        if stated and Reference.BASELINE in claim.references and Reference.ALL in claim.references:
            return [*known.earlier(new), *stated]
        return stated or None
    if claim.other_split is not None:
        beside = [v for v in known.finals if v.split == claim.other_split and v.metric == new.metric and v.name == new.name]
        return beside[-1:] or None
    found: list[Measurement] = []
    for reference in claim.references or (None,):
        values = _reference(reference, claim, new, known)
        if not values:
            return None
        found += values
    return found


def _reference(reference: Reference | None, claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    earlier = known.earlier(new)
    if reference is Reference.BASELINE:
        values = [v for v in known.baseline if _comparable(v, new) and v is not new]
        return [v for v in values if v.is_baseline][-1:] or values[-1:]
    if reference in (Reference.ALL, Reference.BEST):
        beside = [v for v in known.finals if v.event is new.event and v is not new and known.comparable(v, new)]
        later = [v for v in known.finals if v.step > new.step and known.comparable(v, new)]
        return earlier + beside + later
    if reference is Reference.NAMED:
        named = named_values(claim.other, new.metric, new.split, known) or _of_trial(claim, new, known)
        named = [v for v in named if v is not new]
        if not named and claim.relation is Relation.SAME:
            named = [v for v in known.finals if v.metric == new.metric and v.event is not new.event]
        if named or content_words(claim.other.partition("(")[0]):
            return named[-1:]
    return earlier[-1:] or [v for v in known.baseline if v is not new and _comparable(v, new)][-1:]


def _of_trial(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    for trial in ranked_trials(claim.other, "", known):
        value = known.main(trial, new.split, new.metric) if trial.event is not new.event else None
        if value is not None and value.split == new.split:
            return [value]
    return []


def _stated_references(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    assert claim.old is not None
    stating = [v for v in _stating(claim.old, claim, known) if v is not new] or _stating(claim.old, claim, known)
    comparable = [v for v in stating if _comparable(v, new)]
    if Reference.BASELINE in claim.references:
        return [v for v in comparable if v in known.baseline]
    return comparable or stating


def _comparable(value: Measurement, new: Measurement) -> bool:
    if value.metric != new.metric or (value.split != new.split and None not in (value.split, new.split)):
        return False
    low, high = sorted((abs(value.value), abs(new.value)))
    return low == 0 or high / low < 50


def _missing_reference(claim: Comparison) -> str:
    if Reference.BASELINE in claim.references:
        return "no comparable baseline value is on record" if claim.old is None else "the number is not the baseline's"
    return "there is nothing to compare with"


def _compare(claim: Comparison, new: Measurement, references: list[Measurement], known: Known) -> Finding:
    if claim.old is not None and {Reference.BEST, Reference.PREVIOUS} & set(claim.references):
        wrong = _wrong_reference(claim, new, references[-1], known)
        if wrong is not None:
            return wrong
    broken = next((ref for ref in _by_merit(references, known) if not _holds(claim, new, ref, known)), None)
    if broken is not None:
        if claim.hedged and known.better(new.value, broken.value, new.metric):
            return Finding(verdict=Verdict.UNCHECKABLE, note="depends on what the degree means")
        note = f"{new.value:g} (step {new.step}) against {broken.value:g} (step {broken.step})"
        return Finding(verdict=Verdict.CONTRADICTED, evidence=broken.evidence, note=note)
    reference = references[-1]
    if claim.delta is not None and not any(
        _difference_holds(claim, new, ref) for ref in _delta_references(claim, new, references, known)
    ):
        note = f"{new.value:g} (step {new.step}) and {reference.value:g} (step {reference.step}) do not differ by {claim.delta.text}"
        return Finding(verdict=Verdict.CONTRADICTED, evidence=new.evidence, note=note)
    note = f"{new.value:g} against {reference.value:g} of step {reference.step}"
    return Finding(verdict=Verdict.SUPPORTED, evidence=new.evidence, note=note)


def _delta_references(
    claim: Comparison, new: Measurement, references: list[Measurement], known: Known
) -> list[Measurement]:
    if claim.old is not None or (claim.references and Reference.BASELINE not in claim.references):
        return references
    return references + [v for v in known.baseline if _comparable(v, new)] + known.earlier(new)


def _wrong_reference(claim: Comparison, new: Measurement, stated: Measurement, known: Known) -> Finding | None:
    """Whether another value than the stated one is the best or the previous."""
    old = claim.old
    if old is None:
        return None
    earlier = known.earlier(new) + ([new] if claim.new is None else [])
    if Reference.BEST in claim.references:
        best = known.best([*earlier, stated])
        if best is None or not known.better(best.value, stated.value, best.metric) or old.states(best.value):
            return None
        note = f"{stated.value:g} is not the best: {best.value:g} is"
        return Finding(verdict=Verdict.CONTRADICTED, evidence=best.evidence, note=note)
    previous = earlier[-1] if earlier else None
    if previous is None or old.states(previous.value, recorded_percent=previous.percent):
        return None
    if _holds(claim, new, previous, known):
        return None
    note = f"the value before was {previous.value:g}"
    return Finding(verdict=Verdict.CONTRADICTED, evidence=previous.evidence, note=note)


def _by_merit(values: list[Measurement], known: Known) -> Iterable[Measurement]:
    metric = values[0].metric
    return sorted(values, key=lambda v: v.value, reverse=not known.lower_is_better(metric))


def _holds(claim: Comparison, new: Measurement, ref: Measurement, known: Known) -> bool:
    if claim.factor is not None and ref.value and not _factor_holds(claim.factor, new.value / ref.value):
        return False
    a, b = new.value, ref.value
    if new.percent != ref.percent:
        a, b = (a / 100, b) if new.percent else (a, b / 100)
    better, worse = known.better(a, b, new.metric), known.better(b, a, new.metric)
    match claim.relation:
        case Relation.BETTER:
            return better
        case Relation.WORSE:
            return worse
        case Relation.BEST:
            return not worse
        case Relation.WORST:
            return not better
        case Relation.HIGHER:
            return a > b
        case Relation.LOWER:
            return a < b
        case Relation.HIGHEST:
            return a >= b
        case Relation.LOWEST:
            return a <= b
        case Relation.NOT_BETTER:
            return not better
        case Relation.NOT_WORSE:
            return not worse
        case Relation.SAME:
            return abs(a - b) <= _SIMILAR * max(abs(a), abs(b))


def _factor_holds(stated: tuple[float, str], ratio: float) -> bool:
    """Whether a ratio is the stated factor within a tenth, or beyond it as said."""
    factor, bound = stated
    if abs(ratio - factor) <= factor / 10:
        return True
    return (bound == ">" and (ratio - factor) * (factor - 1) > 0) or (
        bound == "<" and abs(ratio - factor) <= factor / 4
    )


def _difference_holds(claim: Comparison, new: Measurement, ref: Measurement) -> bool:
    """Whether the stated difference holds in points, absolutely or relative to either, exact or from rounded numbers."""
    assert claim.delta is not None
    pairs = [(new.value, ref.value)]
    if claim.new is not None and claim.old is not None:
        pairs.append((claim.new.value, claim.old.value))
    elif claim.old is not None:
        pairs.append((new.value, claim.old.value))
    size = abs(claim.delta.value)
    stated = Number(**{**claim.delta.__dict__, "value": size})
    readings: list[float] = []
    for a, b in pairs:
        difference = abs(a - b)
        relative = 100 * difference / abs(b) if b else 0.0
        if stated.unit is Unit.NONE:
            readings += [difference, difference * 100, difference / 100]
        elif stated.unit is Unit.POINTS:
            readings += [difference, difference * 100]
        else:
            readings += [relative, difference * 100 if abs(a) <= 1 and abs(b) <= 1 else difference]
    return any(stated.is_satisfied_by(reading) for reading in readings)


def _every(claim: Comparison, new: Measurement, known: Known) -> Finding:
    """Claims about all attempts: "none of them beat the baseline", "each iteration improved"."""
    attempts = [v for v in known.finals if known.comparable(v, new) and v not in known.baseline]
    baseline = [v for v in known.baseline if _comparable(v, new)]
    if Reference.BASELINE in claim.references or claim.negated:
        if not baseline:
            return _unsupported("no comparable baseline value is on record")
        pairs = [(attempt, baseline[-1]) for attempt in attempts]
    else:
        ordered = [*baseline[-1:], *attempts]
        pairs = list(zip(ordered[1:], ordered, strict=False))
    if not pairs:
        return _unsupported("there is nothing to compare with")
    for attempt, reference in pairs:
        if not _holds(claim, attempt, reference, known):
            if claim.hedged:
                return Finding(verdict=Verdict.UNCHECKABLE, note="depends on what the degree means")
            note = f"{attempt.value:g} (step {attempt.step}) against {reference.value:g} (step {reference.step})"
            return Finding(verdict=Verdict.CONTRADICTED, evidence=attempt.evidence, note=note)
    return Finding(verdict=Verdict.SUPPORTED, evidence=pairs[-1][0].evidence)
