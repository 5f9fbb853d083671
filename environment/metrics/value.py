"""A named value of one line of output."""

from __future__ import annotations

from typing import Literal, NamedTuple

from environment.metrics.names import Split
from environment.metrics.spans import seconds_of

Unit = Literal["none", "percent", "seconds"]
FILE_ENDINGS = "ckpt|pt|pth|h5|hdf5|keras|bin|safetensors|pkl|joblib|onnx|npz?|json|csv|txt|png|model"
"""How the names of files end that scripts tell of, for an expression."""
CUT = "[…]"
"""Stands in a log where text was left out; the name after it may be the rest of another."""
SETTINGS_HEADING_WORDS = r"\b(?:hyper-?)?(?:params|parameters|config(?:uration)?|arguments|settings)\b"


class Field(NamedTuple):
    """A named value and where in its line it stands.

    Attributes:
        start: Where the value begins, with what parts it from its name.
        number: Where its number stands, for ``value_in``; ``None`` where the value was not read from one.
        divisor: What the number is divided by.
        is_span: Where ``number`` tells stands a time in several units.
        part: Which seed or fold it is of, where the line gives the values of several beside their mean.
    """

    name: str
    value: float
    unit: Unit
    split: Split | None
    start: int
    number: tuple[int, int] | None = None
    divisor: int = 1
    is_span: bool = False
    part: str = ""

    def value_in(self, line: str) -> float:
        """The value of the same field in a line that differs only in the digits of its numbers."""
        if self.number is None:
            return self.value
        first, last = self.number
        if self.is_span:
            return seconds_of(line[first:last])
        return number_of(line[first:last]) / self.divisor


def number_of(text: str) -> float:
    """A number as it was printed: commas part its thousands, but one alone may be decimal.

    It is behind a zero or before two digits: "0,512" and "2,60", and not "2,605".
    """
    before, _, behind = text.lstrip("+-").partition(",")
    is_decimal = behind.isdigit() and (before == "0" or len(behind) == 2)
    return float(text.replace(",", "." if is_decimal else ""))
