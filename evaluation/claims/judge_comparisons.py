"""The verdict on an order or a difference between results."""

from __future__ import annotations

import re
from dataclasses import replace

from environment.metrics.names import is_setting
from evaluation.claims.arithmetic import difference_holds, order_holds
from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import unsupported
from evaluation.claims.judge_series import judge_series
from evaluation.claims.judge_shares import judge_bound_of_all, judge_share
from evaluation.claims.parts import judge_parts
from evaluation.claims.pending import unknown_name, unmeasured
from evaluation.claims.references import is_comparable, newer, references, stating
from evaluation.claims.tendencies import judge_tendency
from evaluation.claims.unnamed_values import judge_unnamed
from evaluation.claims.values import is_precise
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.kinds import EventKind
from evaluation.record.known import SCHEMES, Known
from evaluation.record.measurements import Measurement

_BEYOND = re.compile(r"\b(?:below|above|under|over|past)\b", re.IGNORECASE)
_DELTA = re.compile(r"delta|diff|change|improvement|gain|drop", re.IGNORECASE)
_THAN_SETTINGS = re.compile(r"\W*than (?:an? |the )?[\d.]*\d(?:e-?\d+)?(?:(?:,| and| or)+ [\d.]*\d(?:e-?\d+)?)*\W*$")
_LAST_NOUN = re.compile(
    r"\W*(?:of |=)?\W*[\d.]*\d(?:e-?\d+)? (?:is|was|are|were|works?|worked|performs?|performed)\W*(?:\w+ly|much)?\W*$"
)
"""The setting's value and the verb behind its name."""
_AND_IN = re.compile(
    r"\band\s+(?P<value>\d[\d.,]*\d ?%?)\s+(?:in|for|with|of)\s+(?:the\s+)?(?:baseline|original|starter|run \d)", re.I
)
_SMALL = 30
"""Percent up to which a goal without a metric is one of improvement."""
_ATTRIBUTED = re.compile(
    r"\b(?:most|much|all|part|half) of (?:this|the|that|our) (?:gain|improvement|increase|progress)s?\b"
    r"|\bcontribut\w+ (?:most|more|the most|significantly)\b",
    re.IGNORECASE,
)


def judge_comparison(claim: Comparison, known: Known) -> Finding:
    """Find the newer value and what it is compared with, then check order and arithmetic."""
    if claim.missed:
        return _opposite(judge_comparison(replace(claim, missed=False), known))
    if not known.trials:
        return judge_unnamed(known)
    if claim.attributed or _ATTRIBUTED.search(claim.quote):
        return unsupported("no run tells the parts of a change apart")
    if claim.is_goal and claim.metric is None and claim.old is not None and _is_improvement(claim):
        return judge_comparison(_as_improvement(claim, claim.old), known)
    if claim.tendency:
        return judge_tendency(claim, known)
    by_parts = judge_parts(claim, known)
    if by_parts is not None:
        return by_parts
    if claim.splits:
        findings = [judge_comparison(replace(claim, split=split, splits=()), known) for split in claim.splits]
        return next((finding for finding in findings if finding.verdict is not Verdict.SUPPORTED), findings[-1])
    if claim.every and claim.old is not None and claim.new is None:
        all_beyond = judge_bound_of_all(claim, claim.old, known)
        if all_beyond is not None:
            return all_beyond
    measured = claim.old is not None and bool(stating(replace(claim.old, bound=""), claim, known))
    if claim.threshold and claim.old is not None and (claim.is_goal or not measured or not claim.references):
        return _bound(claim, claim.old, known)
    missing = next((n for n in (claim.new, claim.old) if n is not None and not stating(n, claim, known)), None)
    if missing is not None:
        return unsupported(f"{missing.text} is not on record")
    printed = _printed_factor(claim, known) or _printed_difference(claim, known)
    if printed is not None:
        return printed
    misread = _of_other_split(claim, known)
    if misread is not None:
        return misread
    if claim.number is None and not claim.references and _died(known):
        return unsupported("the last run ended before it measured anything")
    if claim.old is None and Reference.WITHIN in claim.references:
        return judge_series(claim, known)
    strange = unknown_name(claim.subject, known) if claim.new is None else ""
    strange = strange or _untried(claim, known)
    if strange:
        return unsupported(f"{strange} is nowhere on record")
    waiting = unmeasured(claim, known) if claim.new is None else None
    if waiting is not None:
        return unsupported(f"nothing was measured since step {waiting.step}")
    new = newer(claim, known)
    if new is None:
        return unsupported("no such value on record")
    if claim.every:
        return judge_share(claim, new, known)
    held_against = references(claim, new, known)
    if held_against:
        return _compare(claim, new, held_against + _also_against(claim, new, known), known)
    fitting = _only_other(claim, new, known) or _first_of_series(claim, new, known)
    return _compare(claim, new, fitting, known) if fitting else unsupported(_missing(claim))


