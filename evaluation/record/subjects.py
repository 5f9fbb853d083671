"""What results are of: each measured run, and each thing that an output tells apart; with the words it goes by."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from evaluation.language.splits import without_metrics
from evaluation.record.code import abbreviates
from evaluation.record.measured_runs import MeasuredRun, begin_alike, words_of
from evaluation.record.measurements import Measurement

_BASELINE = "baseline"
_SHORT_EDIT = 150
"""Words of the edits before a run up to which they tell what it tries; more are a whole script."""
_NAME = 40
"""The most words of a command or an edit that are still a name."""
_SHORT, _LONG, _LONGEST = 3, 5, 6
"""Letters of the shortest degree of a word, of the longest that is not cut, and of what is short for others."""
_MANY = 30
"""Subjects that go by a word from which it tells none of them."""
_FEW = 3
"""Words of a name up to which it is called by their initials."""
_DEGREE = re.compile(r"(?:er|est|th|e)$")
"""What "wider", "widest", "width" and "wide" end in."""
_PART = re.compile(
    r"(?:seed|fold|epoch|step|iter|iteration|mean|final|best|last|std|run|avg|average|row|time|sec|second)s?|\d+"
)
"""Words of a label that tell no thing but a part of one."""
_ALIKE = (frozenset({"deep", "dep", "layers", "layer"}), frozenset({"wid", "hidden", "units"}))
"""Words, without these endings, that are said for one another."""
_LED = re.compile(r"\s*([A-Za-z][\w.-]*):\s")
"""What a line of output begins with."""
_SPLIT = re.compile(r"(?<=[a-z])(?=\d)")


@dataclass(frozen=True)
class Subject:
    """A run, or a thing that a run's output tells from others.

    Attributes:
        run: The number of the measured run.
        label: What the output calls it; "" for the run as a whole.
        words: What it goes by.
    """

    run: int
    label: str
    words: frozenset[str]

    @property
    def is_named(self) -> bool:
        """Whether its words are a name, and not those of a whole script."""
        return len(self.words) <= _NAME


class Subjects:
    """The subjects of measured runs, in order; ``count`` says how many runs are known.

    Args:
        runs: The measured runs.
    """

    def __init__(self, runs: Sequence[MeasuredRun]) -> None:
        self._runs = runs
        self._of_rows: dict[str, Subject | None] = {}
        self._rows: dict[Subject, Sequence[Measurement]] = {}
        self._called: dict[tuple[str, str], frozenset[Subject]] = {}

    def known(self, count: int) -> Sequence[Subject]:
        """Those of the first runs."""
        return self._all[: bisect_left(self._starts, count)] if count < len(self._runs) else self._all

    def of(self, row: Measurement) -> Subject | None:
        """What a row is of; ``None`` for what no measured run has, as the value of a task's text."""
        if row.id not in self._of_rows:
            self._of_rows[row.id] = self._of.get((row.event.id, _own(row))) or self._of.get((row.event.id, ""))
        return self._of_rows[row.id]

    def rows(self, subject: Subject) -> Sequence[Measurement]:
        """All that was measured of one."""
        if subject not in self._rows:
            run = self._runs[subject.run]
            self._rows[subject] = [row for row in (*run.values, *run.means) if self.of(row) == subject]
        return self._rows[subject]

    def called(self, words: Sequence[str], at: int, count: int) -> frozenset[Subject]:
        """Those of the first runs that go by one of some words, alone or as what is short for it and the next."""
        pair = words[at], words[at + 1] if at + 1 < len(words) else ""
        if pair not in self._called:
            self._called[pair] = frozenset(
                self._all[place]
                for own, places in self._by_word.items()
                if _is_one(pair[0], own) or _is_short_for(own, *pair)
                for place in places
            )
        found = self._called[pair]
        if len(found) > _MANY:
            return frozenset()
        return found if count == len(self._runs) else frozenset(each for each in found if each.run < count)

    @cached_property
    def baselines(self) -> Sequence[Subject]:
        """What an output or, of a run as a whole, its command calls the baseline."""
        names = ((each, words_of(each.label) or self._runs[each.run].command_words) for each in self._all)
        return [each for each, words in names if _BASELINE in words]

    @cached_property
    def _all(self) -> list[Subject]:
        return [each for n, run in enumerate(self._runs) for each in _of_run(n, run)]

    @cached_property
    def _starts(self) -> list[int]:
        return [each.run for each in self._all]

    @cached_property
    def _of(self) -> dict[tuple[str, str], Subject]:
        return {(self._runs[each.run].event.id, each.label): each for each in self._all}

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for n, each in enumerate(self._all):
            for word in each.words:
                found[word].append(n)
        return dict(found)


def _of_run(number: int, run: MeasuredRun) -> Iterator[Subject]:
    """What a run tells apart by names under which it has the same metric; else, and besides, the run as a whole."""
    labels: defaultdict[tuple[str, object], dict[str, None]] = defaultdict(dict)
    for row in run.values:
        labels[row.key][_own(row)] = None
    told = dict.fromkeys(label for own in labels.values() if len(own) > 1 for label in own if label)
    edited = [name for name, step in run.names.items() if step <= run.event.step]
    written = frozenset((*run.command_words, *(edited if len(edited) <= _SHORT_EDIT else ())))
    if any(len(own) == 1 or "" in own for own in labels.values()):
        yield Subject(number, "", written)
    for label in told:
        yield Subject(number, label, frozenset((*_parted(label), *_initials(label))))


@lru_cache(maxsize=8192)
def _parted(text: str) -> tuple[str, ...]:
    return (*words_of(text), *words_of(_SPLIT.sub(" ", text.lower())))


def _initials(label: str) -> Iterator[str]:
    """What a name of two or three words is called in short: "RF", "GB" and "GBM"."""
    words = words_of(label)
    if 1 < len(words) <= _FEW and all(word.isalpha() for word in words):
        short = "".join(word[0] for word in words)
        yield from (short, f"{short}m")


def _own(row: Measurement) -> str:
    """What an output calls what a row is of, without the part of it that the row is of."""
    called = " ".join((row.label or ("baseline" if row.is_baseline else without_metrics(row.name))).split())
    if not called and (led := _LED.match(row.text)):
        called = led[1]
    return called if any(not _PART.fullmatch(word) for word in words_of(called)) else ""


@lru_cache(maxsize=65_536)
def _is_one(word: str, own: str) -> bool:
    """Whether two words are one but for their ends: "wider" and "width"."""
    if word == own:
        return True
    if not (word.isalpha() and own.isalpha()):
        return False
    if begin_alike(word, own):
        return True
    one, two = _DEGREE.sub("", word), _DEGREE.sub("", own)
    return (one == two and len(one) >= _SHORT) or any({one, two} <= alike for alike in _ALIKE)


@lru_cache(maxsize=65_536)
def _is_short_for(own: str, word: str, follower: str) -> bool:
    """Whether a name is short for a word, or for it and the next: "rf", "gbm", "logreg"."""
    if not own.isalpha() or not 1 < len(own) <= _LONGEST:
        return False
    if follower and len(own) <= _SHORT and own.startswith(word[0] + follower[0]):
        return True
    if len(own) < _SHORT or own[0] != word[0]:
        return False
    starts = (word[:n] + follower[: len(own) - n] for n in range(2, len(own) - 1))
    return own in starts or (len(word) > _LONG and abbreviates(own, word))
