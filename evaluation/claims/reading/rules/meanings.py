"""The other rows that the words of a claim may mean: of another metric, split, thing or run than the guessed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias, cast

from evaluation.claims.judging.operands import GENERIC, is_on, measurements
from evaluation.claims.reading.rules import names as naming
from evaluation.claims.reading.rules.mentions import metrics_in, split_mentions
from evaluation.claims.reading.rules.values import AT_EPOCH
from evaluation.claims.reading.rules.rows import Meant, is_unmeasured
from evaluation.claims.reading.rules.names import covered
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Measured, Operand
from evaluation.claims.types.value import Value
from evaluation.language.splits import TIMES, Split, without_metrics
from evaluation.record.known import Known
from evaluation.record.measured_runs import Key, MeasuredRun, words_of
from evaluation.record.measurements import UNNAMED, Measurement

_Places: TypeAlias = Callable[[MeasuredRun, Measurement], Sequence[Measurement]]
_NO_QUALITY = (*TIMES, "memory")
"""What no word such as "performance" means."""


@dataclass(frozen=True)
class Words:
    """The words of a claim, and how they were read."""

    text: str
    says: Measured
    known: Known

    def readings(self) -> Iterator[Measured]:
        """The claim about every other choice of rows that the words leave open."""
        yield from chain(self._of_the_latest(), self._of_other_keys(), self._of_other_things())

    def _of_the_latest(self) -> Iterator[Measured]:
        """Of what the latest run measured, where that is the value which is stated and another was taken to be meant.

        Of several values of that run itself, it is one that the run ended with and calls by nothing that is not said.
        """
        latest = self.known.measured_runs[-1] if self.known.measured_runs else None
        if not isinstance(self.says, Value) or not self.says.rows or latest is None:
            return
        if is_unmeasured(self.known, self.text):
            return  # what was written since has measured nothing
        is_other = all(row.event is not latest.event for row in self._rows)
        said, ends = tuple(words_of(self.text)), {row.id: row for row in latest.finals.values() if row.epoch is None}
        for row in self.known.stating(self.says.stated):
            alike = [_names_of(each) for each in ends.values() if each.key == row.key and each.id != row.id]
            own = tuple(_names_of(row).difference(alike[0].intersection(*alike) if alike else ()))
            is_said = len(covered(own, said)) == len(own)
            is_open = is_other or (row.id in ends and is_said and not AT_EPOCH.search(self.text))
            if row.event is latest.event and is_open and self._can_be(row, unnamed=True):
                yield _with(self.says, {"rows": (row.id,)}, row)

    def _of_other_keys(self) -> Iterator[Measured]:
        """Of another metric or split that the same runs measured."""
        rows = self._rows
        own = {row.key for row in rows}
        beside = {each.key: each for each in self._beside(rows) if each.key not in own and not each.derived_from}
        for key, row in beside.items() if not self._is_of_each else ():
            if self._can_be(row):
                yield from self._moved(_under(key), row)

    def _of_other_things(self) -> Iterator[Measured]:
        """Of another of the things that the same runs tell apart, such as data sets; a value has named its own."""
        if isinstance(self.says, Value) or self._is_of_each:
            return
        rows = self._rows
        keys = {row.key for row in rows}
        named = naming.labelled(self.known, self.text, Meant(self.says.metric, None))
        for words in dict.fromkeys(each.words for each in named or self._beside(rows) if each.key in keys):
            yield from self._moved(_called(words))

    def _can_be(self, row: Measurement, *, unnamed: bool = False) -> bool:
        """Whether the words can mean the metric and the split of a row; on the data of training only by its name."""
        own = self.says.metric
        is_generic = (not own or own in GENERIC) and row.metric not in _NO_QUALITY
        named = {own, *(each.what for each in metrics_in(self.text, self.known))}
        splits = {cast("Split", each.what) for each in split_mentions(self.text)} or {self.says.split} - {None}
        is_split = any(is_on(self.known, row, split) for split in splits) if splits else row.split != "train"
        return is_split and (is_generic or row.metric in named or (unnamed and row.metric == UNNAMED))

    def _moved(self, places: _Places, about: Measurement | None = None) -> Iterator[Measured]:
        """The claim with each of its rows, all of them last values, replaced by those of its run in other places."""
        moved: dict[str, tuple[str, ...]] = {}
        for name, rows in self._rows_of_sides.items():
            runs = [self.known.index.run_of.get(row.event.id) for row in rows]
            pairs = [(run, row) for run, row in zip(runs, rows, strict=True) if run and row.id in run.final_ids]
            found = [each.id for run, row in pairs for each in places(run, row)]
            if len(pairs) < len(rows) or len(found) < len(rows):
                return
            moved |= {name: tuple(dict.fromkeys(found))} if found else {}
            if not isinstance(getattr(self.says, name), Operand) and len(set(found)) < len(rows):
                return  # what is held against each other is one no more
        if moved:
            yield _with(self.says, moved, about)

    @property
    def _is_of_each(self) -> bool:
        return bool(phrases("words.of_each").search(self.text))

    @cached_property
    def _rows(self) -> list[Measurement]:
        return [row for rows in self._rows_of_sides.values() for row in rows]

    @cached_property
    def _rows_of_sides(self) -> Mapping[str, list[Measurement]]:
        return {name: measurements(self.known, ids) for name, ids in _sides(self.says).items()}

    def _beside(self, rows: Sequence[Measurement]) -> list[Measurement]:
        """The last values of the runs that rows are of, in the order of the runs."""
        of = {row.event.id: row.step for row in rows}
        runs = (self.known.index.run_of.get(event) for event in sorted(of, key=lambda event: of[event]))
        return [each for run in runs if run for each in run.finals.values()]


def _names_of(row: Measurement) -> set[str]:
    return set(words_of(f"{row.label} {without_metrics(row.name)}"))


def _under(key: Key) -> _Places:
    """The places of other metrics and splits of the things that rows are of."""
    return lambda run, row: run.by_label.get((key, row.label), ())


def _called(words: str) -> _Places:
    """The places of the metrics that rows are of, of the thing called so."""
    return lambda run, row: run.by_words.get((row.key, words), ())


def _sides(says: Measured) -> dict[str, tuple[str, ...]]:
    """The ids of rows that a claim names, by the field that holds them."""
    fields = {name: getattr(says, name) for name in type(says).model_fields}
    sides = {name: value.rows for name, value in fields.items() if isinstance(value, Operand)}
    return sides | {name: value for name, value in fields.items() if isinstance(value, tuple)}


def _with(says: Measured, rows: Mapping[str, tuple[str, ...]], about: Measurement | None = None) -> Measured:
    """A claim about other rows, of the metric and split of one of them."""
    sides = {name: getattr(says, name) for name in rows}
    update = {
        name: side.model_copy(update={"rows": rows[name]}) if isinstance(side, Operand) else rows[name]
        for name, side in sides.items()
    }
    return says.model_copy(update=update | ({"metric": about.metric, "split": about.split} if about else {}))
