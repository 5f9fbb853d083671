"""Reads what is said of several results at once: the best of them, and how a series of them goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.mentions import first_metric, one_split
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.places import ORDINALS
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, relation_in
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.count import Count
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.tendency import Tendency
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_GOES = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}
_ORDINALS = ORDINALS | {"last": -1, "final": -1}
_OF_EPOCH = re.compile(r"\bepochs?\b", re.IGNORECASE)
_PLACE = re.compile(
    rf"\b(?P<word>{'|'.join(_ORDINALS)})\b|\bepochs? (?P<n>\d+)(?:(?: and| to|-|–) (?:epoch )?(?P<m>\d+))?",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\b(?P<n>none|neither|\w+)(?: out)? of (?:the |our |my )?(?P<m>\w+)? ?(?P<what>fold|seed"
    r"|model|run|strateg|target|measure|attempt|variant|script|method|them|these)\w*",
    re.IGNORECASE,
)

_BUT = re.compile(r"\b(?:but|except|save|apart from)\b", re.IGNORECASE)
_BOUNDS: dict[str, Relation] = {">": "higher", "<": "lower"}


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


def of_epochs(clause: Clause, known: Known, said: Said, amounts: Sequence[Result]) -> Assertion | None:
    """As "The loss rose in the last epoch": an epoch against the one before it, or two that are named."""
    text = clause.text
    places = _places(text) if _OF_EPOCH.search(text) else []
    if not 0 < len(places) < 3 or phrases("words.without").search(text) or found_in("references", text):
        return None
    what = metric_named(clause, known) or Meant("", one_split(text))
    series = _latest(known, what)
    at = [each if each > 0 else len(series) for each in places]
    late, early = max(at), min(at) if len(at) > 1 else at[0] - 1
    if early < 1 or late > len(series) or late == early:
        return None
    own, before = series[late - 1], series[early - 1]
    about: dict[str, Any] = {
        "metric": what.metric or own.metric,
        "split": own.split,
        "left": Operand(rows=(own.id,)),
        "right": Operand(rows=(before.id,)),
    }
    if amounts:
        return Difference(relation=said.relation, amount=amounts[0].number, **about)
    return Order(relation=said.relation, **about)


def _places(text: str) -> list[int]:
    found: list[int] = []
    for match in _PLACE.finditer(text):
        if match["word"]:
            found.append(_ORDINALS[match["word"].lower()])
        else:
            found += [int(n) for n in (match["n"], match["m"]) if n]
    return found


def _latest(known: Known, what: Meant) -> list[Measurement]:
    """The values over the epochs of the run that measured such last."""
    for run in reversed(known.measured_runs):
        wanted = what if what.metric else Meant(main.metric, main.split) if (main := known.main(run)) else what
        every = [row for row in run.values if references.is_of_what(known, row, wanted)]
        rows = [row for row in every if row.epoch is not None]
        if not rows and len(every) > len({(row.key, row.label) for row in every}):
            return []  # its epochs, if these are any, are not counted
        own = [row for row in rows if row.key == rows[-1].key and row.label == rows[-1].label]
        if [row.epoch for row in own] == list(range(1, len(own) + 1)) and len(own) > 1:
            return own
    return []


def count_of(clause: Clause, known: Known, results: Sequence[Result]) -> Count | None:
    """The count that a clause gives; ``None`` for none, or where what is counted cannot be told."""
    found = _OF.search(clause.text)
    said = relation_in(clause.text[found.end() :]) if found else None
    bound = _BOUNDS.get(results[0].number.bound) if results else None
    relation = said.relation if said else bound
    if found is None or relation is None or not known.measured_runs or len(results) > 1:
        return None
    metric = first_metric(clause.text, known)
    number = next(iter(find_numbers(found["n"])), None)
    is_none = found["n"].lower() in ("none", "neither")
    if number is None and not is_none:
        return None
    rows = _counted(known, Meant(metric, None), found["what"].lower(), found["m"])
    limit = Operand(stated=results[0].number, is_goal=True) if results else _limit(clause, known, Meant(metric, None))
    if not rows or limit is None:
        return None
    return Count(metric=metric, number=None if is_none else number, rows=rows, relation=relation, limit=limit)


def _counted(known: Known, what: Meant, thing: str, total: str | None) -> tuple[str, ...]:
    """The rows that are counted: the parts of the last run, or the results of all runs."""
    if thing in ("fold", "seed", "target", "measure"):
        rows = [
            row
            for row in known.measured_runs[-1].finals.values()
            if row.label and references.is_of_what(known, row, what)
        ]
        rows = [row for row in rows if row.metric == rows[0].metric and row.split == rows[0].split]
        wanted = next((number.value for number in find_numbers(total or "")), None)
        return ids_of(rows) if wanted in (None, len(rows)) else ()
    base = {row.event.id for row in known.baseline if not row.is_baseline}
    own = [row for measured in known.measured_runs for row in references.of_run(known, measured, what)]
    return tuple(row.id for row in own if row.event.id not in base)


def _limit(clause: Clause, known: Known, what: Meant) -> Operand | None:
    rows = references.referred(known, clause.text, what, [])
    return Operand(rows=ids_of(rows[:1])) if rows else None
