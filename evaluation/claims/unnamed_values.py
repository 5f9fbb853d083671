"""Comparisons in a log whose runs print their values without any name."""

from __future__ import annotations

import re

from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import unsupported
from evaluation.record.events import Event
from evaluation.record.known import Known

_BARE = re.compile(r"^\s*[\[(]?(?:[-+]?\d+\.\d+(?:e[-+]?\d+)?[\s,\])]*)+$", re.MULTILINE | re.IGNORECASE)
"""A line of nothing but values."""


def judge_unnamed(known: Known) -> Finding:
    """Nobody can tell which of several values without a name is meant; without any the claim is unsupported."""
    shown = next((event for event in reversed(known.events) if _prints_values(event)), None)
    if shown is None:
        return unsupported("nothing had been measured yet")
    return Finding(verdict=Verdict.UNCHECKABLE, note=f"step {shown.step} prints values without a name")


def _prints_values(event: Event) -> bool:
    return event.shows_output and event.succeeded and _BARE.search(event.observation[-20_000:]) is not None
