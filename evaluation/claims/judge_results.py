"""The verdict on "metric is value"."""

from __future__ import annotations

import math
import re

from evaluation.claims.assertions import Result
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.pending import is_waiting, unknown_name, unmeasured
from evaluation.claims.subjects import content_words, named_trial
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.derived import is_meant
from evaluation.record.events import Event, split_at
from evaluation.record.evidence import Evidence
from evaluation.record.known import Known
from evaluation.record.measurements import UNNAMED, Measurement, excerpt
from evaluation.record.trials import Trial

_PLACE = re.compile(r"\b(step|iter(?=ation|\b)|fold|round|update)(?:ation)?\W{0,2}(\d+)\b")
_SUBMITTED = re.compile(r"\b(?:submitted|submission)\b", re.IGNORECASE)
_PLAIN = re.compile(r"[-+−$\s]*[\d.,]+\s?%?")
_SEPARATORS = str.maketrans("", "", ".,")
_LOOKED_AT = 4
"""Digits of a number by which lines that cannot hold it are passed over."""
_EVALUATED = re.compile(r"\beval(?:uation)?[ _](?:loss|acc\w*|f1|auc|rmse|mae|perplexity|metrics?)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:\W|\d+[.)])*(?:(?:the|our|an?|only|but|and|with) )*(?P<name>[A-Z]\w+)\b"
    r"(?![^.:,]{0,20}\b(?:baseline|starter)\b)",
    re.I,
)
_KINDS = ("CNN", "MLP", "RNN", "NN", "DNN", "LSTM")
"""What a network is, whether its code says so or not."""
_FINE = 1e-4
"""Such a number is on record by chance as rarely as one of three digits."""
_ALL_DIGITS = 7
_PRECISE = 3
"""Digits from which a number is hardly on record by chance."""


def judge_result(claim: Result, known: Known) -> Finding:
    """Hold a stated value against every value measured before."""
    if claim.stated is None:
        return Finding(verdict=Verdict.UNCHECKABLE, note="no number to hold against the record")
    strange = _strange_subject(claim, claim.stated, known)
    if strange:
        return Finding(verdict=Verdict.UNSUPPORTED, note=f"{strange} is nowhere on record")
    values = [v for v in known.values if claim.metric in (None, v.metric) and is_meant(v, claim.quote)]
    stating = [v for v in values if claim.stated.states(v.value, recorded_percent=v.percent)]
    if not stating:
        unnamed = [v for v in known.values if v.metric == UNNAMED]
        stating = [v for v in unnamed if claim.stated.states(v.value, recorded_percent=v.percent)]
    fitting = [v for v in stating if _same_split(claim, v)]
    if claim.of_baseline and fitting and known.baseline:
        fitting = [v for v in fitting if v in known.baseline] or fitting
    if claim.epoch is not None:
        at_epoch = [v for v in values if v.epoch == claim.epoch and _same_split(claim, v)]
        if fitting and at_epoch and not any(v.epoch in (claim.epoch, None) for v in fitting):
            note = f"epoch {claim.epoch:g} measured {at_epoch[-1].value:g}"
            return Finding(verdict=Verdict.CONTRADICTED, evidence=at_epoch[-1].evidence, note=note)
        fitting = [v for v in fitting if v.epoch == claim.epoch] or fitting
    waiting = unmeasured(claim, known) if fitting and known.trials and not claim.of_baseline else None
    if waiting is not None:
        return Finding(verdict=Verdict.UNSUPPORTED, note=f"nothing was measured since step {waiting.step}")
    handed_in = _handed_in(claim, fitting, known)
    if handed_in is not None:
        note = f"the submission scored {handed_in.value:g}"
        return Finding(verdict=Verdict.CONTRADICTED, evidence=handed_in.evidence, note=note)
    other = _other_subject(claim, fitting, values) or _other_trial(claim, fitting, known)
    other = other or _other_place(claim, fitting, values)
    if other is not None:
        note = f"{fitting[-1].name} has this value, not {other.name}"
        return Finding(verdict=Verdict.CONTRADICTED, evidence=other.evidence, note=note)
    fitting = fitting or [
        v for v in known.values if v.metric == UNNAMED and _same_split(claim, v) and _is_stated(claim, v)
    ]
    fitting = fitting or _by_all_digits(claim, known)
    if fitting:
        return Finding(verdict=Verdict.SUPPORTED, evidence=fitting[-1].evidence)
    if stating:
        return _wrong_split(claim, values, stating)
    measured = any(v.metric == claim.metric and _same_split(claim, v) for v in values)
    if _only_authored(claim.stated, known) and not measured:
        return Finding(verdict=Verdict.UNSUPPORTED, note="only text that a model wrote holds this value")
    others = [v for v in known.values if measured and claim.metric not in (None, v.metric)]
    elsewhere = any(claim.stated.states(v.value, recorded_percent=v.percent) for v in others)
    printed = None if elsewhere else _printed(claim.stated, known)
    if printed is not None:
        return Finding(verdict=Verdict.SUPPORTED, evidence=printed)
    return _not_on_record(claim, values, known)


