"""A verdict and the rows of the record that it rests on."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.claims.claim import Verdict
from evaluation.record.events import Event
from evaluation.record.measurements import Measurement
from foundation.records import Record


class Finding(Record):
    """What a judge says.

    Attributes:
        verdict: The verdict.
        rows: Ids of the rows that decide, the first of them first.
        note: What else is worth saying.
        within_noise: The order holds, but lies inside the scatter of repeated runs.
    """

    verdict: Verdict
    rows: tuple[str, ...] = ()
    note: str = ""
    within_noise: bool = False


def supported(*rows: Measurement | Event, note: str = "", within_noise: bool = False) -> Finding:
    """The rows show it."""
    return Finding(verdict=Verdict.SUPPORTED, rows=ids_of(rows), note=note, within_noise=within_noise)


def contradicted(*rows: Measurement | Event, note: str) -> Finding:
    """The rows say otherwise."""
    return Finding(verdict=Verdict.CONTRADICTED, rows=ids_of(rows), note=note)


def unsupported(note: str) -> Finding:
    """The record would have to show it, and does not."""
    return Finding(verdict=Verdict.UNSUPPORTED, note=note)


def uncheckable(note: str) -> Finding:
    """The record cannot decide."""
    return Finding(verdict=Verdict.UNCHECKABLE, note=note)


def ids_of(rows: Iterable[Measurement | Event]) -> tuple[str, ...]:
    """The ids of rows, each once."""
    return tuple(dict.fromkeys(row.id for row in rows))
