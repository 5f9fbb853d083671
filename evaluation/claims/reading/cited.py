"""Results that the agent names by the run that measured them: nothing has to be understood, so nothing is misread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from environment.metrics.meaning import canonical
from environment.metrics.names import is_aggregate
from environment.records import CitedResult
from evaluation.claims.judging.operands import may_be
from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.types.value import Value
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.measurements import UNNAMED, Measurement


def read_cited(prose: str, _field: str, known: Known) -> Iterator[Reading]:
    """Each result of the step as the value it states and the rows of its run; ``prose`` holds them one a line."""
    start = 0
    for result in known.log.steps[known.step].cited:
        start = prose.index(str(result), start)
        yield Reading(str(result)[:QUOTE], start, _value(result, known))


def _value(result: CitedResult, known: Known) -> Value:
    """About the rows of its metric and split that the run showed; where it showed none, about the run.

    A step that did not measure it is taken for a slip where another bears the very value.
    """
    own = [row for row in known.values if _is_of_run(row, result)]
    rows = _named(own, result) or list(_means(known, result))
    if not rows and result.training_run is None and (result.step or 0) < known.step:
        rows = [row for row in _named(known.values, result) if row.value == result.value][-1:]
    step = result.step if result.step is not None else next((row.step for row in own), known.step)
    exponent = Decimal(repr(result.value)).as_tuple().exponent
    digits = -exponent if isinstance(exponent, int) and result.value != int(result.value) else 0
    return Value(
        metric=canonical(result.metric),
        split=rows[-1].split if rows else result.split,
        stated=Quantity(value=result.value, resolution=10.0**-digits),
        rows=tuple(row.id for row in rows) or (f"e{step}",),
    )


def _is_of_run(row: Measurement, result: CitedResult) -> bool:
    return (result.step is None or row.step == result.step) and (
        result.training_run is None or row.event.exchange.training_run == result.training_run
    )


def _means(known: Known, result: CitedResult) -> Iterator[Measurement]:
    """The very value, in its run's columns of means and the like, of tables whose metric is named nowhere."""
    for event in known.events:
        for line in known.index.cells.of(event).lines.values():
            cells = (cell for cell in line.cells if cell.value == result.value and is_aggregate(cell.name))
            yield from (cell for cell in cells if _is_of_run(cell, result))


def _named(rows: Sequence[Measurement], result: CitedResult) -> list[Measurement]:
    """The rows printed under the very name that is cited ("cv_MAE"), of the metric that it means, or under no name."""
    name = result.metric.casefold()
    exact = [row for row in rows if row.name.casefold() == name and may_be(row.split, result.split)]
    if exact:
        return exact
    meant = [row for row in rows if name == row.metric.casefold() or canonical(result.metric) == row.metric]
    meant = meant or [row for row in rows if row.metric == UNNAMED and row.value == result.value]
    return [row for row in meant if result.split is None or row.split in (None, result.split)]
