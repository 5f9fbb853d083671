"""What is called the most important feature: held against printed importances, and unsupported without any."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluation.claims.assertions import Comparison, Reference, Relation, compared_in
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import unsupported
from evaluation.claims.modality import is_guess, is_hedged, is_plan, is_target
from evaluation.claims.sentences import Clause
from evaluation.claims.values import is_precise
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known

IMPORTANCE = "feature importance"
_MOST = re.compile(
    r"\b(?:is|are|was|were|remains?|being)\b[^.;]{0,30}?\b(?:most|least)"
    r" (?:important|influential|predictive|informative)"
    r" (?:\w+ )?(?:features?|predictors?|variables?|columns?|attributes?)\b"
    r"|\b(?:most|least) (?:important|influential|predictive|informative) (?:\w+ )?(?:features?|predictors?|variables?"
    r"|columns?|attributes?)\s+(?:is|are|was|were)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"importances?_?\b|coef_|\bshap\b|mutual_info", re.IGNORECASE)


def read_importance(clause: Clause) -> list[Comparison]:
    """The feature that a clause calls the most important one, without a value of it."""
    said = _MOST.search(clause.text)
    if said is None or any(is_precise(number) for number in find_numbers(clause.text)):
        return []
    if is_plan(clause) or is_target(clause) or is_guess(clause) or is_hedged(clause, said.start()):
        return []
    return [
        replace(
            compared_in(clause),
            metric=IMPORTANCE,
            relation=Relation.HIGHEST if "most" in said.group().lower() else Relation.LOWEST,
            references=(Reference.ALL,),
            subject=clause.text,
        )
    ]


def judge_unprinted(claim: Comparison, known: Known) -> Finding | None:
    """Unsupported, where nothing measured the importance of features; ``None`` where values of it are on record."""
    if claim.metric != IMPORTANCE or claim.number is not None or IMPORTANCE in known.measured_names:
        return None
    if known.is_cut or _MEASURED.search(known.code):
        return Finding(verdict=Verdict.UNCHECKABLE, note="importances are not on record by name")
    return unsupported("no importance of a feature is on record")