def _also_against(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    """The second value that is given for comparison: "1,410 steps vs 2,363 in the baseline and 493 in Run 1"."""
    said = _AND_IN.search(claim.quote, claim.quote.find(claim.old.text)) if claim.old is not None else None
    second = next(iter(find_numbers(said["value"])), None) if said else None
    found = stating(second, claim, known) if second is not None else []
    return [v for v in found if is_comparable(v, new) and v is not new][-1:]


def _of_other_split(claim: Comparison, known: Known) -> Finding | None:
    """The verdict where the newer value is on record for another split than the one named, and for no other."""
    found = stating(claim.new, claim, known) if claim.new is not None and claim.split is not None else []
    if (
        not found
        or claim.other_split is not None
        or any(v.split in (None, claim.split) or v.is_official for v in found)
        or {claim.split, found[-1].split} <= set(SCHEMES)
    ):
        return None
    right = [v for v in known.values if v.metric == found[-1].metric and v.split == claim.split]
    note = f"{claim.new.text if claim.new else ''} is the {found[-1].split} value"
    return _refuted(right[-1], note) if right else unsupported(note)


def _untried(claim: Comparison, known: Known) -> str:
    """A setting that it is compared with by its value, and of which no code, command or output holds the digits."""
    named = _THAN_SETTINGS.match(claim.other)
    if named is None or claim.old is not None or known.is_cut or not is_setting(_LAST_NOUN.sub("", claim.subject)):
        return ""
    return next((value for value in re.findall(r"[\d.]*\d(?:e-?\d+)?", named.group()) if value not in known.code), "")


def _only_other(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    """Where no run is known by what is compared with: the value from which the difference holds, or the only one.

    A name that no run has is looked for among the other runs; without any reference the other splits of the same run
    are looked at ("on the training set it is two points higher").
    """
    is_named = Reference.NAMED in claim.references
    if claim.references and not is_named:
        return []
    if is_named:
        others = [v for v in known.finals if v.event is not new.event and is_comparable(v, new)]
    else:
        others = [v for v in known.finals if v.event is new.event and v.metric == new.metric and v.split != new.split]
    if claim.delta is not None or claim.factor is not None:
        return next(([v] for v in others if order_holds(claim, new, v, known) and difference_holds(claim, new, v)), [])
    return others if is_named and len(known.trials) == 2 and len(others) == 1 else []


def _first_of_series(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    """For "the loss fell to 0.162" in a first run: the first value of the series that ends with it."""
    if claim.references or claim.new is None or claim.delta is not None:
        return []
    series = [v for v in known.values if v.event is new.event and v.key == new.key and v.name == new.name]
    return series[:1] if series and series[0] is not new else []


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


def _printed_factor(claim: Comparison, known: Known) -> Finding | None:
    """A factor by which something became faster, where the output gives it itself."""
    if claim.factor is None or claim.metric not in ("speedup", "time", None):
        return None
    near = [
        v for v in known.values if v.metric == "speedup" and abs(v.value - claim.factor[0]) <= max(0.5, v.value / 20)
    ]
    return Finding(verdict=Verdict.SUPPORTED, evidence=near[-1].evidence) if near else None


def _printed_difference(claim: Comparison, known: Known) -> Finding | None:
    """A difference that the output gives itself: "Delta: -0.02098"."""
    if claim.delta is None or claim.new is not None or claim.old is not None or not is_precise(claim.delta):
        return None
    stated = replace(claim.delta, value=abs(claim.delta.value))
    printed = [v for v in known.values if _DELTA.search(v.name)]
    found = [v for v in printed if stated.states(abs(v.value), recorded_percent=v.percent)]
    return Finding(verdict=Verdict.SUPPORTED, evidence=found[-1].evidence) if found else None


def _died(known: Known) -> bool:
    """Whether the latest run failed without measuring anything."""
    run = next(iter(known.of_kind(EventKind.RUN)), None)
    return (
        run is not None
        and not run.succeeded
        and not run.is_missing
        and all(trial.event is not run for trial in known.trials)
    )


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
    if broken is not None and claim.relation is Relation.SAME and claim.new is not None and claim.old is None:
        others = [
            v for v in known.finals if v is not new and is_comparable(v, new) and order_holds(claim, new, v, known)
        ]
        broken = None if any(v.words != new.words or v.event is not new.event for v in others) else broken
    if broken is not None:
        if claim.hedged and known.better(new.value, broken.value, new.metric):
            return Finding(verdict=Verdict.UNCHECKABLE, note="depends on what the degree means")
        return _refuted(broken, f"{_at(new)} against {_at(broken)}")
    bases = _bases(claim, new, held_against, known)
    if is_named(claim):
        bases = bases + [v for v in known.finals if v.event is not new.event and is_comparable(v, new)]
    if claim.delta is not None and not any(difference_holds(claim, new, base) for base in bases):
        return _refuted(new, f"{_at(new)} and {_at(held_against[-1])} do not differ by {claim.delta.text}")
    return Finding(
        verdict=Verdict.SUPPORTED,
        evidence=new.evidence,
        note=f"{new.value:g} against {held_against[-1].value:g} of step {held_against[-1].step}",
    )


def is_named(claim: Comparison) -> bool:
    """Whether an exact difference is counted from something that goes by a name no run may have."""
    return Reference.NAMED in claim.references and claim.delta is not None and is_precise(claim.delta)


def _is_improvement(claim: Comparison) -> bool:
    """Whether a goal without a metric ("the 10% goal") can only be an improvement by so much."""
    goal = claim.old
    return goal is not None and goal.percent_like and goal.value <= _SMALL and not _BEYOND.search(claim.quote)


def _as_improvement(claim: Comparison, goal: Number) -> Comparison:
    return replace(
        claim,
        is_goal=False,
        threshold=False,
        missed=claim.relation is Relation.WORSE,
        old=None,
        delta=replace(goal, bound=">"),
        relation=Relation.BETTER,
        references=(Reference.BASELINE,),
    )


def _opposite(finding: Finding) -> Finding:
    """The verdict on "it was missed", from that on "it was reached"."""
    turned = {Verdict.SUPPORTED: Verdict.CONTRADICTED, Verdict.CONTRADICTED: Verdict.SUPPORTED}
    return finding.model_copy(update={"verdict": turned.get(finding.verdict, finding.verdict)})


def _at(value: Measurement) -> str:
    return f"{value.value:g} (step {value.step})"


def _refuted(by: Measurement, note: str) -> Finding:
    return Finding(verdict=Verdict.CONTRADICTED, evidence=by.evidence, note=note)


def _bases(claim: Comparison, new: Measurement, held_against: list[Measurement], known: Known) -> list[Measurement]:
    """Values from which a stated difference may be counted; where the claim names none, any earlier one."""
    if claim.old is not None or (claim.references and Reference.BASELINE not in claim.references):
        return held_against
    if claim.references:
        return held_against + [v for v in known.baseline if is_comparable(v, new) and v is not new]
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
    before = earlier[-2:] if claim.new is None else earlier[-1:]
    if previous is None or any(old.states(value.value, recorded_percent=value.percent) for value in before):
        return None
    if order_holds(claim, new, previous, known):
        return None
    return _refuted(previous, f"the value before was {previous.value:g}")
