"""Which results a phrase calls by a name, and whether anything on record is called so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice, pairwise

from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.objects import holds
from evaluation.claims.reading.rules.prose import without_article
from evaluation.claims.reading.rules.rows import Meant, is_of, of_run, those_of
from evaluation.claims.reading.rules.spoken_of import name_tokens, named_in
from evaluation.claims.reading.rules.vocabulary import concepts, groups, phrases, word_list
from evaluation.language.splits import without_metrics
from evaluation.record.code import Code
from evaluation.record.known import Known
from evaluation.record.measured_runs import MeasuredRun, begin_alike, is_letter, words_of
from evaluation.record.measurements import Measurement
from evaluation.record.settings import settings_in
from evaluation.record.subjects import Subject

_LETTERS, _START = 3, 5
"""Letters of the shortest name, and of a name's start."""
_NUMBERED = re.compile(r"\b(run|trial|exp|experiment|attempt|version|iteration)s?[ _#-]*(\d+)\b", re.IGNORECASE)
_PROPER = re.compile(r"\b(?:[A-Z]{2,}[a-z]*\w*|[A-Z][a-z]+[A-Z]\w*)\b")
_SCOPE = re.compile(
    r"\b(?:of|among|on|for|within|in) (?:the |all |our |these )*"
    r"((?:(?!(?:is|are|was|were|has|had|with|by|and|at|to)\b)[\w-]+(?: |$|(?=[,:;.(]))){1,3})",
    re.IGNORECASE,
)
"""Of what, or on which data, a result is said to be the best."""


