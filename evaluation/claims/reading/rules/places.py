"""Which rows a stated value is held against: those of the epoch, the part, the run or the thing that a clause names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import summary_of
from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.measured import is_precise, possible
from evaluation.claims.reading.rules.numbers import Result, subject_of
from evaluation.claims.reading.rules.references import Meant, is_of_what
from evaluation.claims.reading.rules.row_names import names_of_rows, narrowed
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.value import Value
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINALS = {name: n for n, name in enumerate(_ORDINALS, 1)}
_PLACES = ORDINALS | {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
AT_EPOCH = re.compile(
    r"\b(?:epochs?|steps?|iterations?|rounds?|updates?|episodes?)\s+#?(?P<n>[\d,]+)\b"
    r"|\b(?P<last>last|final) (?:epoch|step|iteration|round)\b"
    r"|\b(?P<word>first|second|third|fourth|fifth|one|two|three|four|five) (?:epochs?"
    rf"|iterations?)\b|\bafter the (?P<nth>{'|'.join(ORDINALS)})\b(?=[.,;)]|$)",
    re.IGNORECASE,
)
PART = re.compile(r"\b(?P<part>(?:fold|seed|trial|game)\s+#?\d+)\b", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:epoch|step|iter\w*|update|round)s?\W{0,3}(?P<n>\d+)(?!\.\d)|^\W{0,2}(?P<of>\d+)\s?/\s?\d", re.IGNORECASE
)
"""The step in a line of output."""
_OF_STEPS = re.compile(r"steps?\b", re.IGNORECASE)
_COUNTS_EPOCHS = re.compile(r"(?<![a-z])ep(?:och)?s?\W{0,3}\d(?!.*step)", re.IGNORECASE)
"""A line of output that counts epochs alone."""


def value(text: str, known: Known, result: Result) -> Value:
    """The value that a clause states, about the rows it can mean."""
    what = Meant(result.metric, result.split)
    return Value(metric=result.metric, split=result.split, stated=result.number, rows=_rows(text, known, what, result))


def _rows(text: str, known: Known, what: Meant, result: Result) -> tuple[str, ...]:
    subject = subject_of(text, result)
    if naming.is_unheard(subject, known):
        return (f"e{known.step}",)
    if phrases("words.mean").search(text) and (several := _averaged(text, known, what, result.number)):
        return ids_of(several)
    is_one = sum(is_precise(number) for number in possible(text)) < 2
    meant = _meant(text, subject, known, what) if is_one else []
    bearing = references.bearing(known, what, result.number)
    if meant:
        return ids_of([*meant, *(row for row in bearing if any(_is_beside(row, each) for each in meant))])
    if is_one and bearing:
        of = what if result.metric else Meant(bearing[-1].metric, bearing[-1].split)
        is_of_baseline = found_in("references", subject) == "baseline"
        own = (references.baseline(known, of) if is_of_baseline else []) or naming.named(known, subject, of)
        if own and own[-1].event is not bearing[-1].event:
            return ids_of(own)
    if bearing or not result.metric:
        return ids_of(bearing)
    return ids_of(references.current(known, what))


def _is_beside(row: Measurement, other: Measurement) -> bool:
    """Whether two rows of a boxed table have one name, so that another of its columns must tell them apart."""
    is_of_one_table = row.event is other.event and "│" in row.text and "│" in other.text
    return is_of_one_table and row.id != other.id and row.key == other.key and row.words == other.words


def _averaged(text: str, known: Known, what: Meant, stated: Quantity) -> list[Measurement]:
    """The results of the latest run whose mean a number is, of those that a text names; none where it is not."""
    latest = references.current(known, what)[-1:]
    of_run = known.index.of_event(latest[0].event) if latest else ()
    rows = [row for row in of_run if row.key == latest[0].key and not row.derived_from]
    named = narrowed(rows, names_of_rows(text))
    return named if summary_of(stated, named) else []


def _meant(text: str, subject: str, known: Known, what: Meant) -> list[Measurement]:
    """The rows of the place that a clause names; none where it names none that is on record."""
    if not what.metric:
        return []
    part, epoch = PART.search(text), AT_EPOCH.search(text)
    if part or epoch:
        rows = [row for row in known.values if is_of_what(known, row, what)]
        found = of_part(part["part"], rows) if part and not epoch else at_epoch(text, rows)
        if found or not _is_of_agent(text, rows):
            return found
    if phrases("words.submitted").search(text) and "baseline" not in text.lower():
        return [row for row in known.values if row.is_official and is_of_what(known, row, what)][-1:]
    if phrases("words.final").search(subject):
        return [row for row in known.finals if is_of_what(known, row, what)]
    if phrases("words.now").search(text):
        latest = known.index.of_event(known.measured_runs[-1].event) if known.measured_runs else ()
        return [row for row in latest if is_of_what(known, row, what)]
    return naming.labelled(known, subject, what)


def of_part(part: str, rows: Sequence[Measurement]) -> list[Measurement]:
    """Those of the rows that are called by a part, such as "fold 3"."""
    wanted = " ".join(part.lower().replace("#", " ").split())
    return [row for row in rows if wanted in " ".join(re.split(r"[\W_]+", row.words.lower()))]


@lru_cache(maxsize=8192)
def _steps_told(line: str) -> frozenset[float]:
    """The steps that a line tells that it is of."""
    return frozenset(float(found["n"] or found["of"]) for found in _TOLD.finditer(line))


def _not_of_epochs(rows: Sequence[Measurement]) -> list[Measurement]:
    return [row for row in rows if not _COUNTS_EPOCHS.search(row.text)]


def _is_of_agent(text: str, rows: Sequence[Measurement]) -> bool:
    """Whether a text names a step, where training counts but epochs."""
    named = AT_EPOCH.search(text)
    is_step = named is not None and _OF_STEPS.match(named.group()) is not None
    return is_step and len(_not_of_epochs(rows)) < len(rows)


def at_epoch(text: str, rows: Sequence[Measurement]) -> list[Measurement]:
    """Those of the rows that are of the epoch or step that a text names."""
    epoch = AT_EPOCH.search(text)
    if epoch is None:
        return []
    if epoch["last"]:
        return [row for row in rows if row.event is rows[-1].event and row.epoch is not None][-1:]
    place = _PLACES.get((epoch["word"] or epoch["nth"] or "").lower())
    n = place or float((epoch["n"] or "0").replace(",", ""))
    if _OF_STEPS.match(epoch.group()):
        rows = _not_of_epochs(rows)
    found = [row for row in rows if _is_at(n, row)]
    if place and any(_is_at(0, row) for row in rows):  # some count from 0, others measure before the first
        found = [row for row in rows if _is_at(place - 1, row)] + found
    return found


def _is_at(n: float, row: Measurement) -> bool:
    return row.epoch == n or (row.epoch is None and n in _steps_told(row.text))
