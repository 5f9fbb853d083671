"""Reads what is said of several results at once: the best of them, each of them, how a series of them goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, cast

from environment.metrics.names import is_setting
from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.numbers import Mention, Result, inherited_split, metrics_in, split_mentions
from evaluation.claims.reading.rules.other_side import is_right, names_other_side
from evaluation.claims.reading.rules.places import at_epoch
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said
from evaluation.claims.reading.rules.sides import operand
from evaluation.claims.reading.rules.vocabulary import groups, phrases
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.claims.types.tendency import Tendency
from evaluation.language.splits import Split
from evaluation.record.known import Known

_SIZE = re.compile("max|min|largest|smallest|highest|lowest", re.IGNORECASE)


def each_of_all(clause: Clause, known: Known, said: Said, results: Sequence[Result]) -> Order | None:
    """As "All four targets improved": each labelled result against its own before."""
    metric = next((each.what for each in metrics_in(clause.text, known) if each.what), "")
    if (
        results
        or not phrases("words.each_of_all").search(clause.text)
        or names_other_side(clause)
        or not known.measured_runs
    ):
        return None
    own = [
        row
        for row in known.measured_runs[-1].finals.values()
        if row.label and references.is_of_what(known, row, Meant(metric, None))
    ]
    before = [
        row
        for measured in known.measured_runs[:-1]
        for row in measured.finals.values()
        if row.words in {each.words for each in own}
    ]
    latest = [row for row in before if before and row.event is before[-1].event]
    if len(own) < 2 or len(latest) < 2:
        return None
    return Order(relation=said.relation, metric=metric, left=operand([], own), right=operand([], latest))


def course(clause: Clause, said: Said, known: Known) -> Iterator[Tendency]:
    """How the values of one run went, where a clause speaks of its epochs: "the loss decreased with each epoch"."""
    tendency = {"higher": "rises", "lower": "falls", "better": "improves", "worse": "worsens"}.get(said.relation)
    mentions = [each for each in metrics_in(clause.text, known) if each.what]
    if tendency and mentions and not phrases("words.without").search(clause.text):
        yield from _over(
            Meant(mentions[0].what, _one_split(clause)),
            tendency,
            known,
            is_steady=bool(phrases("words.steady").search(clause.text)),
        )


def on_each_split(what: Meant, splits: set[Split], said: Said, known: Known) -> Iterator[Order]:
    """As "Both training and validation loss improved": an order for each split."""
    for split in sorted(splits):
        of = Meant(what.metric, split)
        own = references.current(known, of)
        yield Order(
            relation=said.relation,
            metric=of.metric,
            split=split,
            left=operand([], own),
            right=operand([], references.previous(known, of, own)),
        )


def extreme(clause: Clause, known: Known, results: Sequence[Result]) -> Extreme | None:
    """The best or worst that a clause tells of; ``None`` where that cannot be told."""
    text = clause.text
    hits = [(m.start(), name, m) for name, pattern in groups("extremes").items() if (m := pattern.search(text))]
    found = min(hits)[1:] if hits else None
    against = phrases("operands.against").search(text, found[1].end()) if found else None
    results = (
        [each for each in results if not is_right(each, text, against.end() if against else None)]
        if len(results) > 1
        else results
    )
    if (
        found is None
        or (_SIZE.match(found[1].group()) and _is_of_setting(text[found[1].end() :]))
        or len(results) > 1
        or phrases("words.against_best").search(text)
        or phrases("words.but").search(text)
    ):
        return None
    if not results and (of_epoch := _of_epoch(text, found[0], known, metric_named(clause, known))):
        return of_epoch
    named = results[0] if results else None
    split = named.split if named else _one_split(clause) or inherited_split(clause)
    mentioned = next((m.what for m in metrics_in(text, known)), "")
    metric = "time" if found[0] in ("fastest", "slowest") else named.metric if named else mentioned
    what = Meant(metric, split)
    sides = (text[: found[1].start()], text[found[1].end() :])
    subject = None if named else next((rows for side in sides if (rows := naming.named(known, side, what))), None)
    is_within = bool(phrases("words.within_a_run").search(text))
    if not named and not subject:
        if is_within or re.match(r"\W*its?\b", text, re.I) or naming.name_words(text, known):
            return None
        if not metric and not phrases("words.of_all").search(text):
            return None
    rows = references.bearing(known, what, named.number) if named else subject or references.current(known, what)
    among: tuple[str, ...] = ()
    if rows:
        pool = references.rivals(known, rows[-1])
        if is_within:
            pool = references.parts(known, rows[-1]) if subject else references.series(known, rows[-1])
        among = tuple(row.id for row in pool)
    kind = cast(
        'Literal["best", "worst", "highest", "lowest"]',
        {"fastest": "lowest", "slowest": "highest"}.get(found[0], found[0]),
    )
    return Extreme(extreme=kind, metric=metric, split=what.split, of=operand(results[:1], rows), among=among)


def _is_of_setting(text: str) -> bool:
    """Whether what follows "maximum" or the like is a setting: "length", "learning rate"."""
    words = text.split()
    return any(is_setting(" ".join(words[:count])) for count in (1, 2) if len(words) >= count)


def metric_named(clause: Clause, known: Known) -> Meant | None:
    """The metric that a clause names, with its split."""
    metric = next((each.what for each in metrics_in(clause.text, known) if each.what), None)
    return Meant(metric, _one_split(clause)) if metric else None


def _of_epoch(text: str, found: str, known: Known, what: Meant | None) -> Extreme | None:
    """As "the loss is lowest after epoch 3": the value of that epoch among those of its run."""
    if what is None or found not in ("best", "worst", "highest", "lowest"):
        return None
    for row in reversed(known.values):
        if references.is_of_what(known, row, what) and len(own := references.series(known, row)) > 2:
            rows = at_epoch(text, own)
            kind = cast('Literal["best", "worst", "highest", "lowest"]', found)
            among = tuple(each.id for each in own)
            return (
                Extreme(extreme=kind, metric=what.metric, split=row.split, of=operand([], rows), among=among)
                if rows
                else None
            )
    return None


def tendency_in(clause: Clause, known: Known) -> Iterator[Tendency]:
    """How a clause says that a series went."""
    name = next((key for key, pattern in groups("tendencies").items() if pattern.search(clause.text)), None)
    mentions: list[Mention] = [each for each in metrics_in(clause.text, known) if each.what]
    if name is not None and mentions:
        yield from _over(
            Meant(mentions[0].what, _one_split(clause)),
            name,
            known,
            is_steady=bool(phrases("words.steady").search(clause.text)),
        )


def _one_split(clause: Clause) -> Split | None:
    splits = {each.what for each in split_mentions(clause.text)}
    return cast("Split", splits.pop()) if len(splits) == 1 else None


def _over(what: Meant, tendency: str, known: Known, *, is_steady: bool) -> Iterator[Tendency]:
    """The latest series of a metric."""
    for measured in reversed(known.measured_runs):
        for row in reversed(measured.values):
            if (
                row.metric == what.metric
                and what.split in (None, row.split)
                and len(rows := references.series(known, row)) > 1
            ):
                goes = cast('Literal["rises", "falls", "improves", "worsens"]', tendency)
                yield Tendency(
                    tendency=goes,
                    metric=what.metric,
                    split=row.split,
                    rows=tuple(each.id for each in rows),
                    is_steady=is_steady,
                )
                return
