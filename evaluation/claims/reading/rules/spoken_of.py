"""Which of the things that were measured a text speaks of by name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from environment.metrics.names import is_setting
from evaluation.claims.reading.rules.mentions import metrics_in, split_mentions
from evaluation.claims.reading.rules.numbers import possible
from evaluation.claims.reading.rules.prose import ARTICLE
from evaluation.claims.reading.rules.vocabulary import groups, word_list
from evaluation.record.known import Known
from evaluation.record.subjects import Subject

_TOKEN = re.compile(r"(?<![\w+'’])[A-Za-z]+(?:-[A-Z]{2,})?\d*|\d+(?:\.\d+)?(?:e-?\d+)?(?!\+)")
_BOUNDARY = re.compile(
    r"[,;:()→|<>]|->|\b(?:than|vs|versus|over|from|to|and|or|against|with|by|but|while|for|in|at|of|is|was|has)\b"
)
_WITHOUT = re.compile(
    r"\b(?:without|minus|excluding|except|no|not|removing|dropping)\s+(?:the |any )?[`*\"]*$", re.IGNORECASE
)
"""In front of a name that tells what a result is not of."""
_PARTING = re.compile(r"[,;:.]\s")
_NEAR = 24
"""Letters that may stand between two words of one name."""
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
"""A number that commands and labels write in one way."""
_BESIDE = 2
"""The same between a setting and its number."""


@dataclass(frozen=True)
class Named:
    """Where a text names something, and what that may be."""

    start: int
    end: int
    subjects: frozenset[Subject]
    is_guess: bool = False  # the baseline, where nothing bears that name; the last run of a script that ran before

    def is_left_out(self, text: str) -> bool:
        """Whether the text says that it speaks of what is without it."""
        return _WITHOUT.search(text, 0, self.start) is not None

    def covers(self, other: Named) -> bool:
        """Whether another name stands in it."""
        return self.start <= other.start < self.end


def named_in(text: str, known: Known) -> list[Named]:
    """The names of a text, in order, each with the subjects that go by most of its words."""
    files = list(_files(text, known))
    own = [each for each in _by_words(text, known) if not any(file.covers(each) for file in files)]
    found = _joined(own, text)
    return sorted([*files, *found, *_baselines(text, found, known)], key=lambda each: each.start)


def _by_words(text: str, known: Known) -> Iterator[Named]:
    """Names of words that stand together."""
    subjects, count = known.index.subjects, len(known.measured_runs)
    tokens, every = list(name_tokens(text, known)), len(subjects.known(count))
    words = [token.group().replace("-", "").lower() for token in tokens]
    hits = [(token, _with_number(tokens, n, subjects.called(words, n, count))) for n, token in enumerate(tokens)]
    together: list[list[tuple[re.Match[str], frozenset[Subject]]]] = []
    for token, found in hits:
        if not 0 < len(found) < every:
            continue
        gap = text[together[-1][-1][0].end() : token.start()] if together else ""
        if together and len(gap) <= _NEAR and not (_BOUNDARY.search(gap) or has_relation(gap)):
            together[-1].append((token, found))
        else:
            together.append([(token, found)])
    return (_named(group) for group in together if any(not token.group()[0].isdigit() for token, _ in group))


def _with_number(tokens: Sequence[re.Match[str]], at: int, found: frozenset[Subject]) -> frozenset[Subject]:
    """Of what goes by the name of a setting, that which has the number beside it: "lr 0.01", "64 units"."""
    token = tokens[at]
    around = [each for each in tokens[max(0, at - 1) : at + 2] if _PLAIN.fullmatch(each.group())]
    values = [each.group() for each in around if 0 <= each.start() - token.end() <= _BESIDE]
    values += [each.group() for each in around if 0 <= token.start() - each.end() <= _BESIDE]
    if not values or not is_setting(token.group().lower()):
        return found
    return frozenset(each for each in found if any(value in each.words for value in values))


def _files(text: str, known: Known) -> Iterator[Named]:
    """Where a text names a script that measured something: its last run, which is a guess where it ran before."""
    index, count = known.index, len(known.measured_runs)
    for name in index.runs_of_files:
        found = re.search(rf"(?<![\w./-]){re.escape(name)}(?!\w)", text) if name in text else None
        if found and (last := index.last_run_of(name, count)) is not None:
            is_guess = index.runs_of_files[name][0] != last
            subjects = frozenset(each for each in index.subjects.known(count) if each.run == last)
            yield Named(found.start(), found.end(), subjects, is_guess)


def _baselines(text: str, found: list[Named], known: Known) -> Iterator[Named]:
    """Where a text speaks of the baseline: of what an output or a command calls so, else of what came first."""
    phrases = [*groups("references")["baseline"].finditer(text)]
    called = known.index.subjects.baselines if phrases else ()
    own = frozenset(each for each in called if each.run < len(known.measured_runs))
    own, is_guess = (own, False) if own or not phrases else (_first_results(known), True)
    for phrase in phrases if own else ():
        if not any(each.start < phrase.end() and phrase.start() < each.end for each in found):
            yield Named(phrase.start(), phrase.end(), own, is_guess)


def _first_results(known: Known) -> frozenset[Subject]:
    """What the baseline is where nothing is called so; none where the task itself gives its values."""
    rows = known.baseline or [row for run in known.measured_runs[:1] for row in run.finals.values()]
    of = [known.index.subjects.of(row) for row in rows]
    own = sorted({each for each in of if each}, key=lambda each: each.run)
    if not own or None in of:
        return frozenset()
    first = known.measured_runs[own[0].run].event
    return frozenset(each for each in own if not known.measured_runs[each.run].event.varies(first))


def _joined(names: Sequence[Named], text: str) -> list[Named]:
    """Names of which one tells more of what the one before it names: "LR with C=4"."""
    found: list[Named] = []
    for each in names:
        gap = text[found[-1].end : each.start] if found else ""
        is_near = found and len(gap) <= _NEAR and not (_PARTING.search(gap) or has_relation(gap))
        both = found[-1].subjects & each.subjects if is_near else frozenset()
        if both and both != found[-1].subjects:
            found[-1] = Named(found[-1].start, each.end, both)
        else:
            found.append(each)
    return found


@lru_cache(maxsize=2048)
def has_relation(text: str) -> bool:
    """Whether a text holds a word that says how two results stand to each other."""
    return any(pattern.search(text) for pattern in groups("relations").values())


def _named(group: list[tuple[re.Match[str], frozenset[Subject]]]) -> Named:
    counts = Counter(subject for _, found in group for subject in found)
    most = max(counts.values())
    return Named(group[0][0].start(), group[-1][0].end(), frozenset(s for s, n in counts.items() if n == most))


def name_tokens(text: str, known: Known) -> Iterator[re.Match[str]]:
    """The words that can be names: no metric, split, result or common word."""
    bare = text
    for mention in (*metrics_in(text, known), *split_mentions(text)):
        bare = f"{bare[: mention.start]}{' ' * (mention.end - mention.start)}{bare[mention.end :]}"
    for pattern in (ARTICLE, *groups("relations").values(), *groups("extremes").values()):
        bare = pattern.sub(lambda found: " " * len(found.group()), bare)
    stated = {at for number in possible(text) for at in range(number.start, number.end)}
    for token in _TOKEN.finditer(bare):
        word = token.group().lower()
        is_common = word.endswith("ly") or word in word_list("generic") or word in word_list("no_thing")
        is_common = is_common and not (len(word) == 1 and token.group().isupper())  # "model A"
        if not (token.start() in stated or is_common):
            yield token
