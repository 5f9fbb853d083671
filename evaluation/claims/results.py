"""Reads "metric is value" out of a clause."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from environment.metrics.meaning import names_in
from environment.metrics.names import is_setting
from evaluation.claims.assertions import FRACTIONS, Result
from evaluation.claims.claim import Kind
from evaluation.claims.modality import is_guess, is_hedged, is_plan, is_target, without_purpose
from evaluation.claims.sentences import Clause
from evaluation.claims.vague import read_vague
from evaluation.claims.values import can_be, is_change, is_duration, is_precise, is_value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import TIMES, Split, meant, place_of, splits_in, without_metrics

_GAP = 70
_PERFORMANCE = re.compile(r"\b(?:cross-validation|performance|results?|evaluation)\b", re.IGNORECASE)
_REACHING = re.compile(
    r"\b(?:(?:is|was) at(?= \d)|gives?|gave|earn(?:s|ed)|reach(?:es|ed)|get|gets|got|achiev(?:es|ed)|scor(?:es|ed)"
    r"|obtain(?:s|ed)?"
    r"|attain(?:s|ed)"
    r"|yield(?:s"
    r"|ed)|measured"
    r"|hits?|remains?|stands? at|(?:brings|takes|puts|leaves) (?:us|it|this|the \w+) (?:to|at)|(?:comes|came|follows"
    r"|sits|lands|landed|plateaued|hovers) (?:\w+ )?(?:at|with)"
    r"|climb(?:s|ed) to|ended (?:up )?(?:at|with)|overfit(?:s|ted)? (?:at|with))\b",
    re.IGNORECASE,
)
_EPOCH = re.compile(
    r"\b(?:epochs?\s*#?(?P<n>\d+)(?!\d|\.?\d*%|\s*(?:and|to|or|-|–|,|&)\s*\d)|(?P<ordinal>first|second|third|fourth"
    r"|fifth) epoch"
    r"|after (?:only |just )?(?P<count>\d+|[a-z]+) epochs?)",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1.0, "second": 2.0, "third": 3.0, "fourth": 4.0, "fifth": 5.0}
_JUDGED = re.compile(
    r"\s*of (?:the |all |our )?(?:\w+ ){1,2}(?:are|were|is|was|get|got) (?:now |still )?(?:(?P<wrong>mis|wrong"
    r"|incorrect)|(?:classified |predicted )?(?:correct|right))",
    re.IGNORECASE,
)
"""What share of examples is right or wrong."""
_ALLOWED = re.compile(r"\b(?:allowed|permitted|available|allotted|maximum(?: of)?|time limit of)\s+$", re.IGNORECASE)
_OWN_SPLIT = re.compile(r"\s*(?:%\s*)?(?:train|valid|test|dev)\w*(?!\s*[:=\d])", re.IGNORECASE)
"""As in "63% train, 61% validation"."""
_JOINT = re.compile(r"\)?\s*(?:[,;/]\s*(?:and|but|while|with)?|\band\b|\bbut\b|\bwhile\b|\bwith\b)\s*", re.IGNORECASE)
"""What stands between two results of a clause."""
_P_AND_R = re.compile(
    r"\b(?P<precision>P(?:rec)?)[ :=]+\d*\.?\d+ ?%?[ ,;/|and]+(?P<recall>R(?:ec)?)[ :=]+(?=\d)", re.IGNORECASE
)
"""Precision and recall by their letters."""
_NAMED = re.compile(r"[A-Z][a-z]*\w*|\b(?:model|run|baseline|fold|seed)\b")
"""A part that says of what its value is."""
_PERFECT = re.compile(r"\bperfect (?:\w+ )?(?P<metric>accuracy|f1(?: score)?|auc|r2|recall|precision)\b", re.IGNORECASE)
_NEARLY = re.compile(
    r"\b(?:near|nearly|almost|not|close to|(?:n't|not|never|without|failed to) (?:yet )?(?:reach\w*|achiev\w*|get))\W*"
    r"(?:an? )?$",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^([^:]{2,40}:)\W*\$?\d[\d.,]*\s*%?\W*$")
_BETWEEN = re.compile(r"\b(?:gap|difference|discrepancy)\b.*\bbetween\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:time ?limit|limit|timeout|budget)\b[^.;]{0,12}$", re.IGNORECASE)
_AWAY = re.compile(r"[;:]\s|\b(?:due to|because|since|as|although|so|which)\b", re.IGNORECASE)
"""Behind it something else is spoken of."""
_LABEL_OF_NEXT = re.compile(r"[\w-]+(?: \w+)?\s*[:=]\s*")
"""What names the next number ("(training: 0.52)")."""
_OF_RESULTS = re.compile(
    r"\W*(?:final |our |the |all )*(?:results?|scores|summary)\b"
    r"|\b(?:summari[sz]e|results?|scores?|compar\w+|findings)\b.*\b(?:experiments|runs|models|strategies|approaches"
    r"|results|so far)\b",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\w+(?: set| data(?:set)?| metrics| results| performance| scores?)\b|\w+\W*$", re.IGNORECASE)


def read_results(clause: Clause, measured: Collection[str] = ()) -> list[Result]:
    """The results a clause states: a number beside the name of a metric, or a verdict in words."""
    if is_plan(clause) or is_target(clause) or is_guess(clause) or clause.sentence.under_plan:
        return []
    text = without_purpose(clause.text)
    if _BETWEEN.search(text):
        return []
    names = _metric_places(text, measured)
    found = []
    for number in find_numbers(text):
        place = (
            None
            if is_change(number, text) or _ALLOWED.search(text[: number.start])
            else _metric_of(number, names, text)
        )
        is_difference = place is not None and number.unit is Unit.POINTS and place[0] in FRACTIONS
        if place is not None and not is_difference and not is_hedged(clause, max(number.start, place[2])):
            found.append(_result(clause, text, number, meant(place[0], measured)))
    found = _apart(found, clause) if len(found) > 1 else found
    found = found or _perfect(clause, text, measured) or _under_metric(clause, text, measured)
    return found or read_vague(clause, text)


def _apart(found: list[Result], clause: Clause) -> list[Result]:
    """Each of several results with its own part of the clause as its quote."""
    ends = [_after_value(clause.text, result.stated) for result in found[:-1]] + [(len(clause.text), 0)]
    starts = [0, *(following for _, following in ends[:-1])]
    shift = len(clause.quote) - len(clause.text)
    parted = []
    for result, start, (end, _) in zip(found, starts, ends, strict=True):
        quote = clause.quote[: shift + end] if start == 0 else clause.text[start:end]
        if not quote.strip():
            parted.append(result)
            continue
        own = clause.text[start : result.stated.start] if result.stated is not None else ""
        is_named = start > 0 and _NAMED.search(without_metrics(own))
        epoch = _EPOCH.search(clause.text)
        elsewhere = epoch is not None and found[0].stated is not None and epoch.start() > found[0].stated.end
        if epoch is not None and elsewhere and epoch.group() not in quote:
            result = replace(result, epoch=None)
        part = replace(result, quote=quote.rstrip(), start=clause.start + start)
        of_baseline = result.of_baseline and "baseline" in quote.lower()
        parted.append(replace(part, subject=own if is_named else result.subject, of_baseline=of_baseline))
    return parted


def _after_value(text: str, number: Number | None) -> tuple[int, int]:
    """Where the part with a value ends, and where the next begins."""
    at = number.end if number is not None else 0
    joint = _JOINT.search(text, at)
    return (joint.start(), joint.end()) if joint else (at, at)


def _perfect(clause: Clause, text: str, measured: Collection[str]) -> list[Result]:
    """A perfect accuracy is one of 100%."""
    said = _PERFECT.search(text)
    if said is None or is_hedged(clause, said.start()) or _NEARLY.search(text[: said.start()]):
        return []
    named = names_in(said["metric"])
    number = Number(value=1.0, text=said.group(), start=said.start(), end=said.end(), resolution=0.001)
    return [_result(clause, text, number, meant(named[0][0], measured) if named else None)]


def _under_metric(clause: Clause, text: str, measured: Collection[str]) -> list[Result]:
    """An item "Epoch 5: 90.77%" under a heading that names the metric."""
    named = names_in(clause.sentence.heading)
    is_listed = bool(named) or bool(_OF_RESULTS.search(clause.sentence.heading))
    labelled = _LABELLED.match(text) if clause.sentence.is_item and is_listed and not names_in(text) else None
    numbers = [n for n in find_numbers(text) if labelled and n.start >= labelled.end(1)]
    if not numbers or (is_setting(text[: numbers[0].start].strip(" :*")) and "epoch" not in text.lower()):
        return []
    if not named and not is_precise(numbers[0]):
        return []
    return [_result(clause, text, numbers[0], meant(named[0][0], measured) if named else None)]


class MetricValue(NamedTuple):
    """A number of a clause with the metric and split that name it."""

    number: Number
    metric: str | None
    split: Split | None


def values_in(clause: Clause, text: str, measured: Collection[str]) -> list[MetricValue]:
    """Numbers of a text that a metric names."""
    names = _metric_places(text, measured)
    found = []
    for number in find_numbers(text):
        place = _metric_of(number, names, text)
        if place is not None:
            found.append(MetricValue(number, meant(place[0], measured), split_near(text, number, clause)))
        elif number.unit is Unit.SECONDS and (not names or is_duration(number, text)) and is_value(number, text):
            found.append(MetricValue(number, "time", None))
    return found


def split_near(text: str, number: Number | None, clause: Clause) -> Split | None:
    """The split meant for a number: named after it before the next number, else before it, else by the heading."""
    found = splits_in(text)
    if number is not None and found:
        following = [n.start for n in find_numbers(text) if n.start > number.end]
        limit = following[0] if following else len(text)
        after = [
            split
            for split, at in found
            if number.end <= at < limit and not (following and _LABEL_OF_NEXT.fullmatch(text[at:limit]))
        ]
        preceding = [n.end for n in find_numbers(text) if n.end <= number.start]
        before = [split for split, at in found if (preceding[-1] if preceding else 0) <= at < number.start]
        earlier = [split for split, at in found if at < number.start]
        if not before and earlier and len(preceding) > 1:
            earlier = []  # the split before the number before last speaks of those, if not of the headings
        is_of_last = bool(preceding) and _OWN_SPLIT.match(text[preceding[-1] :])
        own = _OWN_SPLIT.match(text[number.end :]) and after[:1] and (not before or is_of_last)
        chosen = (after[:1] if own or _belongs(text[number.end : limit]) else []) or before[-1:] or earlier[-1:]
        chosen = (
            chosen or [split for split, at in found if number.end <= at and not _AWAY.search(text[number.end : at])][:1]
        )
        return chosen[0] if chosen else None
    if found:
        return found[-1][0]
    for wider in (clause.before, clause.sentence.heading):
        around = [split for split, at in splits_in(wider) if _TITLE.match(wider[at:])]
        if around:
            return around[-1]
    return None


def _belongs(following: str) -> bool:
    return bool(re.match(r"\s*\)?\s*(?:\w+\s+)?(?:on|for|in|at|\(|of)\b|\s*\(", following))


def _metric_places(text: str, measured: Collection[str]) -> list[tuple[str | None, int, int]]:
    places: list[tuple[str | None, int, int]] = [*names_in(text)]
    places += [(metric, *match.span(metric)) for match in _P_AND_R.finditer(text) for metric in ("precision", "recall")]
    lowered = text.lower()
    for name in measured:
        at = place_of(name, lowered)
        if at >= 0 and not any(start <= at < end for _, start, end in places):
            places.append((name, at, at + len(name)))
    if not places:
        places = [(None, m.start(), m.end()) for m in _PERFORMANCE.finditer(text)]
    if not places and any(is_precise(number) for number in find_numbers(text)):
        places = [(None, m.start(), m.end()) for m in _REACHING.finditer(text)]
    return sorted(places, key=lambda place: place[1])


def _metric_of(
    number: Number, places: list[tuple[str | None, int, int]], text: str
) -> tuple[str | None, int, int] | None:
    if (
        (number.text.isalpha() and number.unit is Unit.NONE)
        or _LIMIT.search(text[: number.start])
        or not is_value(number, text)
    ):
        return None
    if number.unit is Unit.SECONDS:
        places = [place for place in places if place[0] in TIMES]
        if not places:
            return ("time", number.start, number.start) if is_duration(number, text) else None
    judged = _JUDGED.match(text[number.end :])
    if judged is not None:
        return ("error rate" if judged["wrong"] else "accuracy", number.end, number.end)
    places = [place for place in places if can_be(place[0], number)]
    before = [place for place in places if place[2] <= number.start]
    after = [place for place in places if place[1] >= number.end and place[1] - number.end <= 25]
    if after and re.fullmatch(r"\s*(?:(?!and\b|or\b|with\b|while\b)\w+\s+){0,2}", text[number.end : after[0][1]]):
        gap = text[before[-1][2] : number.start] if before else ""
        if not before or not re.fullmatch(r"[^,;]{0,25}", gap) or re.search(r"\d", gap):
            return after[0]
    if before and number.start - before[-1][2] <= _GAP + (
        30 if re.search(r"\d", text[before[-1][2] : number.start]) else 0
    ):
        gap = text[before[-1][2] : number.start]
        words = re.findall(r"\w+", gap)
        setting = len(words) > 1 and not re.search(r"\d", gap) and is_setting(" ".join(words))
        return None if setting else before[-1]
    return None


def _result(clause: Clause, text: str, number: Number, metric: str | None) -> Result:
    return Result(
        kind=Kind.RESULT,
        quote=clause.quote,
        start=clause.start,
        context=f"{clause.sentence.heading} {clause.sentence.text}",
        metric=metric,
        split=split_near(text, number, clause),
        stated=number,
        epoch=epoch_in(text),
        of_baseline="baseline" in clause.text.lower(),
        subject=f"{clause.sentence.heading if clause.sentence.is_item else ''} {clause.before} {text[: number.start]}",
    )


def epoch_in(text: str) -> float | None:
    """The one epoch that a text names."""
    found = _EPOCH.search(text)
    if found is None or _EPOCH.search(text, found.end()):
        return None
    if found["ordinal"]:
        return _ORDINALS[found["ordinal"].lower()]
    numbers = find_numbers(found["n"] or found["count"])
    return numbers[0].value if numbers else None
