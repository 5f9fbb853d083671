"""Findings about actions, with the line of the observation that shows them."""

from __future__ import annotations

from evaluation.claims.claim import Finding, Verdict
from evaluation.record.events import Event
from evaluation.record.evidence import Evidence
from evaluation.record.kinds import EventKind
from evaluation.record.measurements import excerpt

RUN_KINDS = (EventKind.RUN, EventKind.SCORE)
_KEY = 100
"""A line is looked up by at most this many characters."""


def shown(event: Event, wanted: str = "", verdict: Verdict = Verdict.SUPPORTED, note: str = "") -> Finding:
    """A finding shown by the line that holds ``wanted``, else by a run's last line or another action's first."""
    lines = event.observation.split("\n")
    key = wanted.strip()[:_KEY]
    at = next((n for n, line in enumerate(lines) if key and key in line), None)
    if at is None:
        told = [n for n, line in enumerate(lines) if line.strip()]
        if not told:
            return Finding(verdict=verdict, note=note or "the action left no output")
        at = told[-1] if event.kind in RUN_KINDS else told[0]
    text = excerpt(lines[at], key or lines[at])
    evidence = Evidence(step=event.step, text=text, training_run=event.exchange.training_run, line=at + 1)
    return Finding(verdict=verdict, evidence=evidence, note=note)


def refuted(event: Event, note: str, wanted: str = "") -> Finding:
    """Contradicted by an action, shown by its failure or by ``wanted``."""
    return shown(event, wanted or event.failure, Verdict.CONTRADICTED, note)


def unsupported(note: str) -> Finding:
    """Nothing on record shows it."""
    return Finding(verdict=Verdict.UNSUPPORTED, note=note)


def telling_line(edit: Event) -> str:
    """The first line an edit wrote that its observation shows."""
    for line in edit.added.splitlines():
        if len(line.strip()) > 6 and line.strip() in edit.observation:
            return line.strip()
    return "File updated"
