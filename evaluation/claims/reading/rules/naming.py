"""Which results a phrase calls by a name, and whether anything on record is called so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evaluation.claims.reading.rules.measured import is_counter, possible
from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.objects import holds
from evaluation.claims.reading.rules.prose import without_article
from evaluation.claims.reading.rules.references import Meant, is_of_what, of_run
from evaluation.claims.reading.rules.vocabulary import concepts, groups, word_list
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import without_metrics
from evaluation.record.code import Code, abbreviates
from evaluation.record.known import Known
from evaluation.record.measured_runs import MeasuredRun, is_letter, own_words, words_of
from evaluation.record.measurements import Measurement
from evaluation.record.settings import settings_in

_LETTERS = 3
_START = 5
_DATA = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".npy")
GROUP = re.compile(r"\b(?i:of|among) (?:the|all|our|these) (?P<named>(?:[\w-]+ ){1,3}[\w-]+)")
"""Of several what a text only speaks of: "of the boosting models"."""
_PROPER = re.compile(r"\b(?:[A-Z]{2,}[a-z]*\w*|[A-Z][a-z]+[A-Z]\w*)\b")


def named(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of what a phrase calls by its name: a label of the output, else the one measured run called so.

    ``None`` where the phrase has no name, or one that could be several; empty where nothing on record is called so.
    """
    ran = of_script(known, phrase, what)
    if ran is not None:
        return ran or None
    set_so = agreeing(known, phrase, what)
    if set_so:
        return _held_out(_of_one_run(reversed(set_so)), what)
    words = name_words(phrase, known)
    if not words:
        return None
    called = (row for row in known.index.names.called(words, len(known.finals)) if is_of_what(known, row, what))
    so_called = _of_one_run(called) or _of_one_run(reversed(labelled(known, phrase, what)))
    if so_called:
        return _held_out(so_called, what)
    if is_unheard(phrase, known):
        return []
    names = [measured_run.names.keys() & words for measured_run in known.measured_runs]
    proper = {name.lower() for name in _PROPER.findall(phrase)} & words
    names = [each if proper <= each else set() for each in names]
    common = set.intersection(*map(set, names)) if len(names) > 1 else set()
    scores = [(len(each - common), n) for n, each in enumerate(names)]
    most = max((score for score, _ in scores), default=0)
    top = [n for score, n in scores if score == most]
    if len(top) > 1:  # what the code or the command of one alone has, the others are only spoken of beside
        own = [n for n in top if names[n] & words & _written_for(known.measured_runs[n])]
        top = own if len(own) == 1 else top
    if most == 0 or len(top) > 1:
        return None
    return of_run(known, known.measured_runs[top[0]], what) or None


