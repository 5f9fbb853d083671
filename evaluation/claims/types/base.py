"""What all claim types are made of: stated numbers, ids of rows, and two operands to compare."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding
from evaluation.language.multiples import multiple_in
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split
from evaluation.record.known import Known
from foundation.records import Record

Ids = Annotated[tuple[str, ...], Field(description="ids of the ledger")]
Metric = Annotated[
    str, Field(description="the metric without its split, as the ledger names it; empty if none is named")
]
OfSplit = Annotated[Split | None, Field(description="only where the text names it")]
Called = Literal["baseline", "best"]
Relation = Literal[
    "higher", "lower", "better", "worse", "same", "similar", "not higher", "not lower", "not better", "not worse"
]


_NONE = re.compile(r"\b(?:no|none|never|neither|nothing|nowhere|without|positive|negative)\b", re.IGNORECASE)
"""Words that tell of naught."""
_NAUGHT = 0.01
"""How exactly they do."""

_ABOUT = 0.25
"""Share of a hedged number by which it may be off, but for rounding."""


def _quantity(written: object, info: ValidationInfo) -> object:
    """The number that a model gives as text, as the quote has it: with its unit and its hedges.

    Its sign may be told in words ("lowered by 0.63"), and so may naught.
    """
    if not isinstance(written, str | int | float) or isinstance(written, bool):
        return written
    wanted = find_numbers(str(written))
    if not wanted:
        raise ValueError(f"{written!r} is no number")
    quote = (info.context or {}).get("quote")
    if quote is None:
        return wanted[0]
    value = wanted[0].value
    given = find_numbers(quote)
    found = next((number for number in given if number.value == value), None) or multiple_in(quote, value)
    if found is None:
        found = next((replace(number, value=value) for number in given if abs(number.value) == abs(value)), None)
    if found is None and value == 0 and _NONE.search(quote):
        found = replace(wanted[0], resolution=_NAUGHT)
    if found is None:
        raise ValueError(f"{written!r} does not stand in the quote")
    if found.approximate:  # "about 2" is neither 1 nor 3
        least, most = found.resolution / 2, found.resolution
        return replace(found, resolution=max(least, min(most, _ABOUT * abs(found.value))))
    return found


Stated = Annotated[
    Quantity,
    BeforeValidator(_quantity),
    WithJsonSchema({"type": "string", "description": "a number exactly as the quote has it, with its unit"}),
]


def _where_it_stands(written: object, handler: ValidatorFunctionWrapHandler) -> Any:
    """Without a number that the quote lacks: what else the claim says is still said."""
    try:
        return handler(written)
    except ValidationError:
        return None


Given = Annotated[Stated | None, WrapValidator(_where_it_stands)]
"""A number that a claim may also do without."""


class Operand(Record):
    """One side of a comparison: a number as stated, the rows it speaks of, or both.

    Attributes:
        stated: The number, where the text gives it.
        rows: The measurements it speaks of; none where nothing of the kind was measured.
        is_goal: The number is a goal or a limit that nobody measured.
        called: What the text calls the result, which must then be so.
    """

    stated: Given = None
    rows: Ids = ()
    is_goal: bool = False
    called: Called | None = None


class Assertion(Record):
    """What every claim type has: the kind under which it is reported, and the judge of it."""

    kind: ClassVar[Kind]

    @abstractmethod
    def judge(self, known: Known) -> Finding:
        """Holds it against the record, by its fields alone."""

    @classmethod
    def name(cls) -> str:
        """The type's name, under which it is reported."""
        return str(cls.model_fields["type"].default)

    @classmethod
    def line(cls) -> str:
        """What the type asserts, in one line with examples."""
        return " ".join((cls.__doc__ or "").split())

    @property
    def quantity(self) -> Quantity | None:
        """The number the claim is about."""
        return None

    @property
    def about(self) -> tuple[str | None, Split | None]:
        """Metric and split it speaks of."""
        return None, None

    def ids(self) -> frozenset[str]:
        """All rows of the record that it names."""
        found: set[str] = set()
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, Operand):
                found.update(value.rows)
            elif isinstance(value, tuple):
                found.update(value)
        return frozenset(found)


class Measured(Assertion):
    """A claim about values of a metric."""

    metric: Metric = ""
    split: OfSplit = None

    @property
    def about(self) -> tuple[str | None, Split | None]:
        """Metric and split it speaks of."""
        return self.metric or None, self.split
