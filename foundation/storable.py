"""Values of agents, models and scripts in a form that every record, table and page can hold.

JSON can carry more than JSON parsers, Parquet, databases and terminals take: half characters, whole numbers of
thousands of digits, lists nested without end. What cannot be kept as it is, is kept escaped.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BeforeValidator, JsonValue

from foundation.text import encodable

DEEPEST = 100
"""Levels of lists and objects; the parser of the journal stops at 200."""
TOO_DEEP = "(nested too deeply to be kept)"
_LONGEST_INTEGER = 8_192
"""Bits; Python refuses to print more than 4,300 digits."""
_INT64 = 2**63 - 1


def storable(value: object) -> object:
    """The value with half characters and endless numbers escaped as text, and cut where it is nested too deeply."""
    return _storable(value, DEEPEST)


def clamped(value: int) -> int:
    """The whole number, or the nearest to it that the 64 bits of tables and MLflow hold."""
    return max(-_INT64, min(_INT64, value))


Text: TypeAlias = Annotated[str, BeforeValidator(storable)]
"""Text of an agent, a model or a script."""
JsonObject: TypeAlias = Annotated[dict[str, JsonValue], BeforeValidator(storable)]
"""An object of an agent or a model."""
Int64: TypeAlias = Annotated[int, AfterValidator(clamped)]
"""A whole number that a script logged."""


def _storable(value: object, deeper: int) -> object:
    if isinstance(value, str):
        return value if value.isascii() else encodable(value)
    if isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER:
        return f"{value:#x}"
    if not isinstance(value, dict | list | tuple):
        return value
    if not deeper:
        return TOO_DEEP
    if isinstance(value, dict):
        return {_storable(name, deeper): _storable(inner, deeper - 1) for name, inner in value.items()}
    return type(value)(_storable(inner, deeper - 1) for inner in value)
