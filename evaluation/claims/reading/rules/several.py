"""Reads what is said of several results at once: the best of them, how a series goes, that none of them is so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, cast

from environment.metrics.names import is_setting
from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import states
from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.asserted import is_hedged, without_aims
from evaluation.claims.reading.rules.mentions import first_metric, one_split
from evaluation.claims.reading.rules.numbers import Result, inherited_split, operand
from evaluation.claims.reading.rules.places import at_epoch
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, is_right, relation_in
from evaluation.claims.reading.rules.row_names import names_of_scope, narrowed
from evaluation.claims.reading.rules.vocabulary import found_in, groups, phrases
from evaluation.claims.types.count import Count
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.tendency import Tendency
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import Measurement

Kind = Literal["best", "worst", "highest", "lowest"]
_SIZE = re.compile("max|min|largest|smallest|highest|lowest", re.IGNORECASE)
_OF_TIME = {"fastest": "lowest", "slowest": "highest"}
_NUMBERED = re.compile(r"\b[A-Za-z]\w*_\d+\b")
"""A target or a part as code calls it: "updrs_3"."""
_LOOKED_FOR = re.compile(
    r"\b(?:for|of|by) (?:select|choos|find|pick|search|keep|us)\w*ing (?:the |its |our )?$", re.IGNORECASE
)
_GOES = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}
_BUT = re.compile(r"\b(?:but|except|save|apart from)\b", re.IGNORECASE)


def extreme(clause: Clause, known: Known, results: Sequence[Result]) -> Extreme | None:
    """The best or worst that a clause tells of; ``None`` where that cannot be told."""
    text = without_aims(clause.text)
    hits = [(m.start(), name, m) for name, pattern in groups("extremes").items() if (m := pattern.search(text))]
    if not hits or phrases("words.against_best").search(text) or phrases("words.but").search(text):
        return None
    _, name, found = min(hits)
    if _is_no_result(text, found) or is_hedged(clause, found.start()):
        return None
    side = phrases("operands.against").search(text, found.end())
    against = side.end() if side else None
    results = [each for each in results if len(results) == 1 or not is_right(each, text, against)]
    if len(results) > 1 or (_SIZE.match(found.group()) and _is_of_setting(text[found.end() :])):
        return None
    kind = cast("Kind", _OF_TIME.get(name, name))
    if results and results[0].number.start < found.start() and _gives_other(text[found.end() :], ()):
        return None  # "the mean is 0.90, best fold 0.91"
    if results:
        what = Meant(results[0].metric, results[0].split)
        borne = references.bearing(known, what, results[0].number)
        of_place = at_epoch(text, references.series(known, borne[-1])) if borne else []
        return _among(kind, what, text, known, results, of_place or borne)
    if of_epoch := _of_epoch(text, kind, known, metric_named(clause, known)):
        return of_epoch
    metric = "time" if name in _OF_TIME else first_metric(text, known)
    what = Meant(metric, one_split(text) or inherited_split(clause, known, metric))
    sides = (naming.GROUP.sub(" ", side) for side in (text[: found.start()], text[found.end() :]))
    subject = next((rows for side in sides if (rows := naming.named(known, side, what))), None)
    latest = references.current(known, what)
    if subject and len({row.label for row in subject}) > 1:
        return None
    if not subject and (_is_of_several(latest, known) or _is_of_unknown(text, known, metric)):
        return None
    if _gives_other(text, subject or latest):
        return None
    return _among(kind, what, text, known, results, subject or latest, is_named=bool(subject))


def _is_no_result(text: str, found: re.Match[str]) -> bool:
    """Whether a setting or a change is called best, the best is only looked for, or it is said how the best went."""
    after = text[found.end() :]
    said = relation_in(after)
    has_moved = said is not None and said.relation in ("higher", "lower", "better", "worse")
    is_looked_for = _LOOKED_FOR.search(text[: found.start()])
    return bool(is_looked_for or phrases("words.no_result").match(after.lstrip())) or has_moved


def _is_of_several(latest: Sequence[Measurement], known: Known) -> bool:
    """Whether the latest run gave several results that can be called the best."""
    rivals = references.rivals(known, latest[-1]) if latest else []
    return len(latest) > 1 or sum(row.event is latest[-1].event for row in rivals) > 1


def _gives_other(text: str, rows: Sequence[Measurement]) -> bool:
    """Whether a text gives a number with decimals that no row has for its value or in its name."""
    given = [number for number in find_numbers(text) if number.resolution < 1]
    named = {word for row in rows for word in words_of(row.words)}
    return any(not (number.text in named or any(states(number, row) for row in rows)) for number in given)


def _is_of_unknown(text: str, known: Known, metric: str) -> bool:
    """Whether what is called best is something else than a run's result, or none that is on record."""
    if phrases("words.within_a_run").search(text) or re.match(r"\W*its?\b", text, re.I):
        return True
    return bool(naming.name_words(text, known)) or not (metric or phrases("words.of_all").search(text))


