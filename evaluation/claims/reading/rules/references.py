"""Which rows of the record a phrase means: the current or best result, the baseline, an earlier run, a named one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.claims.judging.operands import can_be, is_on, may_be
from evaluation.claims.reading.rules.measured import can_be_result
from evaluation.claims.reading.rules.numbers import metrics_in
from evaluation.claims.reading.rules.objects import holds
from evaluation.claims.reading.rules.settings import agreeing
from evaluation.claims.reading.rules.vocabulary import concepts, found_in, groups, word_list
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split, without_metrics
from evaluation.record.code import Code
from evaluation.record.events import Event, split_at
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measured_runs import MeasuredRun, words_of
from evaluation.record.measurements import Measurement

_LETTERS = 3
_START = 5
_PART = re.compile(
    r"\W*(?:seed|fold|run|trial|split|game|episode|target|class|column|sample)s?(?![a-z])", re.IGNORECASE
)
_PROPER = re.compile(r"\b(?:[A-Z]{2,}[a-z]*\w*|[A-Z][a-z]+[A-Z]\w*)\b")


@dataclass(frozen=True)
class Meant:
    """A metric, on a split where one is named; ``is_official`` of the harness's own scoring alone."""

    metric: str
    split: Split | None
    is_official: bool = False


def is_of_what(known: Known, row: Measurement, what: Meant) -> bool:
    """Whether a row can be of the metric and split meant."""
    return (
        can_be(what.metric, row, known) and is_on(known, row, what.split) and (row.is_official or not what.is_official)
    )


def bearing(known: Known, what: Meant, stated: Quantity) -> list[Measurement]:
    """The latest row that bears a stated number; none where the judge must look.

    The harness's own score comes first, then held-out data: who names no split speaks of those.
    """
    rows = [row for row in known.stating(stated) if is_of_what(known, row, what)]
    official = [row for row in rows if row.is_official]
    held_out = [row for row in rows if row.split != "train"]
    return (official or held_out or rows)[-1:]


def current(known: Known, what: Meant) -> list[Measurement]:
    """The result measured last."""
    return next(
        (found for measured_run in reversed(known.measured_runs) if (found := of_run(known, measured_run, what))), []
    )


def previous(known: Known, what: Meant, than: Sequence[Measurement]) -> list[Measurement]:
    """The result of the measured run before, by the same scorer where there is one."""
    own = than[-1] if than else current(known, what)[-1] if current(known, what) else None
    before = split_at(known.events, own.event)[0][:-1] if own is not None else known.events
    for measured_run in reversed(known.measured_runs):
        if not any(measured_run.event is event for event in before):
            continue
        found = [
            row
            for row in (*measured_run.finals.values(), *measured_run.means)
            if own is not None and known.comparable(row, own)
        ]
        if found:
            same = [row for row in found if own is not None and row.words == own.words]
            return same[-1:] or of_run(known, measured_run, what) or found[-1:]
    return [row for row in baseline(known, what) if own is None or known.comparable(row, own)]


def earlier(known: Known, what: Meant, than: Sequence[Measurement]) -> list[Measurement]:
    """All comparable results before, in the same run too."""
    if not than:
        return [row for row in known.finals if is_of_what(known, row, what)]
    return [row for row in known.earlier(than[-1]) if row.event is not than[-1].event] + baseline(
        known, what, every=True
    )


def beside(known: Known, than: Sequence[Measurement]) -> list[Measurement]:
    """The same metric in the same run: at other epochs, and on other splits."""
    own = than[-1:] if than else []
    return [
        row
        for each in own
        for row in known.index.of_event(each.event)
        if row.metric == each.metric and row.id != each.id
    ]


def baseline(known: Known, what: Meant, *, every: bool = False) -> list[Measurement]:
    """The baseline's results; unless all are wanted, those that the harness itself calls so."""
    rows = [row for row in known.baseline if is_of_what(known, row, what)]
    if not rows and what.is_official:
        rows = [row for row in known.baseline if is_of_what(known, row, Meant(what.metric, None))]
    own = [row for row in rows if row.is_baseline]
    before_edits = [
        row for row in rows if not row.is_baseline and row.event is next(r.event for r in rows if not r.is_baseline)
    ]
    return [*own, *before_edits] if every else own or before_edits


def best(known: Known, what: Meant, than: Sequence[Measurement]) -> list[Measurement]:
    """The best of the earlier results."""
    found = known.best(earlier(known, what, than))
    return [found] if found else []


def first(known: Known, what: Meant) -> list[Measurement]:
    """The result measured first."""
    return next((found for measured_run in known.measured_runs if (found := of_run(known, measured_run, what))), [])


def of_run(known: Known, measured_run: MeasuredRun, what: Meant) -> list[Measurement]:
    """What "performance", or a metric, means of a measured run: the final held-out value."""
    if what.is_official:
        return [row for row in measured_run.finals.values() if row.is_official and is_of_what(known, row, what)][:1]
    row = known.main(measured_run, what.split, what.metric or None)
    return [row] if row is not None and may_be(row.split, what.split) else []


def series(known: Known, row: Measurement) -> list[Measurement]:
    """The values over the epochs or steps of one run, or of its parts."""
    own = [each for each in known.index.of_event(row.event) if each.key == row.key and not each.derived_from]
    return [each for each in own if each.label == row.label or row.epoch is None]


def parts(known: Known, row: Measurement) -> list[Measurement]:
    """The results of the parts of one run, as of its folds or seeds."""
    return [each for each in known.finals if each.event is row.event and each.key == row.key and each.label]


