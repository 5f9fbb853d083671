"""Reads what is said of several results at once: the best of them, and how a series of them goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from environment.metrics.names import is_setting
from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.asserted import without_aims
from evaluation.claims.reading.rules.numbers import Result, inherited_split, metrics_in, one_split
from evaluation.claims.reading.rules.places import ORDINALS, at_epoch
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, relation_in
from evaluation.claims.reading.rules.sides import is_right, operand
from evaluation.claims.reading.rules.vocabulary import found_in, groups, phrases
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.count import Count
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.claims.types.tendency import Tendency
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_SIZE = re.compile("max|min|largest|smallest|highest|lowest", re.IGNORECASE)
_OF_TIME = {"fastest": "lowest", "slowest": "highest"}
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

_LOOKED_FOR = re.compile(
    r"\b(?:for|of|by) (?:select|choos|find|pick|search|keep|us)\w*ing (?:the |its |our )?$", re.IGNORECASE
)
_NO_RESULT = re.compile(
    r"\s+(?:(?:hyper-?)?parameters?|settings?|ones?|gains?|improvements?|increase|drop|effect|difference|share|practices?)\b",
    re.I,
)
_OF_NAMED = re.compile(r"\s+(?:of|among) (?:the|all|our) (?:[A-Z]\w*[A-Z]|[A-Z]{2,})")
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
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
    for row in reversed(known.values):
        if row.metric != what.metric or what.split not in (None, row.split):
            continue
        if len(rows := references.series(known, row)) > 1:
            if phrases("words.still").search(clause.text):
                rows = rows[-max(2, len(rows) // 3) :]
            return Tendency(
                tendency=cast('Literal["rises", "falls", "improves", "worsens"]', goes),
                metric=what.metric,
                split=row.split,
                rows=_ids(rows),
                is_steady=bool(phrases("words.steady").search(clause.text)),
            )
    return None


def metric_named(clause: Clause, known: Known) -> Meant | None:
    """The metric that a clause names, with its split."""
    metric = next((each.what for each in metrics_in(clause.text, known) if each.what), None)
    return Meant(metric, one_split(clause.text)) if metric else None


def extreme(clause: Clause, known: Known, results: Sequence[Result]) -> Extreme | None:
    """The best or worst that a clause tells of; ``None`` where that cannot be told."""
    text = without_aims(clause.text)
    hits = [(m.start(), name, m) for name, pattern in groups("extremes").items() if (m := pattern.search(text))]
    if not hits or phrases("words.against_best").search(text) or phrases("words.but").search(text):
        return None
    _, name, found = min(hits)
    if _is_no_result(text, found):
        return None
    side = phrases("operands.against").search(text, found.end())
    against = side.end() if side else None
    results = [each for each in results if len(results) == 1 or not is_right(each, text, against)]
    if len(results) > 1 or (_SIZE.match(found.group()) and _is_of_setting(text[found.end() :])):
        return None
    kind = cast('Literal["best", "worst", "highest", "lowest"]', _OF_TIME.get(name, name))
    if results:
        what = Meant(results[0].metric, results[0].split)
        borne = references.bearing(known, what, results[0].number)
        of_place = at_epoch(text, references.series(known, borne[-1])) if borne else []
        return _among(kind, what, text, known, results, of_place or borne)
    if of_epoch := _of_epoch(text, kind, known, metric_named(clause, known)):
        return of_epoch
    metric = "time" if name in _OF_TIME else next((each.what for each in metrics_in(text, known)), "")
    what = Meant(metric, one_split(text) or inherited_split(clause))
    sides = (text[: found.start()], text[found.end() :])
    subject = next((rows for side in sides if (rows := naming.named(known, side, what))), None)
    if not subject and _is_of_unknown(text, known, metric):
        return None
    return _among(kind, what, text, known, results, subject or references.current(known, what), is_named=bool(subject))


def _is_no_result(text: str, found: re.Match[str]) -> bool:
    """Whether a setting or a change is called best, the best is only looked for, or it is said how the best went."""
    before, after = text[: found.start()], text[found.end() :]
    said = relation_in(after)
    has_moved = said is not None and said.relation in ("higher", "lower", "better", "worse") and not _THAN.search(after)
    return bool(_LOOKED_FOR.search(before) or _NO_RESULT.match(after) or _OF_NAMED.match(after) or has_moved)


def _is_of_unknown(text: str, known: Known, metric: str) -> bool:
    """Whether what is called best is something else than a run's result, or none that is on record."""
    if phrases("words.within_a_run").search(text) or re.match(r"\W*its?\b", text, re.I):
        return True
    return bool(naming.name_words(text, known)) or not (metric or phrases("words.of_all").search(text))


def _among(
    kind: Literal["best", "worst", "highest", "lowest"],
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
    if (
        rows
        and not rows[-1].label
        and not phrases("words.of_all").search(text)
        and len(own := references.parts(known, rows[-1])) > 2
    ):
        pool = own
    elif rows and phrases("words.within_a_run").search(text):
        pool = references.parts(known, rows[-1]) if is_named else references.series(known, rows[-1])
    elif rows:
        pool = references.rivals(known, rows[-1])
    return Extreme(extreme=kind, metric=what.metric, split=what.split, of=operand(results, rows), among=_ids(pool))


def _of_epoch(
    text: str, kind: Literal["best", "worst", "highest", "lowest"], known: Known, what: Meant | None
) -> Extreme | None:
    """As "the loss is lowest after epoch 3": the value of that epoch among those of its run."""
    if what is None:
        return None
    for row in reversed(known.values):
        if references.is_of_what(known, row, what) and len(own := references.series(known, row)) > 2:
            rows = at_epoch(text, own)
            of = operand([], rows)
            return Extreme(extreme=kind, metric=what.metric, split=row.split, of=of, among=_ids(own)) if rows else None
    return None


def _is_of_setting(text: str) -> bool:
    """Whether what follows "maximum" or the like is a setting: "length", "learning rate"."""
    words = text.split()
    return any(is_setting(" ".join(words[:count])) for count in (1, 2) if len(words) >= count)


def _ids(rows: Sequence[Measurement]) -> tuple[str, ...]:
    return tuple(row.id for row in rows)


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
        rows = [row for row in run.values if row.epoch is not None and references.is_of_what(known, row, wanted)]
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
