"""Which rows of the record a phrase means: the current or best result, the baseline, an earlier run, a series."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.claims.judging.operands import can_be, is_on, may_be
from evaluation.claims.reading.rules.vocabulary import found_in
from evaluation.language.quantity import Quantity
from evaluation.language.splits import TIMES, Split
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measured_runs import MeasuredRun
from evaluation.record.measurements import UNNAMED, Measurement
from evaluation.record.subjects import Subject


@dataclass(frozen=True)
class Meant:
    """A metric, on a split where one is named; ``is_official`` of the harness's own scoring alone."""

    metric: str
    split: Split | None = None
    is_official: bool = False


def is_of(known: Known, row: Measurement, what: Meant) -> bool:
    """Whether a row can be of the metric and split meant."""
    is_scored = row.is_official or row.is_baseline or not what.is_official
    return is_scored and can_be(what.metric, row, known) and is_on(known, row, what.split)


def those_of(known: Known, rows: Iterable[Measurement], what: Meant) -> list[Measurement]:
    """The rows that can be of the metric and split meant."""
    return [row for row in rows if is_of(known, row, what)]


def bearing(known: Known, what: Meant, stated: Quantity) -> list[Measurement]:
    """The latest row that bears a stated number; none where the judge must look.

    The harness's own score comes first, then held-out data: who names no split speaks of those.
    """
    return next(([row] for row in known.likeliest(stated) if is_of(known, row, what)), [])


def of_run(known: Known, run: MeasuredRun, what: Meant) -> list[Measurement]:
    """What "performance", or a metric, means of a measured run: the final held-out value."""
    if what.is_official:
        return [row for row in run.finals.values() if row.is_official and is_of(known, row, what)][:1]
    row = known.main(run, what.split, what.metric or None)
    if row is None and what.metric not in ("", *TIMES):
        row = known.main(run, what.split, UNNAMED)
    return [row] if row is not None and may_be(row.split, what.split) else []


def of_subject(known: Known, subject: Subject, what: Meant) -> list[Measurement]:
    """What a metric, or "performance", means of a thing that is named: its final held-out value."""
    run = known.measured_runs[subject.run]
    if not subject.label:
        return of_run(known, run, what)
    own = those_of(known, known.index.subjects.rows(subject), what)
    return own[-1:] if len({row.key for row in own}) == 1 else []


def current(known: Known, what: Meant) -> list[Measurement]:
    """The result measured last."""
    runs = known.measuring("" if what.is_official else what.metric)
    return next((found for run in runs if (found := of_run(known, run, what))), [])


def previous(known: Known, what: Meant, than: Sequence[Measurement]) -> list[Measurement]:
    """The result of the measured run before, by the same scorer where there is one."""
    own = next(reversed(than or current(known, what)), None)
    if own is None:
        return baseline(known, what)
    called = {row.words for row in than}
    for run in reversed(known.runs_before(own.event)):
        if found := [row for row in (*run.finals.values(), *run.means) if known.comparable(row, own)]:
            same = [row for row in found if row.words in called]
            return (same if len(called) > 1 else same[-1:]) or of_run(known, run, what) or found[-1:]
    return [row for row in baseline(known, what) if known.comparable(row, own)]


def earlier(known: Known, what: Meant, than: Sequence[Measurement]) -> list[Measurement]:
    """All comparable results before."""
    if not than:
        return those_of(known, known.finals, what)
    before = [row for row in known.earlier(than[-1]) if row.event is not than[-1].event and not is_part(known, row)]
    return before + baseline(known, what, every=True)


def beside(known: Known, than: Sequence[Measurement]) -> list[Measurement]:
    """The same metric in the same run: at other epochs, and on other splits."""
    return [
        row
        for own in than[-1:]
        for row in known.index.of_event(own.event)
        if row.metric == own.metric and row.id != own.id
    ]


def baseline(known: Known, what: Meant, *, every: bool = False) -> list[Measurement]:
    """The baseline's results; unless all are wanted, those that the harness itself calls so."""
    rows = those_of(known, known.baseline, what)
    own = [row for row in rows if row.is_baseline]
    others = [row for row in rows if not row.is_baseline]
    before_edits = [row for row in others if row.event is others[0].event]
    return [*own, *before_edits] if every else own or before_edits


def best_so_far(known: Known, what: Meant, latest: Sequence[Measurement]) -> list[Measurement]:
    """The best of all results of the agent's own, the latest among them."""
    base = baseline(known, what, every=True)
    found = known.best([*(row for row in earlier(known, what, latest) if row not in base), *latest])
    return [found] if found else []


def referred(
    known: Known, phrase: str, what: Meant, than: Sequence[Measurement], *, every: bool = False
) -> list[Measurement] | None:
    """The rows that a phrase refers to; ``None`` where it refers to none."""
    kind = found_in("references", phrase)
    if kind == "baseline":
        return baseline(known, what, every=every)
    if kind == "best":
        best = known.best(earlier(known, what, than))
        return [best] if best else []
    if kind == "first":
        return next((found for run in known.measured_runs if (found := of_run(known, run, what))), [])
    return previous(known, what, than) if kind == "previous" else None


def series(known: Known, row: Measurement) -> list[Measurement]:
    """The values over the epochs or steps of one run, or of its parts."""
    own = [each for each in known.index.of_event(row.event) if each.key == row.key and not each.derived_from]
    own = [each for each in own if not each.is_beside_mean and (each.label == row.label or row.epoch is None)]
    is_again = len(own) > 1 and own[-2].epoch is not None and own[-1].epoch in (None, own[-2].epoch)
    return own[:-1] if is_again else own  # the last is an evaluation after the last epoch


def parts(known: Known, row: Measurement) -> list[Measurement]:
    """The results of the parts of one run: of its folds or seeds, or under names of their own ("rmse_grammar")."""
    run = known.index.run_of.get(row.event.id)
    own = [each for each in run.finals.values() if each.key == row.key] if run else []
    return own if len({each.name for each in own}) > 1 else [each for each in own if each.label]


def rivals(known: Known, own: Measurement) -> list[Measurement]:
    """The final results of the same quantity: of the same thing, and of what its own output tells apart from it."""
    return [
        row
        for row in known.finals_of(own)
        if known.comparable(row, own)
        and not row.is_baseline
        and (row.label == own.label or not is_part(known, row))
        and (row.words == own.words or not (row.label or own.label) or (own.label and row.event is own.event))
    ]


def is_part(known: Known, row: Measurement) -> bool:
    """Whether a row is of one seed or fold of a run that tells what all of them come to."""
    run = known.index.run_of.get(row.event.id) if row.label else None
    subject = known.index.subjects.of(row) if run else None
    return bool(run and subject and not subject.label and run.by_label.get((row.key, "")))


def is_unmeasured(known: Known, phrase: str) -> bool:
    """Whether code was edited since the last measurement, and a phrase speaks of no result from before."""
    last = known.measured_runs[-1].event if known.measured_runs else None
    edits = [event for event in known.since(last) if event.kind is EventKind.EDIT and event.changed]
    return not all(edit.is_of_notes for edit in edits) and not found_in("references", phrase)
