"""How long a row of results took, at its end without a name: ``ols  rmse 53.84  0.3s``, ``acc 0.91  (24.4 s)``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from environment.metrics.value import Field

_TIME = re.compile(
    r"(?:[ \t]{2}|\t|[ \t][(\[][ ]?|[ \t]t[ ]?=[ ]?)(?P<number>\d+(?:\.\d+)?)[ ]?(?P<unit>s|secs?|seconds?|ms)"
    r"[ ]?[)\]]?$"
)
ROW_TIME = "row time"
"""What it is called, since it has no name of its own."""
_REACH = 40
"""Characters at the end of a line among which it stands."""


def row_time(fields: Sequence[Field], line: str) -> list[Field]:
    """The time at the end of a line that has other values and no time yet."""
    if not fields or any(field.unit == "seconds" for field in fields):
        return []
    found = _TIME.search(line, max(0, len(line) - _REACH))
    if found is None:
        return []
    divisor = 1000 if found["unit"] == "ms" else 1
    at = found.span("number")
    return [Field(ROW_TIME, float(found["number"]) / divisor, "seconds", None, at[0], at, divisor)]
