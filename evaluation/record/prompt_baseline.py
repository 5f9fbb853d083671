"""Baseline values that the prompt gives as a record: a dictionary of metrics under words that call it so."""

from __future__ import annotations

import re
from dataclasses import replace

from environment.records import Action, Outcome
from evaluation.record.derived import with_derived
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.log import Exchange
from evaluation.record.measurements import Measurement, identified, measurements
from evaluation.record.siblings import with_labels

BEFORE = -1
"""The step of what the prompt gives, before the first."""
_RECORD = re.compile(r"\bbaseline\b[^{}]{0,200}?\n?\s*(?P<record>\{[^\n]*\d\.\d[^\n]*\})[ \t]*(?:\n|$)", re.IGNORECASE)


def baseline_in(task_text: str) -> list[Measurement]:
    """The values of the baseline that a prompt gives, none where it gives but words."""
    found = _RECORD.search(task_text)
    if found is None:
        return []
    exchange = Exchange(action=Action(name="task text", args={}), observation=found["record"])
    event = Event(BEFORE, EventKind.RUN, Outcome.OK, (), "", "", False, "", False, exchange, "task")
    return [replace(value, is_baseline=True) for value in with_derived(identified(with_labels(measurements(event))))]
