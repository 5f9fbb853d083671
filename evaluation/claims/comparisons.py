"""Reads orders and differences out of a clause: "improved from A to B", "better than the baseline", "best so far"."""

from __future__ import annotations

import re
from collections.abc import Collection, Set
from dataclasses import replace

from environment.metrics.meaning import names_in
from evaluation.claims.about_results import ADJECTIVE, is_about_results, refers_back
from evaluation.claims.assertions import Comparison, Reference, Relation
from evaluation.claims.claim import Kind
from evaluation.claims.compared_splits import other_split, own_split, split_before_other
from evaluation.claims.factors import factor_of
from evaluation.claims.implied_comparisons import called_best, goal_reached, part_of_gain, stated_pair
from evaluation.claims.modality import is_guess, is_hedged, is_plan, is_target, without_purpose
from evaluation.claims.relations import (
    DEEDS_NOT_RESULTS,
    DEGREE,
    EVERY,
    REFERENCES,
    RELATION,
    SETTING_OBJECT,
    SUPERLATIVES,
    TRANSITIVE,
    WITHIN_RUN,
    stated_absence,
)
from evaluation.claims.results import MetricValue, epoch_in, values_in
from evaluation.claims.roles import roles
from evaluation.claims.sentences import Clause
from evaluation.claims.subjects import content_words
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import meant, place_of, splits_in

_EXPECTED = re.compile(
    r"^\s*(?:(?:than|as) )?(?:\w+ )?(?:expected|anticipated|hoped|desired|wanted|i'd|we'd|i would|we would"
    r"|i had|we had hoped)",
    re.IGNORECASE,
)
_OTHER_THING = re.compile(
    r"\b(?:than|(?<=improves )on|(?<=improved )on|upon|over|with|as(?! well)|(?:compared|similar|relative|equal"
    r"|inferior|superior|close) to)\s+(?!\d)\w",
    re.I,
)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_OF_STARTER = re.compile(r"\b(?:baseline|starter|original|initial|before|previous(?:ly)?)\b", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:than )?(?:an? |one )?(?:half|third|quarter) (?:of )?(?:what|the (?:original|previous|former))", re.I
)
_MISSED = re.compile(
    r"\b(?:has|have|had|was|were|is) (?:still )?(?:not|never) (?:yet )?(?:been )?(?:achieved|reached|met|attained)\b"
    r"|n't (?:yet )?(?:been )?(?:achieved|reached|met)\b",
    re.IGNORECASE,
)
_MERE_SHARE = re.compile(
    r"\W*(?:is|was|means|equals)?\W*(?:about|around|roughly|approximately|almost|nearly"
    r"|~)?\W*[+-]?\d[\d.]*\s?%\W*$",
    re.I,
)
_COMPARED_WITH = re.compile(
    r"^\W*(?:compared (?:to|with)|relative to|unlike) .{2,60}?(?:,|(?= (?:the|this|that|we|our|it"
    r"|its)\b))",
    re.IGNORECASE,
)
"""A reference at the head of a sentence."""
_FOR_THAN = re.compile(
    r"(?P<own>\s+(?:for|with|on|in|at|when using|using|by)\s+[^.;,\d]{3,60}?)\s+"
    r"(?P<than>than (?:for|with|on|in|at"
    r"|when using|using)\b.*)",
    re.IGNORECASE,
)
"""What the order is about stands behind it: "lower for the positive class than for the negative one"."""
_ON_ALL = re.compile(
    r"\b(?:on|for|in|across) (?:all|every|each)(?: of)?(?: the| its| our)?(?: (?:\d+|two|three|four|five|six|seven"
    r"|eight"
    r"|nine|ten))? (?:folds?|targets?|metrics?|measures?|tasks?|datasets?|columns?|classes|class|seeds?|splits?)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r"(?:\w+ly |further |thus |also )?(?:improving|outperforming|beating|surpassing|exceeding)\b", re.I
)
"""Speaks of the value of the clause before."""
_OF = re.compile(r"\W*(?:of|at|is|was|being)?\W*", re.IGNORECASE)
_STEPS = re.compile(r"\s*(?:training |gradient |update )?(?:steps|iterations|updates)\b", re.IGNORECASE)
_IT = re.compile(r"\W*(?:it|this|that)\b", re.IGNORECASE)
_INITIALS = re.compile(r"\b(?:lowest|highest) (?:[a-z]+ )?([A-Z]{3,6})\b")
_ITS = re.compile(r"\W*its\b", re.IGNORECASE)
_EVERY_EPOCH = re.compile(r"\b(?:every|each) epoch\b", re.IGNORECASE)
_ERROR = re.compile(r"\berrors?\b", re.IGNORECASE)
_BOUND = re.compile(r"surpass|beat|outperform|above|below|exceed|less|greater|higher|lower|smaller", re.IGNORECASE)
_IN_EPOCH = re.compile(r"\b(?:after|at|in|by) (?:only |just |the )?(?:\d+|first|second|third) epochs?\b", re.IGNORECASE)
"""The claim is about that epoch's value, not about the course of a run."""


