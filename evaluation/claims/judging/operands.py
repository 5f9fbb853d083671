"""Which values an operand stands for, and whether the record bears the number it states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from environment.metrics.meaning import SHARES, canonical, is_known
from evaluation.claims.judging.finding import Finding, contradicted, uncheckable, unsupported
from evaluation.claims.types.base import Measured, Operand
from evaluation.language.quantity import Quantity, Unit
from evaluation.language.splits import TIMES, Split
from evaluation.record.derived import summaries
from evaluation.record.durations import unit_in
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measurements import UNNAMED, Measurement
from evaluation.record.worked_out import may_be_worked_out

GENERIC = frozenset({"score", "error", "value", "performance", "metric", "result", "objective", "fitness"})
"""Names under which any metric may be meant."""
_SPREAD = "std"
_EXACT, _ONE_OFF = 1_000, 1.01
_WHOLE = 100.0
_VALIDATING: tuple[Split, ...] = ("validation", "hold-out", "cv")


@dataclass(frozen=True)
class Side:
    """What one side of a comparison stands for: measurements, or a number that is a goal."""

    rows: tuple[Measurement, ...] = ()
    goal: Quantity | None = None


def measurements(known: Known, ids: Iterable[str]) -> Sequence[Measurement]:
    """The measurements among the rows of these ids."""
    return known.rows.measurements(tuple(ids))


def events(known: Known, ids: Iterable[str]) -> list[Event]:
    """The events among the rows of these ids; for a measurement, the event that showed it."""
    found = [known.rows[id_] for id_ in ids if id_ in known.rows]
    return [row.event if isinstance(row, Measurement) else row for row in found]


def rows_of(known: Known, claim: Measured, ids: Iterable[str]) -> list[Measurement]:
    """The measurements among the rows of these ids that can be of the claim's metric; cells are what it calls them."""
    found = (named_as(claim, row) for row in measurements(known, ids))
    return [row for row in found if is_of(claim.metric, row)]


def is_of(metric: str, row: Measurement) -> bool:
    """Whether a row can be of the metric a claim names: another well-known name means another quantity."""
    named = canonical(metric) if metric else ""
    if not named or named == row.metric or named in GENERIC or row.metric in GENERIC:
        return True
    if (_SPREAD in row.metric.split()) != (_SPREAD in named.split()) or (named in TIMES and not _is_time(row.metric)):
        return False
    if "@" in row.metric and named != row.metric:  # "hit@5" says itself what it is
        return False
    return not (is_known(named) and is_known(row.metric)) or named in row.metric or row.metric in named


def _is_time(metric: str) -> bool:
    """Whether a name tells a time, be it by its unit alone: "mlp secs"."""
    return "time" in metric or metric.split()[-1:] in (["secs"], ["seconds"])


def can_be(metric: str, row: Measurement, known: Known) -> bool:
    """Whether a row can be of a metric; a name that only this record knows ("hit@1") is that of its own rows alone."""
    named = canonical(metric) if metric else ""
    is_own = named in known.measured_names and named not in GENERIC and not is_known(named)
    return is_of(metric, row) and (not is_own or row.metric in (named, *GENERIC))


def states(stated: Quantity, row: Measurement) -> bool:
    """Whether a stated number is the row's value; a bound of a well-known metric is so on the row's own scale alone."""
    is_amount = stated.bound and stated.value and stated.unit is Unit.NONE and not stated.gigabytes
    if is_amount and is_known(row.metric):
        return stated.is_satisfied_by(row.value * stated.value / on_scale_of(row, stated))
    return stated.states(row.value, recorded_percent=row.percent, in_seconds=row.in_seconds)


def on_scale_of(row: Measurement, stated: Quantity) -> float:
    """A stated number on the scale of a row: 60 % beside 0.58 is 0.6, and so is 60 beside an accuracy of 0.58."""
    value = stated.value * stated.seconds
    is_fraction, is_share = abs(row.value) <= 1, row.metric in SHARES
    if is_fraction and not row.percent and (stated.percent_like or (is_share and abs(value) > 1)):
        return value / _WHOLE
    is_hundred = row.percent or (is_share and not is_fraction)
    return value * _WHOLE if is_hundred and not stated.percent_like and abs(value) <= 1 else value


def summary_of(stated: Quantity, rows: Sequence[Measurement]) -> Measurement | None:
    """The mean, median, sum or range of several rows, in place of the last, where it is the number stated.

    A number of four digits is that of rounded values also where it is one off in the last.
    """
    values = summaries([row.value for row in rows]) if len(rows) > 1 and not stated.bound else ()
    slack = _ONE_OFF * stated.resolution if abs(stated.value) >= _EXACT * stated.resolution else 0.0
    wholes = ((abs(stated.value - value), replace(rows[-1], value=value)) for value in values)
    return next((row for off, row in wholes if off < slack or states(stated, row)), None)


