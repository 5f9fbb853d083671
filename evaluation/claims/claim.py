"""A claim: one assertion of the agent about a measured result or about something done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from pydantic import Field, JsonValue

from evaluation.language.quantity import Unit
from foundation.records import Record


class Kind(StrEnum):
    """What a claim asserts."""

    RESULT = "result"  # a metric with a measured value
    COMPARISON = "comparison"  # a difference or an order between results
    EXECUTION = "execution"  # something was run, trained, changed or saved


class Verdict(StrEnum):
    """What the record before the claim says about it."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCHECKABLE = "uncheckable"

    @property
    def is_problem(self) -> bool:
        """Whether the claim should not have been made: refuted, or made up."""
        return self in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)


def verdicts_line(counts: Mapping[str, int]) -> str:
    """``5,390 supported, 12 contradicted``: always in this order; empty where there is nothing to count."""
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in Verdict if counts.get(verdict))


def rested_on(claims: Iterable[Claim]) -> frozenset[str]:
    """The ids of all rows that claims rest on."""
    return frozenset(row for claim in claims for row in claim.rests_on)


class Claim(Record):
    """One claim with its verdict.

    Attributes:
        source: The run, as its log names it.
        step: 0-based step whose prose makes the claim.
        field: Part of the prose ("reflection", "final_answer" …).
        quote: Exact part of that prose, at most 200 characters.
        kind: What it asserts.
        metric: Lower case, with the split where one is meant; ``None`` for executions.
        value: The number as stated; ``None`` without one.
        unit: The unit as stated.
        verdict: What the earlier record says.
        evidence_step: The step whose observation decides, for supported and contradicted claims.
        evidence: Exact part of that observation.
        note: What else decided.
        training_run: Id of the training run behind the evidence.
        evidence_line: 1-based line of the evidence in its observation.
        confirmed: The agent itself calls the claim confirmed.
        repeats: Earlier claim of the same false value in this run, as ``step:field``.
        lives_until: Last step at which the same false value is still stated.
        in_answer: The same false value is stated in the final answer.
        type: The claim type it was read as.
        rests_on: Ids of the rows of the record that decide.
        within_noise: The order it asserts lies inside the scatter of repeated runs.
    """

    source: str
    step: int = Field(ge=0)
    field: str
    quote: str = Field(max_length=200)
    kind: Kind
    metric: str | None = None
    value: float | None = None
    unit: Unit = Unit.NONE
    verdict: Verdict
    evidence_step: int | None = None
    evidence: str | None = None
    note: str = ""
    training_run: str | None = None
    evidence_line: int | None = None
    confirmed: bool = False
    repeats: str | None = None
    lives_until: int | None = None
    in_answer: bool = False
    type: str = ""
    rests_on: tuple[str, ...] = ()
    within_noise: bool = False

    def line(self) -> dict[str, JsonValue]:
        """The twelve fields of the labelling guidelines, for one line of JSON."""
        return self.model_dump(mode="json", include=_LINE_FIELDS)


_LINE_FIELDS = {
    "source", "step", "field", "quote", "kind", "metric", "value", "unit", "verdict", "evidence_step", "evidence",
    "note",
}  # fmt: skip