def _among(
    kind: Kind,
    what: Meant,
    text: str,
    known: Known,
    results: Sequence[Result],
    rows: Sequence[Measurement],
    *,
    is_named: bool = False,
) -> Extreme:
    """A result as the best or worst of all runs, or of the parts of its own where those are spoken of."""
    pool: Sequence[Measurement] = ()
    is_whole = rows and not rows[-1].label and not phrases("words.of_all").search(text)
    if is_whole and len(parts := references.parts(known, rows[-1])) > 2:
        pool = parts
    elif rows and phrases("words.within_a_run").search(text):
        pool = references.parts(known, rows[-1]) if is_named else references.series(known, rows[-1])
    elif rows:
        pool = references.rivals(known, rows[-1])
        beside = [row for row in pool if row.event is rows[-1].event and row.id != rows[-1].id]
        if is_named and rows[-1].label and beside:  # what one output tells apart is held against each other
            pool = beside
    targets = set(_NUMBERED.findall(text))
    pool = [row for row in pool if targets <= set(_NUMBERED.findall(row.words))] or pool
    every = [row for row in references.beside(known, rows) if row.key == rows[-1].key and row.epoch is None]
    every = list({row.id: row for row in (*pool, *every, *rows[-1:])}.values())
    scope = narrowed(every, names_of_scope(text))  # "on adult", "among the wide nets"
    pool = scope if 1 < len(scope) < len(every) and rows[-1] in scope else pool
    return Extreme(extreme=kind, metric=what.metric, split=what.split, of=operand(results, rows), among=ids_of(pool))


def _of_epoch(text: str, kind: Kind, known: Known, what: Meant | None) -> Extreme | None:
    """As "the loss is lowest after epoch 3": the value of that epoch among those of its run."""
    if what is None:
        return None
    for row in reversed(known.values):
        if references.is_of_what(known, row, what) and len(own := references.series(known, row)) > 2:
            rows = at_epoch(text, own)
            of = operand([], rows)
            return (
                Extreme(extreme=kind, metric=what.metric, split=row.split, of=of, among=ids_of(own)) if rows else None
            )
    return None


def _is_of_setting(text: str) -> bool:
    """Whether what follows "maximum" or the like is a setting: "length", "learning rate"."""
    words = text.split()
    return any(is_setting(" ".join(words[:count])) for count in (1, 2) if len(words) >= count)


def course(clause: Clause, said: Said, known: Known) -> Tendency | None:
    """How the values of one run went, where a clause speaks of its epochs: "the loss decreased with each epoch"."""
    goes = _GOES.get(said.relation)
    return _over(clause, goes, known) if goes and not phrases("words.without").search(clause.text) else None


def tendency_in(clause: Clause, known: Known) -> Tendency | None:
    """How a clause says that a series went."""
    goes = found_in("tendencies", clause.text)
    return _over(clause, goes, known) if goes else None


def _over(clause: Clause, goes: str, known: Known) -> Tendency | None:
    """The latest series of the metric that a clause names."""
    what = metric_named(clause, known)
    if what is None:
        return None
    is_still = bool(phrases("words.still").search(clause.text))
    named = [row for row in reversed(known.values) if row.metric == what.metric and what.split in (None, row.split)]
    for row in named:
        rows = references.series(known, row)
        if is_still:  # parts of a run do not follow each other
            rows = [each for each in rows if each.epoch is not None] if row.event is named[0].event else []
        if len(rows) > 1:
            rows = rows[-max(2, len(rows) // 3) :] if is_still else rows
            return Tendency(
                tendency=cast('Literal["rises", "falls", "improves", "worsens"]', goes),
                metric=what.metric,
                split=row.split,
                rows=ids_of(rows),
                is_steady=bool(phrases("words.steady").search(clause.text)) and not _BUT.search(clause.text),
            )
    return None


def metric_named(clause: Clause, known: Known) -> Meant | None:
    """The metric that a clause names, with its split."""
    metric = first_metric(clause.text, known)
    return Meant(metric, one_split(clause.text)) if metric else None


def none_of(clause: Clause, known: Known, results: Sequence[Result]) -> Count | None:
    """As "None of our models beat the baseline": how many of the agent's own results are so."""
    none = phrases("words.none_of").search(clause.text)
    said = relation_in(clause.text[none.end() :]) if none else None
    metric = first_metric(clause.text, known)
    if said is None or results or not known.measured_runs:
        return None
    base = {row.event.id for row in known.baseline if not row.is_baseline}
    own = [row for run in known.measured_runs for row in references.of_run(known, run, Meant(metric, None))]
    rows = tuple(row.id for row in own if row.event.id not in base)
    limit = references.referred(known, clause.text, Meant(metric, None), [])
    return Count(metric=metric, rows=rows, relation=said.relation, limit=operand([], limit[:1])) if limit else None