def read_comparisons(clause: Clause, measured: Collection[str] = (), names: Set[str] = frozenset()) -> list[Comparison]:
    """The comparison a clause makes between results, if it makes one; ``names`` are words that runs are called by."""
    implied = part_of_gain(clause) or called_best(clause, measured) or goal_reached(clause, measured)
    if implied:
        return implied
    if is_plan(clause) or is_target(clause) or is_guess(clause) or clause.sentence.under_plan:
        return []
    text = without_purpose(clause.text)
    values = values_in(clause, text, measured)
    match = _relation(text, clause.text)
    if match is not None and _is_time_bound(match, text):
        return []
    if match is None and clause.connector == "which" and _MERE_SHARE.match(text):
        return _share_of_change(clause, text, measured)
    if match is None:
        return stated_pair(clause, text, values)
    if (
        _EXPECTED.search(text[match.end() :])
        or is_hedged(clause, match.start())
        or not (is_about_results(clause, text, match, values, names) or _orders_measured(match, text, measured))
    ):
        return []
    return [_comparison(clause, text, match, values, measured)]


def _share_of_change(clause: Clause, text: str, measured: Collection[str]) -> list[Comparison]:
    """As "… decreased by 5,174, which is roughly 24%": the change of the clause before, in percent."""
    before = clause.before.rstrip(" ,")
    match = _relation(before, before)
    if match is None:
        return []
    changed = _comparison(clause, before, match, values_in(clause, before, measured), measured)
    return [replace(changed, delta=next(iter(find_numbers(text)), None))]


def _orders_measured(match: re.Match[str], text: str, measured: Collection[str]) -> bool:
    """Whether a metric that only this run knows rose or fell."""
    head = text[: match.start()].lower()
    return match.lastgroup in ("HIGHER", "LOWER", "SAME") and any(place_of(name, head) >= 0 for name in measured)


def _is_time_bound(match: re.Match[str], text: str) -> bool:
    """Whether "less than 20 minutes" bounds one duration, and compares nothing."""
    is_bound = match.group().lower() in ("less", "more", "longer") and re.match(r"\s+than\b", text[match.end() :])
    return bool(is_bound) and any(number.bound and number.unit is Unit.SECONDS for number in find_numbers(text))


def _relation(text: str, whole: str) -> re.Match[str] | None:
    """The word that orders; a verb of change goes before a superlative that it is compared with."""
    excluded = [m.span() for m in DEEDS_NOT_RESULTS.finditer(whole)]
    found = [m for m in RELATION.finditer(text) if not any(a <= m.start() < b for a, b in excluded)]
    found = [m for m in found if not re.search(r"\bto (?:be )?$|`\w*$", text[: m.start()], re.IGNORECASE)]
    adjusted = [m for m in found if not (ADJECTIVE.fullmatch(m.group()) and SETTING_OBJECT.match(text[m.end() :]))]
    found = adjusted or found
    top = [m for m in found if m.lastgroup in SUPERLATIVES]
    verbs = [m for m in found if m.lastgroup not in SUPERLATIVES]
    if top and verbs and verbs[0].start() < top[0].start():
        return verbs[0]
    return next(iter(top or verbs), None)


