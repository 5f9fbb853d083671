"""What is wrong with the input of a record, in words."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_IN_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "tuple_type": "should be a list",
    "dict_type": "should be names with values",
    "model_type": "should be names with values",
    "model_attributes_type": "should be names with values",
    "string_pattern_mismatch": "should begin with a small letter or a digit, and have only these and '-' in it",
    "int_parsing": "should be a whole number",
    "float_parsing": "should be a number",
    "bool_parsing": "should be true or false",
}
"""Faults of which pydantic's own words speak of Python; by pydantic's types of errors."""


def faults(error: ValidationError, *, prefix: str = "") -> list[str]:
    """Each fault as ``where.it.lies: what is wrong``.

    Args:
        error: What pydantic raised.
        prefix: What stands before each place, such as ``agent.``.
    """
    found = error.errors(include_url=False, include_input=False)
    return [f"{prefix}{'.'.join(map(str, fault['loc']))}: {_said(fault)}" for fault in found]


def _said(fault: ErrorDetails) -> str:
    return _IN_WORDS.get(fault["type"], fault["msg"].removeprefix("Value error, "))
