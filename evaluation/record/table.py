"""The record of a run as rows of ``evidence.parquet``: everything that a verdict can rest on, by its id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from environment.records import EvidenceRow
from evaluation.record.events import Event
from evaluation.record.log import RunLog
from evaluation.record.measurements import Measurement
from evaluation.record.run import RunModel

_TEXT = 500


def record_rows(log: RunLog, rests_on: Iterable[str] = ()) -> Iterator[EvidenceRow]:
    """Every event of a run and every value it showed or that follows from them, in the order of the steps.

    Of the printed numbers that were read under no name: the cells of tables, and those that a verdict rests on.
    """
    model = RunModel.of(log)
    known = model.before(len(log.steps))
    for event in known.events:
        yield _of_event(event)
    for value in known.values:
        yield _of_value(value)
    cells = {cell.id: cell for cell in known.index.tables.cells}
    cells.update((id_, cell) for id_ in rests_on if id_ not in cells and (cell := known.index.cells.find(id_)))
    for cell in cells.values():
        yield _of_value(cell).model_copy(update={"kind": "cell", "metric": None, "quantity": None})


def _of_event(event: Event) -> EvidenceRow:
    return EvidenceRow(
        id=event.id,
        kind=event.kind.value,
        step=event.step,
        training_run=event.exchange.training_run,
        outcome=event.outcome.value,
        label=", ".join(event.files),
        text=(event.failure or event.command)[:_TEXT],
    )


def _of_value(value: Measurement) -> EvidenceRow:
    point = value.point if not value.derived_from else None
    unit = point.unit if point else "percent" if value.percent else "none"
    return EvidenceRow(
        id=value.id,
        kind="measurement",
        step=value.step,
        training_run=value.event.exchange.training_run,
        metric=point.name if point else value.metric if value.derived_from else value.name,
        quantity=value.metric,
        split=value.split,
        epoch=value.epoch,
        training_step=point.step if point else None,
        label=value.label,
        value=value.value,
        unit=unit,
        read_from="derived" if value.derived_from else point.source if point else "stdout",
        line=point.line if point else value.line,
        text=value.text[:_TEXT],
        fixed=point.fixed if point else None,
        derived_from=value.derived_from,
        file=(point.file or None) if point else None,
        key=(point.key or None) if point else None,
    )