def _comparison(
    clause: Clause, text: str, match: re.Match[str], values: list[MetricValue], measured: Collection[str]
) -> Comparison:
    new, old, delta = roles(text, values, match.end() if TRANSITIVE.match(match.group()) else None)
    called = _right_behind(text, match, values) if match.lastgroup in SUPERLATIVES else None
    if called is not None:
        new, old = called, None if old == called else old
    if refers_back(clause, text) and delta is None and old is None and new is not None and new.percent_like:
        new, delta = None, new
    if refers_back(clause, text) and new is None:
        new = _value_before(clause, old, measured)
    if new is None and (clause.connector == "which" or (_PARTICIPLE.match(text) and clause.before)):
        new, before, _ = roles(clause.before, values_in(clause, clause.before, measured))
        old = old or before
    if new is None and old is not None and match.lastgroup in SUPERLATIVES:
        new, old = old, None
    head = text[: match.start()]
    tail = text[match.end() :]
    own = _FOR_THAN.match(tail)
    against = _COMPARED_WITH.match(head)
    every, other = EVERY.search(head) or _ON_ALL.search(tail), other_split(text, match)
    relation = Relation[str(match.lastgroup)]
    negated = stated_absence(head, match.group())
    if negated:
        relation = relation.denied
    number = delta or new or old
    in_head = names_in(head) if new is None else ()
    metric = in_head[-1][0] if in_head else next((v.metric for v in values if v.number in (new, old, delta)), None)
    metric = _counted(text, new) or metric or _metric(clause, text, measured)
    if metric is None and _IT.match(text) and factor_of(text):
        metric = next((name for name, _, _ in reversed(names_in(clause.sentence.previous))), None)
    if metric is None and refers_back(clause, text):
        back = names_in(clause.before) or names_in(clause.sentence.previous)
        metric = back[-1][0] if back else None
    elif (
        metric is None
        and not values
        and not _ERROR.search(text)
        and not (clause.connector == "which" and factor_of(text))
    ):
        relation = relation.of_performance
    return Comparison(
        kind=Kind.COMPARISON,
        quote=clause.quote,
        start=clause.start,
        context=f"{clause.sentence.previous} {clause.sentence.text}",
        metric=meant(metric, measured),
        split=own_split(clause, text, match, number)
        if other is None or splits_in(head)
        else split_before_other(text, match),
        splits=tuple(dict.fromkeys(split for split, _ in splits_in(text)))
        if number is None and _BOTH.search(text)
        else (),
        relation=relation,
        references=_references(clause, text, match, stated=new is not None and old is not None),
        new=new,
        old=old,
        delta=delta,
        threshold=new is None and old is not None and bool(_BOUND.match(match.group())),
        every=every is not None,
        share=every.group() if every is not None and every.groupdict().get("some") else "",
        epoch=epoch_in(text),
        missed=bool(_MISSED.search(text)),
        negated=negated,
        factor=factor_of(text),
        hedged=negated and bool(DEGREE.search(text)),
        subject=_subject(clause, head[against.end() :] if against else f"{head}{own['own'] if own else ''}"),
        other=f"{against.group() if against else ''} {own['than'] if own else tail}".strip(),
        other_split=other,
    )


def _right_behind(text: str, match: re.Match[str], values: list[MetricValue]) -> Number | None:
    """The number that a superlative calls so: "and a best of 79.51%"."""
    behind = [v.number for v in values if v.number.start >= match.end()]
    found = [number for number in behind if _OF.fullmatch(text[match.end() : number.start])]
    return found[0] if found else None


def _subject(clause: Clause, head: str) -> str:
    """The words in front of the relation, with the clause before for "its"."""
    return f"{clause.before if _ITS.match(head) else ''} {head}".strip()


def _value_before(clause: Clause, old: Number | None, measured: Collection[str]) -> Number | None:
    """The one value that "this" refers to, unless it is the starter's."""
    said = clause.before or clause.sentence.previous
    given = values_in(clause, said, measured)
    said_new, _, _ = roles(said, given)
    if (
        len(given) != 1
        or said_new != given[0].number
        or _OF_STARTER.search(said)
        or (old is not None and given[0].number.value == old.value)
    ):
        return None
    return given[0].number


def _counted(text: str, new: Number | None) -> str | None:
    """The count that a value is, whatever is reached in it: "99% accuracy after 1,686 steps instead of 1,923"."""
    return "steps" if new is not None and _STEPS.match(text[new.end :]) else None


def _metric(clause: Clause, text: str, measured: Collection[str]) -> str | None:
    named = names_in(text)
    if named:
        return named[0][0]
    initials = _INITIALS.search(text)
    if initials is not None and initials[1].lower() not in measured:
        return initials[1].lower()
    known = next((name for name in sorted(measured) if place_of(name, text.lower()) >= 0), None)
    before = names_in(clause.before)
    return known or (before[-1][0] if before and clause.connector in ("which", "and", "but", "being") else None)


def _references(clause: Clause, text: str, match: re.Match[str], *, stated: bool) -> tuple[Reference, ...]:
    """What is compared with, said in the clause, else before it, else in the heading; a superlative: everything."""
    if match.lastgroup in SUPERLATIVES:
        return (Reference.WITHIN,) if WITHIN_RUN.search(text) else (Reference.ALL,)
    if WITHIN_RUN.search(text) and not stated and other_split(text, match) is None and not _IN_EPOCH.search(text):
        beside = _EVERY_EPOCH.search(text) and dict(REFERENCES)[Reference.BASELINE].search(text)
        return (Reference.WITHIN, Reference.BASELINE) if beside else (Reference.WITHIN,)
    named = None if _SHARE.search(text[match.start() :]) else _OTHER_THING.search(text[match.end() :])
    transitive = TRANSITIVE.match(match.group()) and content_words(text[match.end() :])
    for place in (text,) if stated or named or transitive else (text, clause.before, clause.sentence.heading):
        found = tuple(reference for reference, pattern in REFERENCES if pattern.search(place))
        if Reference.BEST in found or Reference.ALL in found:
            found = tuple(reference for reference in found if reference is not Reference.PREVIOUS)
        if found:
            return found
    if named or transitive:
        return (Reference.NAMED,)
    return (Reference.WITHIN,) if WITHIN_RUN.search(text) else ()
