"""Reads how many of several results are so: "3 of 5 folds beat the baseline", "none of the models does"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import Result, metrics_in
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import relation_in
from evaluation.claims.types.base import Operand, Relation
from evaluation.claims.types.count import Count
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known

_OF = re.compile(
    r"\b(?P<n>none|neither|\w+)(?: out)? of (?:the |our |my )?(?P<m>\w+)? ?(?P<what>fold|seed"
    r"|model|run|strateg|target|measure|attempt|variant|script|method|them|these)\w*",
    re.IGNORECASE,
)

_BOUNDS: dict[str, Relation] = {">": "higher", "<": "lower"}


def count_of(clause: Clause, known: Known, results: Sequence[Result]) -> Count | None:
    """The count that a clause gives; ``None`` for none, or where what is counted cannot be told."""
    found = _OF.search(clause.text)
    said = relation_in(clause.text[found.end() :]) if found else None
    bound = _BOUNDS.get(results[0].number.bound) if results else None
    relation = said.relation if said else bound
    if found is None or relation is None or not known.measured_runs or len(results) > 1:
        return None
    metric = next((each.what for each in metrics_in(clause.text, known) if each.what), "")
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
        return tuple(row.id for row in rows) if wanted in (None, len(rows)) else ()
    base = {row.event.id for row in known.baseline if not row.is_baseline}
    own = [row for measured in known.measured_runs for row in references.of_run(known, measured, what)]
    return tuple(row.id for row in own if row.event.id not in base)


def _limit(clause: Clause, known: Known, what: Meant) -> Operand | None:
    rows = references.referred(known, clause.text, what, [])
    return Operand(rows=tuple(row.id for row in rows[:1])) if rows else None
