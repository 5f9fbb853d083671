"""Reads values: which rows a stated number is held against, of the epoch, the part, the run or the thing named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import states, summary_of
from evaluation.claims.reading.rules import names, rows
from evaluation.claims.reading.rules.numbers import is_precise, possible
from evaluation.claims.reading.rules.owners import owners
from evaluation.claims.reading.rules.relations import relation_in
from evaluation.claims.reading.rules.rows import Meant, those_of
from evaluation.claims.reading.rules.said import Result, Said
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.vague import Vague
from evaluation.claims.types.value import Value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import TIMES, without_metrics
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINALS = {name: n for n, name in enumerate(_NAMES, 1)}
_PLACES = ORDINALS | {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
AT_EPOCH = re.compile(
    r"\b(?:epochs?|ep|steps?|iterations?|rounds?|updates?|episodes?)[\s-]#?(?P<n>[\d,]+)\b"
    r"|\b(?P<last>last|final) (?:epoch|step|iteration|round)\b"
    rf"|\b(?P<word>first|second|third|fourth|fifth|one|two|three|four|five) (?:epochs?|iterations?)\b"
    r"|\b(?P<at>\d+)(?:st|nd|rd|th) (?:epoch|step|iteration|round)\b"
    rf"|\bafter the (?P<nth>{'|'.join(ORDINALS)})\b(?=[.,;)]|$)",
    re.IGNORECASE,
)
_AFTER_EPOCH = re.compile(rf"\bafter (?:the )?(?:{AT_EPOCH.pattern})", re.IGNORECASE)
"""An epoch that a value is of, or from which on it has moved there: "after epoch 3 it rises to 1.02"."""
_TOLD = re.compile(
    r"(?:epoch|step|iter\w*|update|round)s?\W{0,3}(?P<n>\d+)(?!\.\d)|^\W{0,2}(?P<of>\d+)\s?/\s?\d", re.IGNORECASE
)
"""The step in a line of output."""
_OF_STEPS = re.compile(r"steps?\b", re.IGNORECASE)
_COUNTS_EPOCHS = re.compile(r"(?<![a-z])ep(?:och)?s?\W{0,3}\d(?!.*step)", re.IGNORECASE)
"""A line of output that counts epochs alone."""
_COUNT = re.compile(r"(?<![\w.])\d{2,}(?![\w.])")
_TELLING = 3
"""Digits from which a number that stands apart from its metric is rather a value than a setting."""
_CUTOFF = re.compile(r"[a-z][\w-]*@\d+")
_OF_STEP = re.compile(r"\ban? (?:epoch|step|batch|iteration)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:mean|average|avg)(?![a-z])", re.IGNORECASE)
_OF_ONE = re.compile(r"\b(?:one|each|every|a single|per)\b", re.IGNORECASE)
"""A quantity of one part of what was measured, which the agent has worked out."""


def read_value(said: Said, result: Result) -> Assertion:
    """The value that a number states, about the rows it can mean; vague where it may be another's or worked out."""
    if is_unsure(said, result):
        return Vague()
    return Value(metric=result.metric, split=result.split, stated=result.number, rows=_rows(said, result))


def _rows(said: Said, result: Result) -> tuple[str, ...]:
    text, known, what, subject = said.text, said.known, result.what, said.subject_of(result)
    if owned := of_owner(said, result):
        return ids_of(owned)
    if names.is_unheard(subject, known):
        return (f"e{known.step}",)
    if said.has("words.mean") and (several := _averaged(text, known, result)):
        return ids_of(several)
    if of_cutoff := _of_cutoff(said, result):
        return ids_of(of_cutoff)
    is_one = sum(is_precise(number) for number in possible(text)) < 2
    bearing = rows.bearing(known, what, result.number)
    if is_one and (meant := _meant(text, subject, known, what)):
        is_after = _AFTER_EPOCH.search(text) and relation_in(text)
        also = (
            row
            for row in bearing
            if any(_is_beside(row, each) or (is_after and _is_later(row, each)) for each in meant)
        )
        return ids_of([*meant, *also])
    if is_one and bearing:
        of = what if result.metric else Meant(bearing[-1].metric, bearing[-1].split)
        is_of_baseline = found_in("references", subject) == "baseline"
        own = (rows.baseline(known, of) if is_of_baseline else []) or names.named(known, subject, of)
        if own and own[-1].event is not bearing[-1].event:
            return ids_of(own)
    return ids_of(bearing or (rows.current(known, what) if result.metric else []))


def of_owner(said: Said, result: Result) -> list[Measurement]:
    """The rows of the thing that a number is said of by name, of the epoch that is named."""
    known = said.known
    is_told = result.metric and result.metric not in TIMES
    clause = said.clause
    at = result.number.start + clause.start - clause.sentence.start
    owner = owners(clause.sentence.text, known).get(at) if is_told else None
    own = those_of(known, known.index.subjects.rows(owner), result.what) if owner else []
    is_one = len(said.results) == 1
    return at_epoch(clause.sentence.text if is_one else said.around(result.number), own) or own


def _of_cutoff(said: Said, result: Result) -> list[Measurement]:
    """The row under the very name that a text has, where that tells how many count ("recall@5"); the one it states."""
    before = said.text[: result.number.start].lower()
    named = [found.group() for found in _CUTOFF.finditer(before)][-1:]
    called = [row for row in said.known.values if row.name.lower() in named] if named else []
    own = those_of(said.known, called, result.what)
    return ([row for row in own if states(result.number, row)] or own)[-1:]


