"""A row of the evidence: what was done or measured, under the id by which verdicts name it."""

from __future__ import annotations

from foundation.records import Record


class EvidenceRow(Record):
    """One row of ``evidence.parquet``.

    Attributes:
        id: Unique in its run: ``e7`` is what was done in step 7, ``m7:12`` a value in line 12 of what it showed,
            ``c7:12.2`` the second number of that line.
        kind: ``measurement``, ``cell`` for each value of a printed table's rows, whether a metric was read from it or
            not, and for each other number that a verdict rests on, else what was done: ``run``, ``edit`` and so on.
        step: The step that did or showed it.
        training_run: The training run behind it.
        outcome: How an event ended.
        metric: The name as printed.
        quantity: The one name of that metric, whatever its spelling.
        split: Which part of the data it was measured on, where the output says so.
        epoch: The epoch, where the output says so.
        training_step: The training step as printed, or the count of earlier values of the name.
        label: What tells a value from its siblings ("Fold 3"); the files of an event.
        value: As printed.
        unit: ``none``, ``percent`` or ``seconds``.
        read_from: ``stdout``, ``mlflow``, ``file`` or ``derived``.
        line: 1-based line of the output or the file.
        text: The line, the failure, or the command.
        fixed: The value stands in the script as a constant; nothing computes it.
        derived_from: Ids of the rows that a derived value follows from.
        file: The result file it was read from.
        key: Where in that file it stands.
    """

    id: str
    kind: str
    step: int
    training_run: str | None = None
    outcome: str | None = None
    metric: str | None = None
    quantity: str | None = None
    split: str | None = None
    epoch: float | None = None
    training_step: int | None = None
    label: str = ""
    value: float | None = None
    unit: str | None = None
    read_from: str | None = None
    line: int | None = None
    text: str = ""
    fixed: bool | None = None
    derived_from: tuple[str, ...] = ()
    file: str | None = None
    key: str | None = None