def _is_stated(claim: Result, value: Measurement) -> bool:
    """Whether the claim states a value that the run prints as its score, in as many digits as none has by chance."""
    digits = sum(character.isdigit() for character in claim.stated.text.lstrip("0.")) if claim.stated else 0
    if not _same_split(claim, value):
        return False
    is_meant = claim.stated is not None and claim.stated.states(value.value, recorded_percent=value.percent)
    return is_meant and digits >= _PRECISE


def _strange_subject(claim: Result, stated: Number, known: Known) -> str:
    """The proper name that a clause begins with, of which no code, command or output holds a word; else ""."""
    named = None if claim.of_baseline else _SUBJECT.match(claim.quote[: max(0, claim.quote.find(stated.text))])
    return unknown_name(named["name"], known) if named and named["name"] not in _KINDS else ""


def _by_all_digits(claim: Result, known: Known) -> list[Measurement]:
    """Values that are given to so many digits that no other can be meant, under a key that the claim gives as well."""
    stated = claim.stated
    if stated is None or len(re.sub(r"\D", "", stated.text).lstrip("0")) < _ALL_DIGITS:
        return []
    found = (v for v in known.values if stated.states(v.value, recorded_percent=v.percent))
    return [v for v in found if "_" in v.name and v.name in claim.quote]


def _same_split(claim: Result, value: Measurement) -> bool:
    if value.split == "train" and claim.split is None and _EVALUATED.search(claim.quote):
        return False
    if claim.split is None or value.split == claim.split:
        return True
    called_so = value.is_official or (value.split in ("hold-out", "cv") and "val" in value.text.lower())
    is_scoring = claim.split == "validation" and called_so
    return (value.split is None and claim.split != "train") or is_scoring


def _handed_in(claim: Result, fitting: list[Measurement], known: Known) -> Measurement | None:
    """The official score of what was submitted, where the value stated for it is another's."""
    if not fitting or not _SUBMITTED.search(claim.subject):
        return None
    official = [v for v in known.values if v.is_official and v.metric == fitting[-1].metric]
    return official[-1] if official and official[-1] not in fitting else None


def _other_subject(claim: Result, fitting: list[Measurement], values: list[Measurement]) -> Measurement | None:
    """The value of the model the claim names, where only another model's printed value fits."""
    if not fitting or fitting[-1].metric == UNNAMED:
        return None
    said = content_words(claim.subject)
    pool = [v for v in values if v.split == fitting[-1].split and v.event is fitting[-1].event]
    hits = {v.words: len(said & content_words(v.words)) for v in pool}
    top = max(hits.values(), default=0)
    if not top or any(hits.get(v.words) == top for v in fitting):
        return None
    return next(v for v in reversed(pool) if hits[v.words] == top)


def _other_place(claim: Result, fitting: list[Measurement], values: list[Measurement]) -> Measurement | None:
    """The value of the step or fold the claim names, where the stated one is printed for another."""
    said = _PLACE.search(claim.quote)
    if said is None or not fitting:
        return None
    there = [v for v in values if v.key == fitting[-1].key and said.groups() in _places(v.text)]
    if not there or any(v in there or not _places(v.text) for v in fitting):
        return None
    return there[-1]


def _places(text: str) -> list[tuple[str, ...]]:
    return [match.groups() for match in _PLACE.finditer(text.lower())]


