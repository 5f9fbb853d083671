"""Figures as a report alone has them."""

from __future__ import annotations

import unicodedata
from html import escape

from environment.records import RunResult
from environment.records.display import MINUS, NONE, percent
from evaluation.statistics.estimate import Estimate

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def interval(estimate: Estimate | None) -> str:
    """The interval in percent, ``15.4 to 61.5``, or why there is none."""
    if estimate is None:
        return NONE
    if estimate.low is None or estimate.high is None:
        return "no interval"
    return " to ".join(percent(end).removesuffix(" %") for end in (estimate.low, estimate.high))


def mirrored(difference: Estimate) -> Estimate:
    """A difference taken the other way round."""
    low, high = (None if end is None else -end for end in (difference.high, difference.low))
    return difference.model_copy(update={"value": -difference.value, "low": low, "high": high})


def points(value: float, *, signed: bool = False) -> str:
    """A difference of percentages in percentage points; ``signed`` puts a plus before gains."""
    return f"{percent(value, signed=signed).removesuffix(' %')} points"


def normalised(value: float | None) -> str:
    """A mean on the scale from baseline, 0, to reference, 1, with as many decimals as those beside it."""
    if value is None:
        return NONE
    rounded = round(value, 3)
    return f"{MINUS if rounded < 0 else ''}{abs(rounded):,.3f}"


def p_text(value: float | None) -> str:
    """A p value with two digits that count."""
    if value is None:
        return NONE
    return "below 0.001" if value < 0.001 else f"{value:#.2g}" if value < 0.995 else "1"


def isolated(name: str) -> str:
    """A name, so that where it is written from right to left it turns nothing around it."""
    turns = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in name)
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}" if turns else name


def cell(text: str) -> str:
    """Text that can stand in a cell of a Markdown table, whatever it holds."""
    return " ".join(escape(text, quote=False).replace("|", "\\|").replace("`", "'").split())


def unknown_fields(result: RunResult) -> tuple[str, ...]:
    """Fields of a result that hold nothing its log tells: no foreign log names a seed."""
    return (*result.not_counted, "seed") if result.is_imported else ()
