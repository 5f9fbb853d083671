"""The other rows that the words of a claim may mean: of another metric, split, thing or run than the guessed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from evaluation.claims.judging.operands import GENERIC, is_on, measurements
from evaluation.claims.reading.rules import names
from evaluation.claims.reading.rules.mentions import metrics_in, split_mentions
from evaluation.claims.reading.rules.rows import Meant, is_unmeasured
from evaluation.claims.reading.rules.values import AT_EPOCH
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Measured, Operand
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.value import Value
from evaluation.language.splits import without_metrics
from evaluation.record.known import Known
from evaluation.record.measured_runs import Key, MeasuredRun, words_of
from evaluation.record.measurements import UNNAMED, Measurement

_THINGS = 20
"""Results of different names beyond which it is a guess which one is spoken of."""
_MANY, _PAIR = 12, 2
"""Values and things of an output from which it is a guess which of them is spoken of."""


def readings(text: str, says: Measured, known: Known) -> Iterator[Measured]:
    """The claim about every other choice of rows that the words leave open."""
    if isinstance(says, Value):
        yield from _of_the_latest(text, says, known)
    if phrases("words.of_each").search(text):
        return
    if isinstance(says, Extreme):
        yield from _within_its_run(says, known)
    sides = _sides(says, known)
    rows = [row for own in sides.values() for row in own]
    runs = [run for event in dict.fromkeys(row.event.id for row in rows) if (run := known.index.run_of.get(event))]
    beside = [each for run in runs for each in run.finals.values()]
    keys = {row.key for row in rows}
    for row in {each.key: each for each in beside if each.key not in keys and not each.derived_from}.values():
        if _can_be(text, says, row, known):
            yield from _moved(says, sides, known, partial(_under, row.key), row)
    if not isinstance(says, Value):  # which has named its own
        named = names.labelled(known, text, Meant(says.metric))
        for words in dict.fromkeys(each.words for each in named or beside if each.key in keys):
            yield from _moved(says, sides, known, partial(_called, words))


def _within_its_run(says: Extreme, known: Known) -> Iterator[Measured]:
    """The best of the models, data sets or classes that one run tells apart, which may be beaten in another run."""
    own = measurements(known, says.of.rows)
    names = {(row.key, row.words) for row in own}
    stating = known.stating(says.of.stated) if says.of.stated else ()
    for row in (*own, *(each for each in stating if (each.key, each.words) in names)):
        run = known.index.run_of.get(row.event.id)
        beside = (
            tuple(each.id for each in run.finals.values() if each.key == row.key and each.id != row.id) if run else ()
        )
        if len(beside) > 1:
            yield says.model_copy(update={"of": says.of.model_copy(update={"rows": (row.id,)}), "among": beside})


def is_of_any(text: str, says: Measured, known: Known) -> bool:
    """Whether very many results have names, or the last output tells many of several things apart and words name none.

    One that is stated to many digits is told by them from the others of an output.
    """
    if known.index.finals.things(len(known.finals)) > _THINGS:
        return True
    if isinstance(says, Value) and says.stated.is_telling:
        return False
    metric = says.metric if isinstance(says, Value) else ""
    last = [row for run in known.measured_runs[-1:] for row in run.finals.values() if row.label]
    last = [row for row in last if not metric or row.metric == metric]
    labels, said = {row.label for row in last}, tuple(words_of(text))
    is_named = any(names.covered(tuple(words_of(label)), said) for label in labels)
    values = {row.words for row in last}
    return len(values) >= _MANY and len(labels) > _PAIR and not (is_named or phrases("words.of_each").search(text))


def _under(key: Key, run: MeasuredRun, row: Measurement) -> Sequence[Measurement]:
    """What a run measured of another metric or split of the thing that a row is of."""
    return run.by_label.get((key, row.label), ())


def _called(words: str, run: MeasuredRun, row: Measurement) -> Sequence[Measurement]:
    """What a run measured of the thing called so."""
    return run.by_words.get((row.key, words), ())


def _of_the_latest(text: str, says: Value, known: Known) -> Iterator[Measured]:
    """Of what the latest run measured, where that is the value which is stated and another was taken to be meant.

    Of several values of that run itself, it is one that the run ended with and calls by nothing that is not said.
    """
    latest = known.measured_runs[-1] if known.measured_runs else None
    if not says.rows or latest is None or is_unmeasured(known, text):
        return
    is_other = all(row.event is not latest.event for row in measurements(known, says.rows))
    said, ends = tuple(words_of(text)), {row.id: row for row in latest.finals.values() if row.epoch is None}
    for row in known.stating(says.stated):
        alike = [_names_of(each) for each in ends.values() if each.key == row.key and each.id != row.id]
        own = tuple(_names_of(row).difference(alike[0].intersection(*alike) if alike else ()))
        is_said = len(names.covered(own, said)) == len(own) and not AT_EPOCH.search(text)
        is_open = row.event is latest.event and (is_other or (row.id in ends and is_said))
        if is_open and (row.metric == UNNAMED or _can_be(text, says, row, known)):
            yield says.model_copy(update={"rows": (row.id,), "metric": row.metric, "split": row.split})


def _names_of(row: Measurement) -> set[str]:
    return set(words_of(f"{row.label} {without_metrics(row.name)}"))


def _can_be(text: str, says: Measured, row: Measurement, known: Known) -> bool:
    """Whether the words can mean the metric and the split of a row; on the data of training only by its name."""
    is_generic = not says.metric or says.metric in GENERIC
    named = {says.metric, *(each.what for each in metrics_in(text, known))}
    splits = {each.what for each in split_mentions(text)} or {says.split} - {None}
    is_split = any(is_on(known, row, split) for split in splits) if splits else row.split != "train"  # type: ignore[arg-type]
    return is_split and (is_generic or row.metric in named)


def _sides(says: Measured, known: Known) -> dict[str, Sequence[Measurement]]:
    """The rows that a claim names, by the field that holds them."""
    fields = {name: getattr(says, name) for name in type(says).model_fields}
    ids = {name: value.rows if isinstance(value, Operand) else value for name, value in fields.items()}
    return {name: measurements(known, own) for name, own in ids.items() if isinstance(own, tuple)}


def _moved(
    says: Measured,
    sides: Mapping[str, Sequence[Measurement]],
    known: Known,
    places: Callable[[MeasuredRun, Measurement], Sequence[Measurement]],
    about: Measurement | None = None,
) -> Iterator[Measured]:
    """The claim with each of its rows, all of them last values, replaced by those of its run in other places."""
    update: dict[str, object] = {"metric": about.metric, "split": about.split} if about else {}
    for name, own in sides.items():
        runs = [known.index.run_of.get(row.event.id) for row in own]
        pairs = [(run, row) for run, row in zip(runs, own, strict=True) if run and row.id in run.final_ids]
        found = [each.id for run, row in pairs for each in places(run, row)]
        side = getattr(says, name)
        is_one = not isinstance(side, Operand) and len(set(found)) < len(own)  # what is compared is one no more
        if len(pairs) < len(own) or len(found) < len(own) or is_one:
            return
        ids = tuple(dict.fromkeys(found)) or tuple(row.id for row in own)
        update[name] = side.model_copy(update={"rows": ids}) if isinstance(side, Operand) else ids
    if any(sides.values()):
        yield says.model_copy(update=update)
