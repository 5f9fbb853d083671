"""Which results a phrase calls by a name, and whether anything on record is called so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice, pairwise

from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.numbers import is_counter, possible
from evaluation.claims.reading.rules.objects import holds
from evaluation.claims.reading.rules.prose import without_article
from evaluation.claims.reading.rules.rows import Meant, is_of, of_run
from evaluation.claims.reading.rules.vocabulary import concepts, groups, phrases, word_list
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import without_metrics
from evaluation.record.code import Code, abbreviates
from evaluation.record.known import Known
from evaluation.record.measured_runs import MeasuredRun, begin_alike, is_letter, own_words, words_of
from evaluation.record.measurements import Measurement
from evaluation.record.settings import settings_in

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
    """The results of what a phrase calls by its name: a label of the output, else the one measured run called so.

    ``None`` where the phrase has no name, or one that could be several; empty where nothing on record is called so.
    """
    ran = numbered(known, phrase, what) or of_script(known, phrase, what)
    if ran is not None:
        return ran or None
    if set_so := agreeing(known, phrase, what):
        return _held_out(_of_one_run(reversed(set_so)), what)
    words = name_words(phrase, known)
    if not words:
        return None
    called = (row for row in known.index.names.called(words, len(known.finals)) if is_of(known, row, what))
    if so_called := _of_one_run(called) or _of_one_run(reversed(labelled(known, phrase, what))):
        return _held_out(so_called, what)
    if is_unheard(phrase, known):
        return []
    run = _run_called(words, {name.lower() for name in _PROPER.findall(phrase)}, known)
    return of_run(known, run, what) or None if run else None


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


def _run_called(words: set[str], proper: set[str], known: Known) -> MeasuredRun | None:
    """The one run that has most of some words among its names, the proper ones all; ``None`` where several have."""
    runs = [run for run in known.measured_runs if (proper & words) <= run.names.keys()]
    common = set.intersection(*(run.names.keys() & words for run in runs)) if len(runs) > 1 else set()
    scores = [len((run.names.keys() & words) - common) for run in runs]
    most = max(scores, default=0)
    top = [run for run, score in zip(runs, scores, strict=True) if score == most > 0]
    if len(top) > 1:  # what the code or the command of one alone has, the others are only spoken of beside
        own = [run for run in top if run.names.keys() & words & _written_for(run)]
        top = own if len(own) == 1 else top
    return top[0] if len(top) == 1 else None


def _written_for(run: MeasuredRun) -> set[str]:
    """The words of a run's command line, and those it was called by before it ran."""
    return run.command_words | {name for name, step in run.names.items() if step <= run.event.step}


def of_script(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of the script that a phrase names; ``None`` where it names none that measured anything."""
    before = len(known.measured_runs)
    ran = [
        last
        for name in known.index.runs_of_files
        if name in phrase and (last := known.index.last_run_of(name, before)) is not None
    ]
    return of_run(known, known.measured_runs[max(ran)], what) if ran else None


def _of_one_run(latest_first: Iterator[Measurement]) -> list[Measurement]:
    """The rows of the latest run among some, in their order."""
    _, rows = next(groupby(latest_first, key=lambda row: row.event.id), ("", ()))
    return list(rows)[::-1]


def _held_out(rows: list[Measurement], what: Meant) -> list[Measurement]:
    """Of results of which no split is named those on held-out data, where there are any."""
    return [row for row in rows if what.split or row.split != "train"] or rows


def labelled(known: Known, phrase: str, what: Meant) -> list[Measurement]:
    """The rows that the output itself calls by the words of a phrase, where it tells several apart."""
    if set_so := agreeing(known, phrase, what, is_named=True):
        return set_so
    names, count = known.index.names, len(known.finals)
    words = {word for word in name_words(phrase, known) if names.knows(word, count)}
    called = names.called(words | _short_for(phrase, names.own(count)), count)
    found = [row for row in called if _has_name(row) and is_of(known, row, what)][::-1]
    return found if _are_told_apart(found, known, what, is_named=True) else []


def agreeing(known: Known, phrase: str, what: Meant, *, is_named: bool = False) -> list[Measurement] | None:
    """The rows that agree with every setting of a phrase by which rows differ; ``None`` where it gives none."""
    found: list[Measurement] | None = None
    for setting in settings_in(phrase):
        so_set = known.index.names.set_to(setting, len(known.finals))
        rows = [row for row in so_set if is_of(known, row, what) and (_has_name(row) or not is_named)][::-1]
        if _are_told_apart(rows, known, what, is_named=is_named):
            found = rows if found is None else [row for row in found if row in rows]
    return found


def _has_name(row: Measurement) -> bool:
    """Whether the output calls a row something beside its metric and split."""
    return bool(row.label or own_words(row.label, row.name))


def _are_told_apart(rows: Sequence[Measurement], known: Known, what: Meant, *, is_named: bool) -> bool:
    """Whether there are rows, and others of the same as well."""
    own = {row.id for row in rows}
    others = (row for row in reversed(known.finals) if row.id not in own and (_has_name(row) or not is_named))
    return bool(own) and any(is_of(known, row, what) for row in others)


def _short_for(phrase: str, called: Iterable[str]) -> set[str]:
    """Which short names stand for words of a phrase: their initials ("rf"), or letters of one in order ("lgb")."""
    words = re.findall(r"[a-z]+", phrase.lower())
    initials = "".join(word[0] for word in words)
    long = [word for word in words if len(word) > _START]
    return {
        short
        for short in called
        if short.isalpha()
        and (
            (len(short) > 1 and short in initials)
            or (len(short) >= _LETTERS and any(abbreviates(short, word) for word in long))
        )
    }


def name_words(phrase: str, known: Known) -> set[str]:
    """What could be a name in a phrase: words and settings that are no metric, split, result or common word."""
    bare = without_metrics(without_article(phrase))
    for mention in reversed(metrics_in(bare, known)):
        bare = bare[: mention.start] + " " + bare[mention.end :]
    for pattern in (*groups("relations").values(), *groups("extremes").values()):
        bare = pattern.sub(" ", bare)
    no_names = [n for n in find_numbers(phrase) if n in possible(phrase) or is_counter(n, phrase)]
    numbers = {word for n in no_names for word in words_of(n.text)} | word_list("generic")
    words = {word for word in words_of(bare) if is_letter(word) or word not in numbers}
    is_short = len(words) < 2
    return {word for word in words if len(word) >= _LETTERS or is_letter(word) or (word[0].isdigit() and not is_short)}


def _proper_names(phrase: str, known: Known) -> list[str]:
    """Names that a phrase writes with capitals, without those of metrics and machines."""
    names = [name.lower() for name in _PROPER.findall(phrase) if not metrics_in(name, known)]
    return [name for name in names if name not in word_list("no_name")]


def is_unheard(phrase: str, known: Known) -> bool:
    """Whether a phrase has a name, or a concept of code, that nothing which was measured holds."""
    seen, tried = known.proven_code, () if known.scripts_are_shown else (known.code, known.commands)
    bare = phrase
    for said, forms in concepts().values():
        if said.search(phrase):
            if not holds(seen, forms) and (not tried or any(holds(code, forms) for code in tried)):
                return True
            bare = said.sub(" ", bare)
    unproven = [name for name in _proper_names(bare, known) if not _is_heard(name, seen)]
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