def _other_trial(claim: Result, fitting: list[Measurement], known: Known) -> Measurement | None:
    """The value of the run the claim names, where only other runs measured the stated one."""
    trial = named_trial(claim.subject, known, enough=math.inf) if fitting else None
    if (
        trial is None
        or (claim.of_baseline and any(v.is_baseline for v in fitting))
        or any(v.event is trial.event for v in fitting)
    ):
        return None
    return next((v for v in trial.finals.values() if v.key == fitting[-1].key), None)


def _wrong_split(claim: Result, values: list[Measurement], stating: list[Measurement]) -> Finding:
    right = [v for v in values if v.split == claim.split]
    note = f"the number is the {stating[-1].split} value"
    if right:
        return Finding(verdict=Verdict.CONTRADICTED, evidence=right[-1].evidence, note=note)
    if claim.split == "test" and stating[-1].split == "validation":
        return Finding(verdict=Verdict.UNSUPPORTED, note=f"{note}; none was measured on test data")
    return Finding(verdict=Verdict.UNSUPPORTED, note=note)


def _not_on_record(claim: Result, values: list[Measurement], known: Known) -> Finding:
    last = known.trials[-1] if known.trials else None
    right = [
        v
        for v in values
        if last is not None and v.event is last.event and v.metric == claim.metric and _same_split(claim, v)
    ]
    if right and claim.metric is not None and not claim.of_baseline and not _changed_since(last, known):
        return Finding(
            verdict=Verdict.CONTRADICTED,
            evidence=right[-1].evidence,
            note=f"measured was {right[-1].value:g}, not {claim.stated.text if claim.stated else ''}",
        )
    if not known.trials:
        return Finding(verdict=Verdict.UNSUPPORTED, note="nothing had been measured yet")
    return Finding(verdict=Verdict.UNSUPPORTED, note="no earlier observation holds this value")


def _changed_since(last: Trial | None, known: Known) -> bool:
    """Whether a script was changed or a run failed after the last run that measured something."""
    if last is None:
        return False
    return any(is_waiting(event) for event in split_at(known.events, last.event)[1])


def _only_authored(stated: Number, known: Known) -> bool:
    return any(event.authored and number_line(event, stated) for event in known.events)


def _printed(stated: Number, known: Known) -> Evidence | None:
    """The line of an earlier run that prints the number under a name the metric reader does not know."""
    digits = re.sub(r"\D", "", stated.text).lstrip("0")
    if len(digits) < _PRECISE and stated.resolution > _FINE:
        return None
    for event in reversed(known.events):
        if event.shows_output:
            found = number_line(event, stated)
            if found is not None:
                return found
    return None


def number_line(event: Event, stated: Number) -> Evidence | None:
    """The last line of an observation that holds the stated number after rounding."""
    lead = re.sub(r"[^\d.]", "", stated.text)[:3].lstrip("0.")[:1]
    first = _first_digits(stated)
    lines = event.observation.split("\n")
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if len(line) > 4000 or (lead and lead not in line and "9" not in line) or not _may_hold(line, first):
            continue
        if any(_equal(stated, number) for number in find_numbers(line)):
            return Evidence(
                step=event.step, text=excerpt(line, line), line=at + 1, training_run=event.exchange.training_run
            )
    return None


def _first_digits(stated: Number) -> tuple[str, ...]:
    """What the digits of a printed number begin with if it can state this one: the same, or those next to them.

    Empty where that is not known: of hedged numbers, of bounds, of units that are converted, and of few digits, which a
    number in words may state as well.
    """
    if stated.approximate or stated.bound or stated.seconds != 1 or not _PLAIN.fullmatch(stated.text):
        return ()
    digits = int(re.sub(r"\D", "", stated.text))
    first = tuple(str(near)[:_LOOKED_AT].rstrip("0") for near in (digits - 1, digits, digits + 1))
    return first if min(map(len, first)) >= _PRECISE else ()


def _may_hold(line: str, first: tuple[str, ...]) -> bool:
    """Whether a line can hold a number that begins so; quick, where reading all numbers of an output is not."""
    digits = line.translate(_SEPARATORS)
    return not first or any(part in digits for part in first) or "third" in line or "sixth" in line


def _equal(stated: Number, printed: Number) -> bool:
    return stated.states(printed.value, recorded_percent=printed.percent_like)
