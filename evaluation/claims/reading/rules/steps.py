"""Results that a text gives with the step that measured them: "0.91 (step 4)"."""

from __future__ import annotations

import re

from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.references import Meant, is_of_what
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_STEP = re.compile(r"[^\w.]{0,4}(?:(?:in|at|from|of) )?step (\d+)\b", re.IGNORECASE)


def bearing(known: Known, what: Meant, text: str, result: Result) -> list[Measurement]:
    """The rows of the step that stands behind a number, else the latest row that bears it."""
    return of_step(known, what, text, result) or references.bearing(known, what, result.number)


def of_step(known: Known, what: Meant, text: str, result: Result) -> list[Measurement]:
    """What the step behind a number measured: the row that bears the number, else all that can be meant.

    Other harnesses count other things in steps: there a step that did not measure the number says nothing.
    """
    named = _STEP.match(text, result.number.end) if result.number.end >= 0 else None
    if named is None:
        return []
    rows = [row for row in known.of_step(int(named[1])) if is_of_what(known, row, what)]
    stating = {row.id for row in known.stating(result.number)}
    found = [row for row in rows if row.id in stating][-1:]
    return found or [row for row in rows if row.event.exchange.training_run is not None]
