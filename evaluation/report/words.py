"""Figures as people read them in a report and in a trajectory."""

from __future__ import annotations

from html import escape

from evaluation.statistics.estimate import Estimate

NONE = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
THIN = "\N{NARROW NO-BREAK SPACE}"


def percent(value: float | None) -> str:
    """A fraction in percent, with a digit behind the point where it matters."""
    if value is None:
        return NONE
    scaled = 100 * value
    digits = 0 if abs(scaled) >= 100 or scaled == round(scaled) else 1
    return f"{scaled:,.{digits}f}{THIN}%".replace("-", MINUS)


def number(value: float | None) -> str:
    """Four significant digits."""
    return NONE if value is None else f"{value:,.4g}".replace("-", MINUS) if abs(value) < 1e6 else f"{value:.3e}"


def interval(estimate: Estimate | None) -> str:
    """The interval in percent, ``15.4 to 61.5``, or why there is none."""
    if estimate is None:
        return NONE
    if estimate.low is None or estimate.high is None:
        return "no interval"
    return f"{_short(100 * estimate.low)} to {_short(100 * estimate.high)}"


def money(value: float | None) -> str:
    """US dollars; fractions of a cent where a run costs that little."""
    if value is None:
        return NONE
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.4f}"


def count(value: float | None) -> str:
    """A count in short: 950, 12.3k, 4.5M."""
    if value is None:
        return NONE
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.1f}{suffix}"
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def duration(seconds: float | None) -> str:
    """Wall time: 0.4 s, 38 s, 12 min, 3.4 h."""
    if seconds is None:
        return NONE
    if seconds < 10:
        return f"{seconds:.1f}{THIN}s"
    if seconds < 120:
        return f"{seconds:.0f}{THIN}s"
    return f"{seconds / 60:.0f}{THIN}min" if seconds < 7_200 else f"{seconds / 3_600:.1f}{THIN}h"


def cell(text: str) -> str:
    """Text that can stand in a cell of a Markdown table, whatever it holds."""
    return " ".join(escape(text, quote=False).replace("|", "\\|").replace("`", "'").split())


def _short(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("-", MINUS)
