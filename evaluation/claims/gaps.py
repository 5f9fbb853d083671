"""Reads what a clause says of the gap between training and held-out results."""

from __future__ import annotations

import re
from dataclasses import replace

from environment.metrics.meaning import names_in
from evaluation.claims.assertions import Assertion, Comparison, Reference, Relation, Result, compared_in
from evaluation.claims.claim import Kind
from evaluation.claims.modality import is_guess, is_hedged, is_plan, without_purpose
from evaluation.claims.relations import REFERENCES
from evaluation.claims.sentences import Clause
from evaluation.claims.values import is_value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.splits import GAP, split_of

_NAMED = re.compile(
    r"\b(?:gap|difference|discrepancy)\b[^.;]{0,40}?\bbetween\b[^.;]{0,30}?\b(?:train|val|test|held|hold)"
    r"|\b(?:train\w*\W{1,3}(?:and )?(?:val\w*|test)|generali[sz]ation|overfitting) (?:\w+ ){0,2}(?:gap|difference)\b"
    r"|\b(?:this|that|the|its) (?:\w+ )?gap\b(?! to\b)"
    r"|\b(?:this|that|the|a) (?:\w+ )?difference of (?:more than |about |over |almost |nearly )?[\d.]+[^.]*\boverfit",
    re.IGNORECASE,
)
_OVERFITTING = re.compile(
    r"\boverfitting (?:has |is |was )?(?:now |slightly |clearly )?(?P<verb>decreased|increased|reduced|lower|higher)\b"
    r"|\boverfits (?P<much>less|more)\b|\btrain\w* and (?:val|test|held|hold)\w* .{0,40}\b(?P<near>closer"
    r"|further apart)\b",
    re.IGNORECASE,
)
_RELATIONS = (
    (Relation.HIGHEST, re.compile(r"\b(?:largest|biggest|widest|highest|greatest)\b", re.IGNORECASE)),
    (Relation.LOWEST, re.compile(r"\b(?:smallest|narrowest|lowest|least)\b", re.IGNORECASE)),
    (
        Relation.HIGHER,
        re.compile(
            r"\b(?:widen\w*|grew|grown|grows|increas\w+|larger|bigger|wider|higher|greater|rose|more)\b(?! than \d)",
            re.I,
        ),
    ),
    (
        Relation.LOWER,
        re.compile(
            r"\b(?:narrow\w*|shr[aiu]nk\w*|decreas\w+|reduc\w+|smaller|lower|less|clos\w+|fell|dropped)\b(?! than \d)",
            re.I,
        ),
    ),
)
_NEAR = 30
"""Characters in front of a number in which its split stands."""
_BEFORE = 15
"""Characters in front of "gap" in which a word of order may stand."""
_FROM = re.compile(r"\bfrom\b[^\d]{0,20}$", re.IGNORECASE)


def read_gap(clause: Clause) -> list[Assertion]:
    """The size of the gap that a clause states, or how it compares; nothing where it names none."""
    text = without_purpose(clause.text)
    overfitting = _OVERFITTING.search(text)
    named = overfitting or _NAMED.search(text)
    if named is None or is_plan(clause) or is_guess(clause) or is_hedged(clause, named.end()):
        return []
    said = text[max(0, named.start() - _BEFORE) :]
    numbers = [n for n in find_numbers(text) if n.start >= named.start() and is_value(n, text)]
    if len(numbers) > 1 and not any(_FROM.search(text[: n.start]) for n in numbers):
        numbers = []
    relation = next((relation for relation, pattern in _RELATIONS if pattern.search(said)), None)
    pair = _pair(clause, text) if relation is None else []
    if relation is None and pair:
        return pair
    if relation is None:
        return [_size(clause, text, numbers[0])] if numbers else []
    return [_order(clause, text, relation, numbers, named)]


def _pair(clause: Clause, text: str) -> list[Assertion]:
    """Both values of a gap: "a difference between the training RMSE (1.2) and the validation RMSE (1.9)"."""
    stated = [(n, split_of(text[: n.start][-_NEAR:])) for n in find_numbers(text) if is_value(n, text)]
    named = names_in(text)
    if len(stated) != 2 or not named or None in (stated[0][1], stated[1][1]) or stated[0][1] == stated[1][1]:
        return []
    (new, split), (old, other_split) = stated
    return [
        replace(
            compared_in(clause),
            metric=named[0][0],
            split=split,
            relation=Relation.HIGHER if new.value > old.value else Relation.LOWER,
            new=new,
            old=old,
            other_split=other_split,
        )
    ]


def _size(clause: Clause, text: str, number: Number) -> Result:
    return Result(
        kind=Kind.COMPARISON,
        quote=clause.quote,
        start=clause.start,
        context=clause.sentence.text,
        metric=GAP,
        stated=number,
        subject=f"{clause.before} {text}",
    )


def _order(clause: Clause, text: str, relation: Relation, numbers: list[Number], gap: re.Match[str]) -> Comparison:
    old = next((n for n in numbers if _FROM.search(text[: n.start])), None)
    new = next((n for n in numbers if n is not old), None)
    references = tuple(reference for reference, pattern in REFERENCES if pattern.search(text))
    is_top = relation in (Relation.HIGHEST, Relation.LOWEST)
    held_against = re.search(r"\b(?:than|compared (?:to|with))\b", text)
    named = (Reference.NAMED,) if held_against and not references else ()
    return replace(
        compared_in(clause),
        metric=GAP,
        relation=relation,
        references=(Reference.ALL,) if is_top else references or named,
        new=new,
        old=old,
        subject=text if is_top else text[: gap.start()],
        other=text[held_against.end() :] if held_against else "",
    )
