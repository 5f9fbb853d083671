"""One run that measured something, and the words it may be called by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias

from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split, without_metrics
from evaluation.record.by_value import ByValue
from evaluation.record.derived import part_means
from evaluation.record.events import Event
from evaluation.record.measurements import Measurement

Key: TypeAlias = tuple[str, Split | None]
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]+|(?<![\w'’])[A-Z](?!\w)|\d+(?:\.\d+)?")
"""A word or number; a letter by itself is a name where it is a capital: "model B"."""
_POWER = re.compile(r"(?<![A-Za-z\d.])\d+(?:\.\d+)?e-\d+(?!\w)")
"""A setting with a power of ten."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_PRECISE, _STEM = 3, 4
"""Digits from which a number in prose is hardly a value by chance; letters that tell the word that begins with them."""


def words_of(text: str) -> list[str]:
    """The words, lower-cased, and numbers of a text; a name in camel case is there whole and taken apart."""
    if _POWER.search(text):
        text = _POWER.sub(lambda found: f"{float(found.group()):.12f}".rstrip("0"), text)
    whole = _words(text)
    parted = _CAMEL.sub(" ", text)
    if parted == text:
        return whole
    return [*dict.fromkeys([*(word for word in _words(parted) if not is_letter(word)), *whole])]  # no B of "MiB"


def begin_alike(one: str, two: str) -> bool:
    """Whether one of two words begins with the other, of four letters at least: "augment" and "augmentation"."""
    short, long = sorted((one, two), key=len)
    return len(short) >= _STEM and long.startswith(short)


def is_letter(word: str) -> bool:
    """Whether a word is a name of one letter."""
    return len(word) == 1 and word.isalpha()


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def called(event: Event) -> set[str]:
    """Words of the script and the command line of a run; "depth4" is also "depth" and "4"."""
    text = " ".join([*(name.partition(".")[0] for name in event.files), event.command.partition("\n")[0]])
    return {*words_of(text), *words_of(re.sub(r"(?<=[a-z])(?=\d)", " ", text.lower()))}


def words_before_values(measured: MeasuredRun, prose: str) -> set[str]:
    """What stands in front of a value of a measured run that a sentence gives in at least three digits."""
    found: set[str] = set()
    for sentence in _SENTENCE.split(prose[:4000]):
        given = [n for n in find_numbers(sentence) if sum(c.isdigit() for c in n.text) >= _PRECISE]
        if len(given) <= 4 and any(measured.holds(number) for number in given):
            found.update(words_of(without_metrics(sentence[: given[0].start])))
    return found


@lru_cache(maxsize=4096)
def own_words(label: str, name: str) -> frozenset[str]:
    """What the output calls a result beside its metric and split."""
    return frozenset(words_of(label) or words_of(without_metrics(name)))


@dataclass
class MeasuredRun:
    """One run or scoring that measured something.

    Attributes:
        event: The run.
        values: What it measured.
        names: Words it may be called by, with the step that gave them: of its script, its arguments, the edits for
            it, code taken out after it, and sentences that give its values.
    """

    event: Event
    values: list[Measurement]
    names: dict[str, int] = field(default_factory=dict)

    @cached_property
    def command_words(self) -> set[str]:
        """Words of its script and command line."""
        return called(self.event)

    def call(self, step: int, *names: set[str]) -> None:
        """Remember words it may be called by from a step on."""
        for name in set().union(*names):
            self.names.setdefault(name, step)

    def holds(self, stated: Quantity) -> bool:
        """Whether a number states one of its values."""
        return any(stated.states(row.value, recorded_percent=row.percent) for _, row in self._by_value.near(stated))

    @cached_property
    def _by_value(self) -> ByValue[Measurement]:
        return ByValue((row.value, row) for row in self.values)

    @cached_property
    def means(self) -> list[Measurement]:
        """Means over its seeds or folds, which the agent may have worked out."""
        return list(part_means(self.finals.values()))

    @cached_property
    def finals(self) -> dict[tuple[str, str, Split | None, int], Measurement]:
        """The last value of each label, name and split; neither a baseline beside it nor the parts of a mean count.

        Where a script trains several models one after another its epochs start anew: each has its own final values.
        """
        found: dict[tuple[str, str, Split | None, int], Measurement] = {}
        at = 0
        epoch = 0.0
        printed = {value.key for value in self.values if not value.is_from_file}
        for value in self.values:
            if value.is_from_file and value.key in printed:
                continue
            if value.epoch is not None:
                at += value.epoch < epoch
                epoch = value.epoch
            if not value.is_baseline and not value.is_beside_mean:
                found[value.words, value.metric, value.split, at] = value
        return found

    @cached_property
    def final_ids(self) -> frozenset[str]:
        """The ids of the final values."""
        return frozenset(value.id for value in self.finals.values())

    @cached_property
    def by_label(self) -> Mapping[tuple[Key, str], list[Measurement]]:
        """The final values of each metric, split and label."""
        found: defaultdict[tuple[Key, str], list[Measurement]] = defaultdict(list)
        for value in self.finals.values():
            found[value.key, value.label].append(value)
        return found

    @cached_property
    def by_words(self) -> Mapping[tuple[Key, str], list[Measurement]]:
        """The final values of each metric and split, by all that the output calls them."""
        found: defaultdict[tuple[Key, str], list[Measurement]] = defaultdict(list)
        for value in self.finals.values():
            found[value.key, value.words].append(value)
        return found
