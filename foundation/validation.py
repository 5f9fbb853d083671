"""What is wrong with the input of a record, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from foundation.text import known_names

_NAMES = "should be names with values"
_IN_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "path_type": "should be a path, as text",
    "tuple_type": "should be a list",
    "dict_type": _NAMES,
    "model_type": _NAMES,
    "model_attributes_type": _NAMES,
    "string_pattern_mismatch": "should begin with a small letter or a digit, and have only these and '-' in it",
    "int_parsing": "should be a whole number",
    "float_parsing": "should be a number",
    "bool_parsing": "should be true or false",
}
"""Faults of which pydantic's own words speak of Python; by pydantic's types of errors."""


def faults(error: ValidationError, *, prefix: str = "", of: type[BaseModel] | None = None) -> list[str]:
    """Each fault as ``where.it.lies: what is wrong``.

    Args:
        error: What pydantic raised.
        prefix: What stands before each place, such as ``agent.``.
        of: What the input was to become; a name that it doesn't know is then answered with those that it does.
    """
    found = error.errors(include_url=False)
    places = (prefix + ".".join(map(str, fault["loc"])) for fault in found)
    return [
        f"{place}: {_said(fault, of)}" if place else _said(fault, of)
        for place, fault in zip(places, found, strict=True)
    ]


def _said(fault: ErrorDetails, of: type[BaseModel] | None) -> str:
    words = _IN_WORDS.get(fault["type"], fault["msg"].removeprefix("Value error, "))
    if words == _NAMES and isinstance(fault["input"], list):
        words = f"{words}, and is a list"
    if of is None or fault["type"] != "extra_forbidden":
        return words
    *above, typed = fault["loc"]
    fields = list(_fields(of, above))
    return f"{words}. {known_names(str(typed), fields)}" if fields else words


def _fields(record: type[BaseModel], place: Iterable[int | str]) -> Iterator[str]:
    """The fields that there are at a place of a record's input; none where it is no record's."""
    inner: type[BaseModel] | None = record
    for part in place:
        if inner is not None and isinstance(part, str):
            field = inner.model_fields.get(part)
            # What is no field is a key of a mapping, or the tag of a kind: what was found holds for what lies below.
            inner = next(_records(field.annotation), None) if field else inner
    return iter(inner.model_fields if inner else ())


def _records(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _records(part)
