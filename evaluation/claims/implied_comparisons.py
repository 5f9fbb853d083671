"""Comparisons without a word of order: a value called the best, a goal reached, two values side by side."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from evaluation.claims.assertions import Comparison, Reference, Relation, compared_in
from evaluation.claims.modality import is_hedged, is_plan
from evaluation.claims.relations import RELATION
from evaluation.claims.results import MetricValue, split_near, values_in
from evaluation.claims.sentences import Clause
from evaluation.claims.values import is_precise, is_value
from evaluation.language.numbers import Number, find_numbers

_CALLED_BEST = re.compile(
    r"\b(?:our|the|my) (?:previous |current )?best(?:[- ]performing)?[\w -]{0,40}?"
    r"(?:,? (?:which|that) (?:had|has|achieved|got|gave|scored)|,? which| with\b|\s*\(|:)",
    re.IGNORECASE,
)
_GOAL_REACHED = re.compile(
    r"\b(?:goal|target|threshold|requirement)\b.*\b(?:achieved|reached|met|exceeded|surpassed)\b"
    r"|\b(?:achiev(?:ed|es)|reach(?:ed|es)|met|meets|exceed(?:ed|s)|surpass(?:ed|es)|satisf(?:ied|ies))\b.*\b(?:goal"
    r"|target|threshold|requirement)\b"
    r"|\b(?:exceed|surpass|meet|reach|achiev)\w*\b.*\b(?:asked for|required|requested|needed|hop(?:ed|ing) for)\b"
    r"|(?:\b(?:is|are|was|lies|now)|'s) (?:\w+ )?(?:below|above|under|over|past) (?:our|the"
    r"|my) (?:[\d.]+ ?\w* )?(?:goal"
    r"|target|threshold)\b",
    re.IGNORECASE,
)
_MISSED = re.compile(r"\b(?:not|never|yet to)\b|n't\b", re.IGNORECASE)
_DELTA_GOAL = re.compile(r"\b(?:improv\w+|increas\w+|reduc\w+)\b", re.IGNORECASE)
_FROM_TO = re.compile(
    r"\bfrom\b\W*\d[^a-z]*(?:\([^)]*\)|(?:in|at|after|with|on|for) [^.,;\d]{1,30})?\W*\bto\b[^\d]{0,30}\d",
    re.IGNORECASE,
)
_CHAIN = re.compile(r"\d*\.\d+%?(?: (?:to|then) | ?(?:→|->|=>) ?)\d*\.\d+%?(?: (?:to|then) | ?(?:→|->|=>) ?)\d*\.\d+")
"""Three values or more, one after the other."""
_ARROW = re.compile(
    r"\d[^\w]{0,3}\s*(?:→|->|=>)|\d[^.]{0,40}?\(?\b(?:compared (?:to|with)|against|versus|vs\.?"
    r"|as opposed to|instead of|rather than)(?!\w)[^\d]{0,60}\d",
    re.IGNORECASE,
)


_PART_OF_GAIN = re.compile(
    r"(?:\b(?:accounts?|accounted) for|\b(?:comes?|came|stems?|stemmed) (?:mostly |mainly |only |alone )?from"
    r"|\b(?:is|are|was|were) (?:due to|responsible for)|\bcontribut(?:es|ed)|\b(?:brings?|brought|adds?|added))"
    r" (?:about |around |roughly |some )?(?P<tail>.*)",
    re.IGNORECASE,
)
_SHARE_OF = re.compile(
    r"\d ?(?:%|points?|percent\w*)? of (?:them|these|this|that|those|the (?:gain|improvement|increase|reduction"
    r"|difference))\b"
    r"|\bof which\b|\b(?:most|half|all|the rest|a third|two thirds) of (?:the|this|that|our|these) (?:\w+ )?(?:gains?"
    r"|improvements?"
    r"|increase|reduction|difference|points)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\balone\b", re.IGNORECASE)


def part_of_gain(clause: Clause) -> list[Comparison]:
    """What part of a gain a part of a change brought: "beam search alone accounts for 2.2 of them"."""
    text = clause.text
    cause = _PART_OF_GAIN.search(text)
    share = _SHARE_OF.search(f"of which {text}" if clause.before.endswith("of which") else text)
    alone = cause is not None and _ALONE.search(text) and find_numbers(cause["tail"])
    if cause is None or (share is None and not alone) or is_plan(clause) or is_hedged(clause, cause.start()):
        return []
    return [
        replace(
            compared_in(clause),
            relation=Relation.BETTER,
            subject=text,
            attributed=True,
        )
    ]


def called_best(clause: Clause, measured: Collection[str]) -> list[Comparison]:
    """A value given for what is called the best, even where the sentence only plans to use it."""
    place = clause.sentence.heading if clause.sentence.is_item else clause.before + clause.text
    called = _CALLED_BEST.search(place)
    text = clause.text
    if called is None or (not clause.sentence.is_item and called.end() <= len(clause.before) - 12):
        return []
    values = values_in(clause, text, measured)
    if not values or RELATION.search(text[: values[0].number.start].lower().replace("best", "")):
        return []
    return [
        replace(
            compared_in(clause),
            context=f"{clause.sentence.heading} {clause.sentence.text}",
            metric=values[0].metric,
            split=values[0].split,
            relation=Relation.BEST,
            references=(Reference.ALL,),
            new=values[0].number,
            subject=text,
        )
    ]


def goal_reached(clause: Clause, measured: Collection[str]) -> list[Comparison]:
    """A goal that is said to be reached, or not."""
    text = clause.text
    said = _GOAL_REACHED.search(text)
    if said is None or is_plan(clause) or is_hedged(clause, said.end()):
        return []
    values = values_in(clause, text, measured)
    number = values[0].number if values else next((n for n in find_numbers(text) if is_value(n, text)), None)
    if number is None or (_DELTA_GOAL.search(text) and not number.percent_like):
        return []
    if _DELTA_GOAL.search(text):
        return [_improved_by(clause, text, number, values)]
    missed = bool(_MISSED.search(text))
    return [
        replace(
            compared_in(clause),
            metric=values[0].metric if values else None,
            split=values[0].split if values else None,
            relation=Relation.WORSE if missed else Relation.NOT_WORSE,
            threshold=True,
            is_goal=True,
            old=number,
            subject=text,
        )
    ]


def _improved_by(clause: Clause, text: str, number: Number, values: list[MetricValue]) -> Comparison:
    """An improvement by at least so much that is said to be reached, or not."""
    return replace(
        compared_in(clause),
        metric=next((v.metric for v in values if v.metric is not None), None),
        relation=Relation.BETTER,
        references=(Reference.BASELINE,),
        delta=replace(number, bound=">"),
        missed=bool(_MISSED.search(text)),
        subject=text,
    )


def stated_pair(clause: Clause, text: str, values: list[MetricValue]) -> list[Comparison]:
    """A comparison without a word of order: "0.71 -> 0.74", "0.74, compared to 0.71"."""
    numbers = [number for number in find_numbers(text) if is_value(number, text)]
    chain = _CHAIN.search(text)
    if chain is not None and not values:
        values = [MetricValue(numbers[-1], None, None)] if numbers else []
    if (
        len(numbers) < 2
        or not (values or all(is_precise(n) for n in numbers))
        or not (_ARROW.search(text) or _FROM_TO.search(text))
    ):
        return []
    if chain is not None:
        numbers = [n for n in numbers if chain.start() <= n.start < chain.end()]
        numbers = [numbers[0], numbers[-1]]
    old, new = numbers[:2] if re.search("→|->|=>", text) or _FROM_TO.search(text) else numbers[1::-1]
    baseline = (Reference.BASELINE,) if "baseline" in text.lower() else ()
    return [
        replace(
            compared_in(clause),
            metric=values[0].metric if values else None,
            split=split_near(text, new, clause),
            relation=Relation.HIGHER if new.value >= old.value else Relation.LOWER,
            references=baseline,
            new=new,
            old=old,
            subject=text,
        )
    ]