def _averaged(text: str, known: Known, result: Result) -> list[Measurement]:
    """The results of the latest run whose mean a number is, of those that a text names; none where it is not."""
    latest = rows.current(known, result.what)[-1:]
    own = [row for each in latest for row in known.index.of_event(each.event) if row.key == each.key]
    named = names.narrowed([row for row in own if not row.derived_from], names.names_of_rows(text))
    return named if summary_of(result.number, named) else []


def _is_beside(row: Measurement, other: Measurement) -> bool:
    """Whether two rows of a boxed table have one name, so that another of its columns must tell them apart."""
    is_of_one_table = row.event is other.event and "│" in row.text
    return is_of_one_table and row.id != other.id and row.key == other.key and row.words == other.words


def _is_later(row: Measurement, other: Measurement) -> bool:
    """Whether a row is of a later epoch of the same run than another."""
    is_of_run = row.event is other.event and row.key == other.key
    return is_of_run and row.epoch is not None and other.epoch is not None and row.epoch > other.epoch


def _meant(text: str, subject: str, known: Known, what: Meant) -> list[Measurement]:
    """The rows of the place that a clause names; none where it names none that is on record."""
    if not what.metric:
        return []
    if point := phrases("words.at_point").search(text):
        at, own = find_numbers(point.group())[0], those_of(known, known.values, what)
        return [row for row in own if any(at.states(each.value) for each in find_numbers(row.text))]
    if epoch := AT_EPOCH.search(text):
        own = those_of(known, known.values, what)
        found = at_epoch(text, own)
        is_of_agent = _OF_STEPS.match(epoch.group()) and len(_of_steps(own)) < len(own)
        if found or not is_of_agent:
            return found
    if phrases("words.submitted").search(text) and "baseline" not in text.lower():
        return those_of(known, (row for row in known.values if row.is_official), what)[-1:]
    if phrases("words.final").search(subject):
        return those_of(known, known.finals, what)
    if phrases("words.now").search(text):
        latest = known.index.of_event(known.measured_runs[-1].event) if known.measured_runs else ()
        return those_of(known, latest, what)
    called = names.labelled(known, subject, what)
    return [] if len(called) == 1 and phrases("words.mean").search(text) else called  # a mean is of several


@lru_cache(maxsize=8192)
def _steps_told(line: str) -> frozenset[float]:
    """The steps that a line tells that it is of."""
    return frozenset(float(found["n"] or found["of"]) for found in _TOLD.finditer(line))


def _of_steps(own: Sequence[Measurement]) -> list[Measurement]:
    """The rows without those of lines that count but epochs."""
    return [row for row in own if not _COUNTS_EPOCHS.search(row.text)]


def at_epoch(text: str, own: Sequence[Measurement]) -> list[Measurement]:
    """Those of the rows that are of the epoch or step that a text names."""
    epoch = AT_EPOCH.search(text)
    if epoch is None:
        return []
    if epoch["last"]:
        return [row for row in own if row.event is own[-1].event and row.epoch is not None][-1:]
    place = _PLACES.get((epoch["word"] or epoch["nth"] or "").lower())
    n = place or float((epoch["n"] or epoch["at"] or "0").replace(",", ""))
    own = _of_steps(own) if _OF_STEPS.match(epoch.group()) else own
    found = [row for row in own if _is_at(n, row)]
    if place and any(_is_at(0, row) for row in own):  # some count from 0, others measure before the first
        found = [row for row in own if _is_at(place - 1, row)] + found
    return found


def _is_at(n: float, row: Measurement) -> bool:
    return row.epoch == n or (row.epoch is None and n in _steps_told(row.text))


def is_unsure(said: Said, result: Result) -> bool:
    """Whether a number that no row bears may be of something else, or worked out."""
    if not result.is_bound and not _is_tied(said, result):
        return (
            bool(result.number.bound) or not result.metric or not rows.bearing(said.known, result.what, result.number)
        )
    return not rows.bearing(said.known, result.what, result.number) and _is_worked_out(said, result)


def _is_tied(said: Said, result: Result) -> bool:
    """Whether a number apart from its metric has a unit or as many digits as a value of it."""
    wanted = _TELLING + (not result.is_named and bool(said.clause.before))  # of a clause with a subject of its own
    digits = _digits(result.number)
    has_unit = result.number.percent_like or result.number.unit is Unit.SECONDS
    return digits >= wanted or (has_unit and (bool(result.metric) or digits > 1))


def _is_worked_out(said: Said, result: Result) -> bool:
    """Whether the agent has worked out a value that no output can hold: of one part, of all steps, or e to the loss."""
    number, known = result.number, said.known
    times = (row for row in known.values if row.metric in TIMES)
    steps = ((row.value, float(n)) for row in times for n in _COUNT.findall(row.text))
    is_of_steps = result.metric == "time" and any(number.is_near(time * n / number.seconds) for time, n in steps)
    parts = [each for row in rows.current(known, result.what)[-1:] for each in rows.parts(known, row)]
    is_of_parts = len(parts) > 1 and not any(_MEAN.search(row.text) for row in parts)
    is_of_mean = is_of_parts and _MEAN.search(without_metrics(said.text))
    is_rough = number.approximate and _OF_STEP.search(said.text)
    return bool(is_of_steps or is_of_mean or is_rough or _OF_ONE.search(said.text))


def _digits(number: Number) -> int:
    """How many digits a number has that tell it from others."""
    digits = re.sub(r"\D", "", number.text).lstrip("0")
    return len(digits if "." in number.text else digits.rstrip("0"))
