"""Which recorded values a comparison is about: the newer one, and those it is held against."""

from __future__ import annotations

import re
from dataclasses import replace

from environment.metrics.meaning import names_in
from evaluation.claims.arithmetic import difference_holds, order_holds
from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.subjects import content_words, named_trial, named_values, ranked_trials, trials_fitting
from evaluation.language.numbers import Number
from evaluation.record.derived import MEAN, is_meant
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.trials import Trial

_SUPERLATIVE = (Relation.BEST, Relation.WORST, Relation.HIGHEST, Relation.LOWEST)
_THAN = re.compile(r"\W*(?:than )?(?:the |its |our )?(?:\w+ )?$", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:than|compared (?:to|with)|relative to|over|versus|vs\.?)\s+", re.IGNORECASE)
_OF_RUN = re.compile(r"\W*(?:steps )?(?:in|for|of|with|from) run \d", re.IGNORECASE)
_SINGLE = re.compile(
    r"\b(?:single|individual|base) (?:models?|learners?|classifiers?|regressors?|networks?|runs?)\b", re.IGNORECASE
)
_MIXED = re.compile(r"blend|ensembl|stack|voting|mean|average|overall", re.IGNORECASE)
_MEAN = re.compile(r"mean|average|avg|overall|std", re.IGNORECASE)
_DESCRIBED = 3
"""So many of the trials that fit a description are looked at."""


def stating(number: Number, claim: Comparison, known: Known) -> list[Measurement]:
    """Recorded values that a stated number may be, of the claim's split where there are any."""
    found = [v for v in known.values if claim.metric in (None, v.metric) and is_meant(v, claim.quote)]
    found = [v for v in found if number.states(v.value, recorded_percent=v.percent)]
    return (
        [v for v in found if claim.split in (None, v.split)]
        or [v for v in found if v.split is None]
        or ([] if claim.relation in _SUPERLATIVE else found)
    )


def newer(claim: Comparison, known: Known) -> Measurement | None:
    """The value the claim is about: stated, of the model it names, of the trial it describes, else the latest."""
    if claim.new is not None:
        return _stated_newer(stating(claim.new, claim, known), claim, known)
    named = named_values(claim.subject, claim.metric, claim.split, known)
    if named:
        return named[-1]
    trial = named_trial(claim.subject, known, enough=0.5 if claim.relation in _SUPERLATIVE else 1.0)
    if trial is None and claim.relation in _SUPERLATIVE:
        trial = named_trial(claim.other, known)
    value = known.main(trial, claim.split, claim.metric) if trial is not None else None
    if trial is None and claim.relation in (Relation.BEST, Relation.HIGHEST, Relation.LOWEST):
        value = _best_of(trials_fitting(claim.subject, known), claim, known)
    if value is not None:
        return _latest_like(value, known)
    described = ranked_trials(claim.subject, claim.context, known) if claim.relation in _SUPERLATIVE else []
    if claim.epoch is not None:
        main = known.main(known.trials[-1], claim.split, claim.metric)
        metric = main.metric if main is not None else claim.metric
        at_epoch = [v for v in known.trials[-1].values if v.epoch == claim.epoch and metric in (None, v.metric)]
        at_epoch = [v for v in at_epoch if (v.split == claim.split if claim.split else v.split != "train")]
        if at_epoch:
            return at_epoch[-1]
    for trial in [*described[:_DESCRIBED], *reversed(known.trials)]:
        value = known.main(trial, claim.split, claim.metric)
        if value is not None and (claim.split is None or value.split in (claim.split, None)):
            return value
    return None


def _stated_newer(found: list[Measurement], claim: Comparison, known: Known) -> Measurement:
    """The last value that a number states; of a superlative one that has others to be held against."""
    if claim.relation in _SUPERLATIVE:
        rivals = [v for v in found if any(f is not v and known.comparable(f, v) for f in known.finals)]
        return (rivals or found)[-1]
    return found[-1]


def _latest_like(value: Measurement, known: Known) -> Measurement:
    """The latest run's value where it is the same: the model was run again."""
    latest = known.main(known.trials[-1], value.split, value.metric)
    return latest if latest is not None and latest.value == value.value else value


def _best_of(trials: list[Trial], claim: Comparison, known: Known) -> Measurement | None:
    """Of several trials that a phrase fits, the value of the best."""
    values = [known.main(trial, claim.split, claim.metric) for trial in trials]
    found = [value for value in values if value is not None]
    return known.best([value for value in found if value.metric == found[0].metric]) if found else None