def rivals(known: Known, own: Measurement) -> list[Measurement]:
    """The final results of the same quantity: of the same thing where the outputs tell several apart."""
    return [
        row
        for row in known.finals
        if known.comparable(row, own)
        and not row.is_baseline
        and (row.words == own.words or not (row.label or own.label) or (row.event is own.event and is_variant(own)))
    ]


def is_variant(row: Measurement) -> bool:
    """Whether what tells a row apart is a setting or a name that was chosen, not a part such as a fold."""
    return bool(row.label) and not _PART.match(row.label)


def referred(
    known: Known, phrase: str, what: Meant, than: Sequence[Measurement], *, every: bool = False
) -> list[Measurement] | None:
    """The rows that a phrase refers to; ``None`` where it refers to none."""
    kind = found_in("references", phrase)
    if kind == "baseline":
        return baseline(known, what, every=every)
    if kind == "best":
        return best(known, what, than)
    if kind == "first":
        return first(known, what)
    return previous(known, what, than) if kind == "previous" else None


def named(known: Known, phrase: str, what: Meant) -> list[Measurement] | None:
    """The results of what a phrase calls by its name: a label of the output, else the one measured run called so.

    ``None`` where the phrase has no name, or one that could be several; empty where nothing on record is called so.
    """
    ran = [
        measured_run for measured_run in known.measured_runs if any(name in phrase for name in measured_run.event.files)
    ]
    if ran:
        return of_run(known, ran[-1], what) or None
    set_so = agreeing((row for row in known.finals if is_of_what(known, row, what)), phrase)
    if set_so:
        return _held_out([row for row in set_so if row.event is set_so[-1].event], what)
    words = name_words(phrase, known)
    if not words:
        return None
    rows = [row for row in known.finals if is_of_what(known, row, what)]
    so_called = [row for row in rows if words <= set(words_of(row.words))] or labelled(known, phrase, what)
    if so_called:
        return _held_out([row for row in so_called if row.event is so_called[-1].event], what)
    if is_unheard(phrase, known):
        return []
    names = [measured_run.names.keys() & words for measured_run in known.measured_runs]
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
    rows = [row for row in known.finals if row.label and is_of_what(known, row, what)]
    set_so = agreeing(rows, phrase)
    if set_so:
        return set_so
    words = name_words(phrase, known) & {word for row in rows for word in words_of(row.words)}
    found = [row for row in rows if words and words <= set(words_of(row.words))]
    return found if len(found) < len(rows) else []


def name_words(phrase: str, known: Known) -> set[str]:
    """What could be a name in a phrase: words and settings that are no metric, split, result or common word."""
    bare = without_metrics(phrase)
    for mention in reversed(metrics_in(bare, known)):
        bare = bare[: mention.start] + " " + bare[mention.end :]
    for pattern in (*groups("relations").values(), *groups("extremes").values()):
        bare = pattern.sub(" ", bare)
    generic = word_list("generic")
    results = {word for n in find_numbers(phrase) if can_be_result(n, phrase) for word in words_of(n.text)}
    words = {word for word in words_of(bare) if word not in generic and word not in results}
    return {word for word in words if len(word) >= _LETTERS or (word[0].isdigit() and len(words) > 1)}


def is_unheard(phrase: str, known: Known) -> bool:
    """Whether a phrase has a name, or a concept of code, that nothing which was measured holds."""
    if known.is_cut:
        return False
    seen, tried = known.proven_code, () if scripts_are_shown(known) else (known.code, known.commands)
    forms = [forms for said, forms in concepts().values() if said.search(phrase)]
    if any(not holds(seen, each) and (not tried or any(holds(code, each) for code in tried)) for each in forms):
        return True
    bare = phrase
    for said, _ in concepts().values():
        bare = said.sub(" ", bare)
    proper = [name.lower() for name in _PROPER.findall(bare) if not metrics_in(name, known)]
    proper = [name for name in proper if name not in word_list("no_name")]
    unproven = [name for name in proper if not _is_heard(name, seen)]
    return any(not tried or any(_is_heard(name, code) for code in tried) for name in unproven)


def scripts_are_shown(known: Known) -> bool:
    """Whether all code that ran was seen, so that something follows from its silence."""
    shown = {file for event in known.events if event.shows_code and not event.diffed for file in event.files}
    return all(
        set(event.files[:1]) <= shown for event in known.events if event.kind is EventKind.RUN and not event.writes
    )


def _is_heard(name: str, seen: Code) -> bool:
    """Whether a name, the start of it, or its letters in order in a short word stand in code."""
    start = name[:_START]
    return (seen.begins(start) if len(start) == len(name) > _LETTERS else start in seen) or seen.abbreviates(name)


def waiting(known: Known) -> list[Event]:
    """Edits since the last measurement: their effect is not known yet."""
    last = known.measured_runs[-1].event if known.measured_runs else None
    since = split_at(known.events, last)[1]
    return [event for event in since if event.kind is EventKind.EDIT and event.changed]


def speaks_of(phrase: str, events: Iterable[Event], known: Known) -> bool:
    """Whether a phrase names something that these events wrote and nothing before them."""
    fresh = {word for event in events for word in words_of(event.added)}
    return any(word in fresh and word not in known.measured_code for word in name_words(phrase, known))


def is_unmeasured(phrase: str, known: Known) -> bool:
    """Whether a phrase speaks of what was written since the last measurement."""
    since = waiting(known)
    return bool(since) and speaks_of(phrase, since, known)