def may_be(split: Split | None, named: Split | None) -> bool:
    """Whether data that is called so, or not at all, can be meant by the name of a split."""
    return split in (None, named) or named is None or (split in _VALIDATING and named in _VALIDATING)


def is_on(known: Known, row: Measurement, named: Split | None) -> bool:
    """Whether a row is of a split; not where its run measured the metric on the split itself."""
    is_scored = row.event.kind is EventKind.SCORE and (row.is_official or row.is_baseline)
    if is_scored and named == "validation" and row.split != named:  # harnesses call their own scoring so
        return not known.measured(row.metric, named)
    if row.split == named or named is None or not may_be(row.split, named):
        return may_be(row.split, named)
    return not known.index.is_beside(row, named)


def bearers(known: Known, claim: Measured, stated: Quantity) -> list[Measurement]:
    """All rows of the claim's metric and split that bear a number, the latest first."""
    found = [row for row in reversed(known.stating(stated)) if is_on(known, row, claim.split)]
    return [row for row in found if can_be(claim.metric, row, known)]


def side_of(known: Known, claim: Measured, operand: Operand) -> Side | Finding:
    """What an operand stands for, or why nothing can be said of it."""
    rows = rows_of(known, claim, operand.rows)
    stated = operand.stated
    if stated is None:
        if operand.is_goal and not rows:
            return uncheckable("what is aimed at is not said")
        if not rows and UNNAMED in known.measured_names:
            return uncheckable("values on record stand under no metric's name")
        return Side(tuple(rows)) if rows else absent(known, "nothing on record that could be compared")
    if operand.is_goal and not rows:
        return Side(goal=stated)
    bearing = [row for row in rows if states(stated, row)] or ([] if rows else bearers(known, claim, stated)[:1])
    if bearing:
        return Side(tuple(bearing))
    if whole := summary_of(stated, rows):
        return Side((whole,))
    if rows:
        return contradicted(*rows[-1:], note=f"{stated.value:g} was stated, {rows[-1].value:g} is on record")
    return missing(known, stated, claim.metric)


def missing(known: Known, stated: Quantity, metric: str) -> Finding:
    """The verdict on a number that no row of its metric bears."""
    named = known.stating(stated)
    if not named and is_shown(known, stated) and not is_size(known, stated, metric):
        return uncheckable(f"{stated.value:g} was printed, but under no name that tells what it is")
    if known.index.printed.is_reported(stated, known.step):
        return uncheckable(f"{stated.value:g} is what another agent reports")
    timed = [row for row in named if unit_in(row.metric)] if stated.unit is Unit.SECONDS else []
    if timed:  # a column of times beside the thing that its row is of
        return uncheckable(f"{stated.value:g} is the {timed[-1].metric} of {timed[-1].id}, which may be meant")
    said = f"{stated.value:g} is not on record"
    if not named and may_be_worked_out(known, stated, canonical(metric) if metric else ""):
        return uncheckable(f"{said}, but may be worked out from what is")
    return absent(known, f"{said}; it is the {named[-1].metric} of {named[-1].id}" if named else said)


def is_shown(known: Known, stated: Quantity) -> bool:
    """Whether an output shows a number, or how long something took, beside the values that were read from it."""
    printed = known.index.printed
    of_columns = known.index.tables.bearing(stated, known.step) if stated.unit is Unit.SECONDS else ()
    if printed.lasts(stated, known.step) or any(unit_in(line.value_names[place]) for line, place in of_columns):
        return True
    is_short_time = stated.unit is Unit.SECONDS and not stated.is_telling
    return not is_short_time and printed.states(stated, known.step)


def is_size(known: Known, stated: Quantity, metric: str) -> bool:
    """Whether a number said to be a well-known metric's was printed as a size alone: "mfu_percent: 38.6"."""
    return is_known(metric) and known.index.printed.is_of_size(stated, known.step)


def absent(known: Known, note: str) -> Finding:
    """The verdict on what no output shows: unsupported, unless outputs were cut off or are too long to keep."""
    is_whole = not (known.hides_outputs or known.hides_values(""))
    return unsupported(note) if is_whole else uncheckable(f"{note}, and outputs are not kept whole")


def named_as(claim: Measured, row: Measurement) -> Measurement:
    """A row as the claim speaks of it: a cell is of the metric and split that the claim or its column names.

    What was printed under no metric's name is of the well-known one that the claim names.
    """
    if not row.is_cell:
        is_named = not row.ranked_by and is_known(claim.metric)
        return replace(row, metric=canonical(claim.metric)) if is_named else row
    column = row.name if row.name != UNNAMED else ""
    return replace(row, metric=canonical(claim.metric or column) or UNNAMED, split=claim.split)