def references(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    """Every value the newer one must be held against; empty where one of them is not on record."""
    if claim.old is not None:
        stated = _stated(claim.old, claim, new, known)
        both = Reference.ALL in claim.references and (
            Reference.BASELINE in claim.references or claim.relation in _SUPERLATIVE
        )
        return [*(_meant(Reference.ALL, claim, new, known) if both else []), *stated] if stated else stated
    beside = _other_metric(claim, new, known)
    if beside:
        return beside[-1:]
    if claim.other_split not in (None, new.split):
        beside = [v for v in known.finals if v.split == claim.other_split and v.metric == new.metric]
        beside = [v for v in beside if v.name == new.name] or [v for v in beside if v.event is new.event] or beside
        return beside[-1:]
    found: list[Measurement] = []
    for reference in claim.references or (None,):
        values = _meant(reference, claim, new, known)
        if not values:
            return []
        found += values
    return found


def _other_metric(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    """The value of another metric that it is held against: "precision is higher than recall"."""
    named = names_in(claim.other)
    if not named or named[0][0] == new.metric or not _THAN.match(claim.other[: named[0][1]]):
        return []
    return [v for v in known.finals if v.event is new.event and v.metric == named[0][0] and v.split == new.split]


def is_comparable(value: Measurement, new: Measurement) -> bool:
    """Whether a value of any run may be held against another: one metric, splits that do not differ, one scale."""
    if value.metric != new.metric or (value.split != new.split and None not in (value.split, new.split)):
        return False
    return Known.on_one_scale(value, new)


def is_held_out_pair(value: Measurement, new: Measurement) -> bool:
    """Whether two values of a metric are of held-out data, though one is of a fold and the other of a fixed set."""
    schemes = {value.split, new.split} <= {"validation", "cv", "hold-out"}
    return schemes and value.metric == new.metric and Known.on_one_scale(value, new) and value.event is not new.event


def _meant(reference: Reference | None, claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    earlier = known.earlier(new)
    if new.label == MEAN:
        means = [v for trial in known.trials if trial.event.step < new.step for v in trial.means if v.key == new.key]
        return means[:1] if reference is Reference.BASELINE else means[-1:]
    is_first = new.event is known.trials[0].event is not known.trials[-1].event
    if reference is Reference.BASELINE and not is_first:
        values = [v for v in known.baseline if is_comparable(v, new) and v is not new]
        first = [v for v in values if v.event.files[:1] == values[0].event.files[:1]]
        called = [v for v in values if any("baseline" in name.lower() for name in v.event.files)]
        found = [v for v in values if v.is_baseline][-1:] or called[-1:] or first[-1:]
        if not found and claim.split is None:
            found = [v for v in known.baseline if v.is_baseline and v.metric == new.metric and new.split != "train"]
        found = found or [v for v in known.baseline if is_held_out_pair(v, new)]
        if claim.delta is not None and claim.old is None:
            exact = [v for v in values if order_holds(claim, new, v, known) and difference_holds(claim, new, v)]
            found = exact or found
        return found[-1:]
    if reference in (Reference.ALL, Reference.BEST):
        rest = [v for v in known.finals if v.step >= new.step and v is not new and v not in earlier]
        pool = earlier + [v for v in rest if known.comparable(v, new)]
        if reference is Reference.BEST:
            best = known.best([v for v in pool if v.event is not new.event] or pool)
            return [best] if best is not None else []
        if claim.new is not None and _MEAN.search(new.words):  # A mean is no rival of the parts it is the mean of.
            pool = [v for v in pool if _MEAN.search(v.words) or v.event is not new.event] or pool
            pool = [v for v in pool if _MEAN.search(v.words)] or pool
        return _siblings(claim, new, pool) or pool
    if reference is Reference.NAMED:
        named = _called(claim, new, known)
        if named or content_words(claim.other.partition("(")[0]):
            return named
    if is_first:
        latest = known.main(known.trials[-1], new.split, new.metric)
        return [latest] if latest is not None else []
    return earlier[-1:] or [v for v in known.baseline if v is not new and is_comparable(v, new)][-1:]


def _siblings(claim: Comparison, new: Measurement, pool: list[Measurement]) -> list[Measurement]:
    """Of a fold or a model of one run the other ones; where single models are spoken of, no blend of them."""
    if _SINGLE.search(claim.quote):
        pool = [v for v in pool if not _MIXED.search(v.words)]
    beside = [v for v in pool if v.event is new.event and v.words != new.words and not _MEAN.search(v.words)]
    is_named = bool(new.label) and new.label.lower() in claim.quote.lower()
    return beside if beside and (is_named or _SINGLE.search(claim.quote)) else pool


def _called(claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    """The value of what is called by name: a model in the output, a trial by its edits; of equals any source."""
    beyond = _COMPARED.split(claim.other)[-1]
    named = [v for v in named_values(claim.other, new.metric, new.split, known) if v is not new]
    if named:
        return named[-1:]
    meant = named_trial(claim.other, known) or named_trial(beyond, known)
    if meant is not None and meant.event is not new.event:
        value = known.main(meant, new.split, new.metric)
        if value is not None and _is_other(value, new, claim):
            return [value]
    for trial in ranked_trials(claim.other, "", known):
        value = known.main(trial, new.split, new.metric) if trial.event is not new.event else None
        if value is not None and value.split == new.split and _is_other(value, new, claim):
            return [value]
    if claim.relation in (Relation.SAME, Relation.SIMILAR):
        return [v for v in known.finals if v.metric == new.metric and v.event is not new.event][-1:]
    return []


def _is_other(value: Measurement, new: Measurement, claim: Comparison) -> bool:
    """Whether a value can be another's: an equal one is that of the same model, run again."""
    return value.value != new.value or claim.relation in (Relation.SAME, Relation.SIMILAR)


def _stated(old: Number, claim: Comparison, new: Measurement, known: Known) -> list[Measurement]:
    found = stating(old, claim, known)
    if claim.other_split not in (None, new.split):
        beside = [v for v in stating(old, replace(claim, split=claim.other_split), known) if v.split != new.split]
        return beside or found
    found = [v for v in found if v is not new] or found
    comparable = [v for v in found if is_comparable(v, new)]
    if Reference.BASELINE in claim.references:
        of_baseline = {id(v.event) for v in known.baseline}
        comparable = comparable or [v for v in found if is_held_out_pair(v, new)]
        if _OF_RUN.match(claim.quote, claim.quote.find(old.text) + len(old.text)):
            return comparable
        return [v for v in comparable if v in known.baseline or id(v.event) in of_baseline]
    return comparable or found