def named(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of what a phrase calls by its name, else of the one run whose code and edits have most of its words.

    ``None`` where the phrase has no name, or one that could be several; empty where nothing on record is called so.
    """
    if ran := numbered(known, phrase, what):
        return ran
    if alike := so_set(known, phrase, what):
        _, latest = next(groupby(reversed(alike), key=lambda row: row.event.id))
        return _held_out(list(latest)[::-1], what)
    found = called(known, phrase, what)
    words = name_words(phrase, known)
    if found or found is None or not words:
        return found or None
    if is_unheard(phrase, known):
        return []
    run = _run_written_with(words, known)
    return of_run(known, run, what) or None if run else None


def called(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of the one thing that a phrase names; of what several outputs tell under one name the latest.

    ``None`` where the phrase speaks of what is without it.
    """
    is_baseline = groups("references")["baseline"].search
    names = named_in(phrase, known)
    if any(each.is_left_out(phrase) for each in names):
        return None
    names = [each for each in names if not (each.is_guess and is_baseline(phrase, each.start, each.end))]
    if any(not any(own.start <= at < own.end for own in names) for at, _ in _proper_names(phrase, known)):
        return []
    found = frozenset.intersection(*(each.subjects for each in names)) if names else frozenset()
    told = [each for each in found if each.label] or list(found)
    latest = [each for each in told if each.run == max(each.run for each in told)]
    if len(latest) < len(told) and not {each.label for each in told} <= {each.label for each in latest} - {""}:
        return []
    return _held_out([row for each in latest if each.is_named for row in _finals(known, each, what)], what)


def labelled(known: Known, phrase: str, what: Meant) -> list[Measurement]:
    """The rows that have the settings, or else the name, that a phrase gives."""
    return so_set(known, phrase, what) or called(known, phrase, what) or []


def _finals(known: Known, subject: Subject, what: Meant) -> list[Measurement]:
    """The final results of a thing."""
    run = known.measured_runs[subject.run]
    if not subject.label:
        return of_run(known, run, what)
    own = [row for row in run.finals.values() if known.index.subjects.of(row) == subject and not row.derived_from]
    return those_of(known, own, what)


def _held_out(rows: list[Measurement], what: Meant) -> list[Measurement]:
    """Of results of which no split is named those on held-out data, where there are any."""
    return [row for row in rows if what.split or row.split != "train"] or rows


def so_set(known: Known, phrase: str, what: Meant) -> list[Measurement]:
    """The rows that agree with every setting of a phrase by which rows differ."""
    found: list[Measurement] | None = None
    for setting in settings_in(phrase):
        rows = [row for row in known.index.finals.set_to(setting, len(known.finals)) if is_of(known, row, what)][::-1]
        own = {row.id for row in rows}
        if rows and any(row.id not in own and is_of(known, row, what) for row in reversed(known.finals)):
            found = [row for row in rows if found is None or row in found]
    return found or []


def number_in(phrase: str) -> re.Pattern[str] | None:
    """What matches the number that a phrase calls a run by ("run 3") wherever it is told: ``--out_dir=run_3``."""
    found = _NUMBERED.search(phrase)
    return re.compile(rf"{found[1]}[ _=-]*0*{found[2]}(?!\d)", re.IGNORECASE) if found else None


def numbered(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of the run whose command line, or else a row's label, has the number that a phrase calls it by."""
    called = number_in(phrase)
    if called is None:
        return None
    runs = (run for run in reversed(known.measured_runs) if called.search(run.event.command))
    told = (row for row in reversed(known.finals) if called.search(row.label) and is_of(known, row, what))
    return next((found for run in runs if (found := of_run(known, run, what))), None) or [*islice(told, 1)] or None


def _run_written_with(words: set[str], known: Known) -> MeasuredRun | None:
    """The one run that has most of some words among those it goes by; ``None`` where several have."""
    runs = known.measured_runs
    own = [{word for word in words if run.names.get(word, known.step + 1) <= known.step} for run in runs]
    common = set.intersection(*own) if len(own) > 1 else set()
    counts = [len(each - common) for each in own]
    most = max(counts, default=0)
    return runs[counts.index(most)] if counts.count(most) == 1 and most else None


def name_words(phrase: str, known: Known) -> set[str]:
    """What could be a name in a phrase."""
    return {token.group().lower() for token in name_tokens(phrase, known)}


def _proper_names(phrase: str, known: Known) -> list[tuple[int, str]]:
    """Names that a phrase writes with capitals, and where, without those of metrics and machines."""
    names = [(found.start(), found.group().lower()) for found in _PROPER.finditer(phrase)]
    return [each for each in names if not (metrics_in(each[1], known) or each[1] in word_list("no_name"))]


def is_unheard(phrase: str, known: Known) -> bool:
    """Whether a phrase has a name, or a concept of code, that nothing which was measured holds."""
    seen, tried = known.proven_code, () if known.scripts_are_shown else (known.code, known.commands)
    bare = phrase
    for said, forms in concepts().values():
        if said.search(phrase):
            if not holds(seen, forms) and (not tried or any(holds(code, forms) for code in tried)):
                return True
            bare = said.sub(" ", bare)
    unproven = [name for _, name in _proper_names(bare, known) if not _is_heard(name, seen)]
    return any(not tried or any(_is_heard(name, code) for code in tried) for name in unproven)


def _is_heard(name: str, seen: Code) -> bool:
    """Whether a name, the start of it, or its letters in order in a short word stand in code."""
    start = name[:_START]
    return (seen.begins(start) if len(start) == len(name) > _LETTERS else start in seen) or seen.abbreviates(name)


def names_of_rows(text: str) -> Iterator[str]:
    """The words of a text that can name a row, in order."""
    for word in words_of(without_metrics(without_article(text))):
        is_common = word in word_list("generic") or word[0].isdigit() or phrases("words.beside_values").fullmatch(word)
        if is_letter(word) or not is_common:
            yield word


def names_of_scope(text: str) -> Iterator[str]:
    """The words that say of what, or on which data, something is so."""
    return (word for found in _SCOPE.finditer(text) for word in names_of_rows(found[1]))


def narrowed(rows: Sequence[Measurement], words: Iterable[str]) -> list[Measurement]:
    """Those rows that bear some words, but for the words that none of them bears."""
    found = list(rows)
    for word in words:
        found = [row for row in found if covered((word,), tuple(words_of(row.words)))] or found
    return found


@lru_cache(maxsize=32_768)  # tables that are printed again and again have rows of the same names
def covered(names: tuple[str, ...], words: tuple[str, ...]) -> frozenset[int]:
    """Which of some words a row's name has: as they are, but for their ends, or as what is short for several."""
    found = {n for n, name in enumerate(names) if any(_is_one(name, word) for word in words)}
    for n, (one, two) in enumerate(pairwise(names)):
        if any(len(word) <= _LETTERS and word.startswith(one[0] + two[0]) for word in words):
            found |= {n, n + 1}
    return frozenset(found)


def exactly(names: Sequence[str], words: Sequence[str]) -> set[int]:
    """Which of some words a row's name has as they are, but for a number behind them: "blend3"."""
    return {n for n, name in enumerate(names) if any(name in (word, word.rstrip("0123456789")) for word in words)}


def _is_one(name: str, word: str) -> bool:
    """Whether two words are one but for their ends, be the shorter of four letters at least."""
    short, long = sorted((name, word), key=len)
    return long in (short, f"{short}s") or begin_alike(name, word)
