"""All claim types: what each asserts, what judges it, and under which name it is asked for and documented."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from evaluation.claims.judging.count import judge_count
from evaluation.claims.judging.deed import judge_deed
from evaluation.claims.judging.difference import judge_difference
from evaluation.claims.judging.extreme import judge_extreme
from evaluation.claims.judging.finding import Finding
from evaluation.claims.judging.fix import judge_fix
from evaluation.claims.judging.order import judge_order
from evaluation.claims.judging.outcome import judge_outcome
from evaluation.claims.judging.tendency import judge_tendency
from evaluation.claims.judging.vague import judge_vague
from evaluation.claims.judging.value import judge_value
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.count import Count
from evaluation.claims.types.deed import Deed
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.fix import Fix
from evaluation.claims.types.order import Order
from evaluation.claims.types.outcome import Outcome
from evaluation.claims.types.tendency import Tendency
from evaluation.claims.types.vague import Vague
from evaluation.claims.types.value import Value
from evaluation.record.known import Known


@dataclass(frozen=True)
class ClaimType:
    """One type of claim.

    Attributes:
        model: Its fields, which are also the schema that a language model fills in.
        judge: Holds it against the record.
    """

    model: type[Assertion]
    judge: Callable[[Any, Known], Finding]

    @property
    def name(self) -> str:
        """Under which it is reported."""
        return str(self.model.model_fields["type"].default)

    @property
    def line(self) -> str:
        """What it asserts, in one line with examples."""
        return " ".join((self.model.__doc__ or "").split())


TYPES = (
    ClaimType(Value, judge_value),
    ClaimType(Order, judge_order),
    ClaimType(Difference, judge_difference),
    ClaimType(Extreme, judge_extreme),
    ClaimType(Tendency, judge_tendency),
    ClaimType(Count, judge_count),
    ClaimType(Deed, judge_deed),
    ClaimType(Outcome, judge_outcome),
    ClaimType(Fix, judge_fix),
    ClaimType(Vague, judge_vague),
)
_BY_MODEL = {each.model: each for each in TYPES}
_Any: Any = Annotated[reduce(or_, [each.model for each in TYPES]), Field(discriminator="type")]
ASSERTED: TypeAdapter[Assertion] = TypeAdapter(_Any)
"""Reads an assertion of any type, told apart by its ``type``."""


def type_of(assertion: Assertion) -> ClaimType:
    """The type of an assertion."""
    return next(_BY_MODEL[each] for each in type(assertion).__mro__ if each in _BY_MODEL)


def judge(assertion: Assertion, known: Known) -> Finding:
    """The verdict on an assertion, whoever read it."""
    return type_of(assertion).judge(assertion, known)
