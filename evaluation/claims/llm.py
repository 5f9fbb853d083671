"""An extractor that asks a language model for the claims; the verdicts stay the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from pydantic import BaseModel, Field

from environment.metrics.meaning import canonical
from evaluation.claims.assertions import Assertion, Comparison, Deed, Execution, Reference, Relation, Result
from evaluation.claims.claim import Kind
from evaluation.claims.metric_names import Split, meant
from evaluation.claims.numbers import Number, find_numbers
from evaluation.claims.run_model import Known

_QUOTE = 200
_KEPT_ANSWERS = 1_000
_PROMPT = """\
List the claims in a text that an agent wrote while it worked on a machine-learning task.

A claim is one assertion about a measured result (a metric with a value), about how results compare, or about \
something that was done (run, trained, changed, saved, failed). Not claims: goals, plans, hypotheticals, settings, \
thresholds, general knowledge, facts about the data, and text quoted from the task.

Quote each claim exactly as it stands in the text, at most 200 characters. Give numbers exactly as written.

Entry: {field}
Text:
{prose}"""


class FoundClaim(BaseModel):
    """One claim in the text."""

    quote: str = Field(description="exact part of the text, at most 200 characters")
    kind: Kind
    metric: str | None = Field(default=None, description="name of the metric, without the split")
    split: Split | None = None
    value: str | None = Field(default=None, description="the measured or newer value, as written")
    old_value: str | None = Field(default=None, description="the value compared with, as written")
    difference: str | None = Field(default=None, description="the stated difference, as written")
    relation: Relation | None = Field(default=None, description="for a comparison: how the newer value stands")
    reference: Reference | None = Field(default=None, description="for a comparison: what it is held against")
    compared_with: str = Field(default="", description="the other thing, where it is called by name")
    deed: Deed | None = Field(default=None, description="for an execution: what was done")
    denied: bool = Field(default=False, description="the text says that it was not done")


class FoundClaims(BaseModel):
    """All claims in the text, in order."""

    claims: list[FoundClaim] = Field(default_factory=list)


Ask: TypeAlias = Callable[[str, type[FoundClaims]], FoundClaims | None]
"""Puts a prompt to a model; ``None`` where it gives no answer that fits."""


class ModelExtractor:
    """Finds claims with a language model through structured output.

    A quote that is not an exact part of the text is dropped: a model's paraphrase is not what the agent said.
    A text that is written again word for word, as plans are, is not paid for again.

    Args:
        ask: Puts a prompt to the model.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._found = lru_cache(_KEPT_ANSWERS)(self._asked)

    def __call__(self, prose: str, field: str, known: Known) -> Iterable[Assertion]:
        """The assertions of one prose."""
        found = self._found(field, prose) if prose.strip() else None
        return list(_assertions(found, prose, known)) if found else []

    def _asked(self, field: str, prose: str) -> FoundClaims | None:
        return self._ask(_PROMPT.format(field=field, prose=prose), FoundClaims)


def _assertions(found: FoundClaims, prose: str, known: Known) -> Iterator[Assertion]:
    for claim in found.claims:
        start = prose.find(claim.quote)
        if claim.quote and start >= 0:
            yield _assertion(claim, start, known)


def _assertion(claim: FoundClaim, start: int, known: Known) -> Assertion:
    quote = claim.quote[:_QUOTE]
    metric = meant(canonical(claim.metric), known.measured_names) if claim.metric else None
    if claim.kind is Kind.EXECUTION:
        return Execution(
            kind=claim.kind,
            quote=quote,
            start=start,
            context=quote,
            deeds=(claim.deed or Deed.RUN,),
            verbs=(),
            negated=claim.denied,
            numbers=find_numbers(quote),
            about=quote,
        )
    if claim.kind is Kind.RESULT:
        return Result(
            kind=claim.kind,
            quote=quote,
            start=start,
            context=quote,
            metric=metric,
            split=claim.split,
            stated=_number(claim.value, quote),
            of_baseline="baseline" in quote.lower(),
        )
    return Comparison(
        kind=claim.kind,
        quote=quote,
        start=start,
        context=quote,
        metric=metric,
        split=claim.split,
        relation=claim.relation or Relation.BETTER,
        references=(claim.reference,) if claim.reference else (),
        new=_number(claim.value, quote),
        old=_number(claim.old_value, quote),
        delta=_number(claim.difference, quote),
        other=claim.compared_with,
    )


def _number(written: str | None, quote: str) -> Number | None:
    """The number of the quote that the model means; ``None`` where the quote has no such number."""
    if written is None:
        return None
    wanted = find_numbers(written)
    if not wanted:
        return None
    return next((number for number in find_numbers(quote) if number.value == wanted[0].value), None)
