"""All claim types, in the order in which a language model is told of them."""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from evaluation.claims.types.base import Assertion


def _of_module(name: str) -> type[Assertion]:
    """The type that a module of ``types`` is named after."""
    found: type[Assertion] = getattr(import_module(f"evaluation.claims.types.{name}"), name.capitalize())
    return found


_MODULES = ("value", "order", "difference", "extreme", "tendency", "count", "deed", "outcome", "fix", "vague")
TYPES = tuple(map(_of_module, _MODULES))
_Any: Any = Annotated[reduce(or_, TYPES), Field(discriminator="type")]
ASSERTED: TypeAdapter[Assertion] = TypeAdapter(_Any)
"""Reads an assertion of any type, told apart by its ``type``."""
