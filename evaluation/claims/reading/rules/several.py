"""Reads what is said of several results at once: the best of them, how a series goes, that none of them is so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, cast

from environment.metrics.names import is_setting
from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import states
from evaluation.claims.reading.rules import names, rows
from evaluation.claims.reading.rules.asserted import is_hedged, without_aims
from evaluation.claims.reading.rules.mentions import first_metric, one_split
from evaluation.claims.reading.rules.owners import alone_in
from evaluation.claims.reading.rules.pairs import operand
from evaluation.claims.reading.rules.relations import Related, is_right, relation_in
from evaluation.claims.reading.rules.rows import Meant
from evaluation.claims.reading.rules.said import Result, Said
from evaluation.claims.reading.rules.values import at_epoch, of_owner
from evaluation.claims.reading.rules.vocabulary import found_in, groups, phrases
from evaluation.claims.types.base import Assertion, Operand
from evaluation.claims.types.count import Count
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.tendency import Tendency
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import splits_in
from evaluation.record.known import Known
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import Measurement

_SIZE = re.compile("max|min|largest|smallest|highest|lowest", re.IGNORECASE)
_OF_TIME = {"fastest": "lowest", "slowest": "highest"}
_FILE_GOES_ON = re.compile(r"[\w-]*\.[a-z]\w*")
"""Behind the "best" of "best.pt", which calls nothing the best."""
GOES = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}


def of_several(said: Said) -> Assertion | None:
    """How a series goes, which result is the best, or how many are so; ``None`` where nothing of the kind is said."""
    goes = found_in("tendencies", said.text) if not (said.results or said.carried) else None
    found: Assertion | None = _over(said, goes) if goes else None
    if found is None and not said.amounts:
        found = _extreme(said)
    return found or _none_of(said)


def _extreme(said: Said) -> Extreme | None:
    """The best or worst that a clause tells of; ``None`` where that cannot be told."""
    text, known = without_aims(said.text), said.known
    every = [(m.start(), name, m) for name, pattern in groups("extremes").items() for m in pattern.finditer(text)]
    hits = [hit for hit in every if not _FILE_GOES_ON.match(text, hit[2].end())]
    if not hits or phrases("words.against_best").search(text) or phrases("words.but").search(text):
        return None
    _, name, found = min(hits, key=lambda hit: hit[:2])
    if len(splits_in(text)) > 1 and "both" not in text:
        return None  # "B is best on validation, C on test"
    before, after = text[: found.start()], text[found.end() :]
    if _is_no_result(after) or is_hedged(said.text, found.start()):
        return None
    side = phrases("operands.against").search(text, found.end())
    results = [each for each in said.values if len(said.values) == 1 or not is_right(each, text, side and side.end())]
    if len(results) > 1 or (_SIZE.match(found.group()) and _is_of_setting(after)):
        return None
    extreme = _Extreme(said, _OF_TIME.get(name, name), text)
    if results:
        is_of_other = results[0].number.start < found.start() and _gives_other(after, ())
        return None if is_of_other else extreme.of_result(results[0])
    metric = first_metric(said.text, known)
    if metric and (of_epoch := extreme.of_epoch(Meant(metric, one_split(said.text)))):
        return of_epoch
    metric = "time" if name in _OF_TIME else first_metric(text, known)
    what = Meant(metric, one_split(text) or said.inherited_split(metric))
    subject = next((own for side in (before, after) if (own := names.named(known, side, what))), None)
    latest = rows.current(known, what)
    if len({row.label for row in subject or ()}) > 1 or _gives_other(text, subject or latest):
        return None
    if not subject and (_is_of_several(latest, known) or _is_of_unknown(text, known, metric)):
        return None
    return extreme.among(what, [], subject or latest, is_named=bool(subject))


def _is_no_result(after: str) -> bool:
    """Whether a setting or a change is called best, or it is said how the best went."""
    related = relation_in(after)
    has_moved = related is not None and related.relation in GOES
    return bool(phrases("words.no_result").match(after.lstrip())) or has_moved


def _is_of_several(latest: Sequence[Measurement], known: Known) -> bool:
    """Whether the latest run gave several results that can be called the best."""
    rivals = rows.rivals(known, latest[-1]) if latest else []
    return len(latest) > 1 or sum(row.event is latest[-1].event for row in rivals) > 1


def _gives_other(text: str, own: Sequence[Measurement]) -> bool:
    """Whether a text gives a number with decimals that no row has for its value or in its name."""
    named = {word for row in own for word in words_of(row.words)}
    given = (number for number in find_numbers(text) if number.resolution < 1)
    return any(number.text not in named and not any(states(number, row) for row in own) for number in given)


def _is_of_unknown(text: str, known: Known, metric: str) -> bool:
    """Whether what is called best is something else than a run's result, or none that is on record."""
    if phrases("words.within_a_run").search(text) or re.match(r"\W*its?\b", text, re.I):
        return True
    return bool(names.name_words(text, known)) or not (metric or phrases("words.of_all").search(text))


def _is_of_setting(text: str) -> bool:
    """Whether what follows "maximum" or the like is a setting: "length", "learning rate"."""
    words = text.split()
    return any(is_setting(" ".join(words[:count])) for count in (1, 2) if len(words) >= count)