def of_script(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of the script that a phrase names; ``None`` where it names none that measured anything."""
    before = len(known.measured_runs)
    ran = [
        last
        for name in known.index.runs_of_files
        if name in phrase and not name.endswith(_DATA) and (last := known.index.last_run_of(name, before)) is not None
    ]
    return of_run(known, known.measured_runs[max(ran)], what) if ran else None


def _of_one_run(latest_first: Iterator[Measurement]) -> list[Measurement]:
    """The rows of the latest run among some, in their order."""
    _, rows = next(groupby(latest_first, key=lambda row: row.event.id), ("", ()))
    return list(rows)[::-1]


def _held_out(rows: list[Measurement], what: Meant) -> list[Measurement]:
    """Of results of which no split is named those on held-out data, where there are any."""
    return [row for row in rows if what.split or row.split != "train"] or rows


def _written_for(measured_run: MeasuredRun) -> set[str]:
    """The words of a run's command line, and those it was called by before it ran."""
    return measured_run.command_words | {
        name for name, step in measured_run.names.items() if step <= measured_run.event.step
    }


def labelled(known: Known, phrase: str, what: Meant) -> list[Measurement]:
    """The rows that the output itself calls by the words of a phrase, where it tells several apart."""
    set_so = agreeing(known, phrase, what, is_named=True)
    if set_so:
        return set_so
    names, count = known.index.names, len(known.finals)
    words = {word for word in name_words(phrase, known) if names.knows(word, count)}
    called = names.called(words | short_for(phrase, names.own(count)), count)
    found = [row for row in called if _has_name(row) and is_of_what(known, row, what)][::-1]
    return found if found and _are_told_apart(found, known, what, is_named=True) else []


def agreeing(known: Known, phrase: str, what: Meant, *, is_named: bool = False) -> list[Measurement] | None:
    """The rows that agree with every setting of a phrase by which rows differ; ``None`` where it gives none."""
    found: list[Measurement] | None = None
    for setting in settings_in(phrase):
        so_set = known.index.names.set_to(setting, len(known.finals))
        rows = [row for row in so_set if is_of_what(known, row, what) and (_has_name(row) or not is_named)][::-1]
        if rows and _are_told_apart(rows, known, what, is_named=is_named):
            ids = {row.id for row in rows}
            found = rows if found is None else [row for row in found if row.id in ids]
    return found


def _has_name(row: Measurement) -> bool:
    """Whether the output calls a row something beside its metric and split."""
    return bool(row.label or own_words(row.label, row.name))


def _are_told_apart(rows: Sequence[Measurement], known: Known, what: Meant, *, is_named: bool) -> bool:
    """Whether there are other rows of the same as well."""
    own = {row.id for row in rows}
    others = (row for row in reversed(known.finals) if row.id not in own and (_has_name(row) or not is_named))
    return any(is_of_what(known, row, what) for row in others)


def short_for(phrase: str, called: Iterable[str]) -> set[str]:
    """Which short names stand for words of a phrase: their initials ("rf"), or letters of one in order ("lgb")."""
    words = re.findall(r"[a-z]+", phrase.lower())
    initials = "".join(word[0] for word in words)
    return {
        short
        for short in called
        if short.isalpha()
        and (
            (len(short) > 1 and short in initials)
            or (len(short) >= _LETTERS and any(len(word) > _START and abbreviates(short, word) for word in words))
        )
    }


def name_words(phrase: str, known: Known) -> set[str]:
    """What could be a name in a phrase: words and settings that are no metric, split, result or common word."""
    bare = without_metrics(without_article(phrase))
    for mention in reversed(metrics_in(bare, known)):
        bare = bare[: mention.start] + " " + bare[mention.end :]
    for pattern in (*groups("relations").values(), *groups("extremes").values()):
        bare = pattern.sub(" ", bare)
    generic = word_list("generic")
    no_names = [n for n in find_numbers(phrase) if n in possible(phrase) or is_counter(n, phrase)]
    numbers = {word for n in no_names for word in words_of(n.text)}
    words = {word for word in words_of(bare) if is_letter(word) or (word not in generic and word not in numbers)}
    is_short = len(words) < 2
    return {word for word in words if len(word) >= _LETTERS or is_letter(word) or (word[0].isdigit() and not is_short)}


def _proper_names(phrase: str, known: Known) -> list[str]:
    """Names that a phrase writes with capitals, without those of metrics and machines."""
    names = [name.lower() for name in _PROPER.findall(phrase) if not metrics_in(name, known)]
    return [name for name in names if name not in word_list("no_name")]


def is_of_other(phrase: str, known: Known) -> bool:
    """Whether a phrase is of something with a name of its own that no single measured run is called by."""
    return bool(_proper_names(phrase, known)) and named(known, phrase, Meant("", None)) is None


def is_unheard(phrase: str, known: Known) -> bool:
    """Whether a phrase has a name, or a concept of code, that nothing which was measured holds."""
    seen, tried = known.proven_code, () if known.scripts_are_shown else (known.code, known.commands)
    forms = [forms for said, forms in concepts().values() if said.search(phrase)]
    if any(not holds(seen, each) and (not tried or any(holds(code, each) for code in tried)) for each in forms):
        return True
    bare = phrase
    for said, _ in concepts().values():
        bare = said.sub(" ", bare)
    unproven = [name for name in _proper_names(bare, known) if not _is_heard(name, seen)]
    return any(not tried or any(_is_heard(name, code) for code in tried) for name in unproven)


def _is_heard(name: str, seen: Code) -> bool:
    """Whether a name, the start of it, or its letters in order in a short word stand in code."""
    start = name[:_START]
    return (seen.begins(start) if len(start) == len(name) > _LETTERS else start in seen) or seen.abbreviates(name)