class _Extreme:
    """The best or the worst, of which it is looked for what it is held against."""

    def __init__(self, said: Said, kind: str, text: str) -> None:
        self._said, self._known, self._kind, self._text = said, said.known, cast('Literal["best", "worst"]', kind), text

    def of_result(self, result: Result) -> Extreme:
        """A value that is called so."""
        if own := of_owner(self._said, result):
            return self.among(result.what, [result], [row for row in own if states(result.number, row)] or own[-1:])
        borne = rows.bearing(self._known, result.what, result.number)
        of_place = at_epoch(self._text, rows.series(self._known, borne[-1])) if borne else []
        return self.among(result.what, [result], of_place or borne)

    def of_epoch(self, what: Meant) -> Extreme | None:
        """As "the loss is lowest after epoch 3": the value of that epoch among those of its run."""
        for row in reversed(rows.those_of(self._known, self._known.values, what)):
            if len(own := rows.series(self._known, row)) > 2:
                of = at_epoch(self._text, own)
                return self._of(Meant(what.metric, row.split), operand([], of), own) if of else None
        return None

    def among(
        self, what: Meant, results: Sequence[Result], own: Sequence[Measurement], *, is_named: bool = False
    ) -> Extreme:
        """A result among all runs, or among the parts of its own where those are spoken of."""
        pool = self._pool(own, is_named=is_named) if own else []
        return self._of(what, operand(results, own), pool)

    def _of(self, what: Meant, of: Operand, pool: Sequence[Measurement]) -> Extreme:
        return Extreme(extreme=self._kind, metric=what.metric, split=what.split, of=of, among=ids_of(pool))

    def _pool(self, own: Sequence[Measurement], *, is_named: bool) -> list[Measurement]:
        known, text, last = self._known, self._text, own[-1]
        if is_named and names.number_in(last.label):
            return [row for row in known.finals_of(last) if known.comparable(row, last)]
        parts = rows.parts(known, last)
        is_of_parts = len(parts) > 2 and not any(rows.is_part(known, row) for row in parts)
        if named := self._of_all_named(own):
            pool = named
        elif not last.label and not phrases("words.of_all").search(text) and is_of_parts:
            pool = parts
        elif phrases("words.within_a_run").search(text):
            pool = parts if is_named else rows.series(known, last)
        else:
            pool = rows.rivals(known, last)
            beside = [row for row in pool if row.event is last.event and row.id != last.id]
            pool = beside if is_named and last.label and beside else pool  # what one output tells apart
        every = [row for row in rows.beside(known, own) if row.key == last.key and row.epoch is None]
        every = list({row.id: row for row in (*pool, *every, last)}.values())
        scope = names.narrowed(every, names.names_of_scope(text))  # "on adult", "among the wide nets"
        return scope if 1 < len(scope) < len(every) and last in scope else pool

    def _of_all_named(self, own: Sequence[Measurement]) -> list[Measurement]:
        """The results of all things that were measured, where the only one that is named is called the best of them."""
        known, subjects, what = self._known, self._known.index.subjects, Meant(own[-1].metric, own[-1].split)
        subject = alone_in(self._said.clause.sentence.text, known)
        if subject is None or not subject.is_named or {subjects.of(row) for row in own} != {subject}:
            return []
        is_in_scope = not subject.words.isdisjoint(names.names_of_scope(self._text))
        if is_in_scope or phrases("words.within_a_run").search(self._text):
            return []
        alike = [each for each in subjects.known(len(known.measured_runs)) if bool(each.label) == bool(subject.label)]
        return [row for each in alike for row in rows.of_subject(known, each, what)]


def course(said: Said, related: Related) -> Tendency | None:
    """How the values of one run went, where a clause speaks of its epochs: "the loss decreased with each epoch"."""
    goes = GOES.get(related.relation)
    return _over(said, goes) if goes else None


def _over(said: Said, goes: str) -> Tendency | None:
    """The latest series of the metric that a clause names, or of the run that it names."""
    metric, split, known = first_metric(said.text, said.known), one_split(said.text), said.known
    is_still = said.has("words.still")
    named = [row for row in known.latest_of(metric) if split in (None, row.split)] if metric else []
    related = relation_in(said.text)
    subject = said.text[: related.start] if related else ""
    called = names.named(known, subject, Meant(metric, split)) if metric else None
    for row in (row for row in named if not called or row.event is called[-1].event):
        own = rows.series(known, row)
        if is_still:  # parts of a run do not follow each other
            own = [each for each in own if each.epoch is not None] if row.event is named[0].event else []
        if len(own) > 1:
            own = own[-max(2, len(own) // 3) :] if is_still else own
            return Tendency(
                tendency=cast('Literal["rises", "falls", "improves", "worsens"]', goes),
                metric=metric,
                split=row.split,
                rows=ids_of(own),
                is_steady=said.has("words.steady") and not said.has("words.save"),
            )
    return None


def _none_of(said: Said) -> Count | None:
    """As "None of our models beat the baseline": how many of the agent's own results are so."""
    known, none = said.known, phrases("words.none_of").search(said.text)
    related = relation_in(said.text[none.end() :]) if none else None
    if related is None or said.results or said.carried or not known.measured_runs:
        return None
    what = Meant(first_metric(said.text, known))
    own = [row for run in known.measured_runs for row in rows.of_run(known, run, what)]
    limit = rows.referred(known, said.text, what, [])
    held = operand([], (limit or [])[:1])
    count = Count(metric=what.metric, rows=ids_of(own), relation=related.relation, limit=held)
    return count if limit else None
