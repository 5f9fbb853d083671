"""The tables of a run, as Parquet in the store: what each step did, every measured value, every claim.

Their columns stand in ``environment.journal.schemas``.
"""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from pydantic import BaseModel, ValidationError

from environment.errors import CorruptObjectError, NotInStoreError
from environment.journal import table_seal
from environment.journal.plain_rows import read_plain, write_plain
from environment.journal.schemas import Table, schema_of
from environment.records import EvidenceRow, MetricPoint, Step, StepGrade, TrainingRun
from environment.store import RunKeys, Store

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = dict[str, object]

_LOG = logging.getLogger(__name__)

_BATCH = 5_000
"""Rows held in memory at once."""
_ALSO_PLAIN: Table = "claims"
"""Kept in plain text as well: what is shown of a run is shown with its claims."""


def write_tables(
    store: Store,
    run_id: str,
    steps: Sequence[Step],
    claims: Sequence[BaseModel],
    record: Sequence[EvidenceRow] = (),
) -> None:
    """Write what a run is made of as tables; writing them again replaces them.

    Args:
        store: Where the run lies.
        run_id: The run.
        steps: Its trajectory.
        claims: Its claims, whose fields are those of ``claims_schema``.
        record: What the agent was shown, by id; values of training runs that it was not shown are added without one.
    """
    of_claims = [claim.model_dump(mode="json") for claim in claims]
    _write(store, run_id, "trajectory", (trajectory_row(run_id, step) for step in steps))
    _write(store, run_id, "evidence", evidence_rows(run_id, steps, record))
    write_plain(store, run_id, _ALSO_PLAIN, of_claims, _write(store, run_id, _ALSO_PLAIN, of_claims))


def write_grades(store: Store, run_id: str, grades: Iterable[StepGrade]) -> None:
    """Write the grades of a run's steps; writing them again replaces them."""
    _write(store, run_id, "grades", ({"run": run_id, **grade.model_dump(mode="json")} for grade in grades))


def _write(store: Store, run_id: str, table: Table, rows: Iterable[Row]) -> bytes:
    key = RunKeys(run_id=run_id).table(table)
    content = to_parquet(table, rows, key)
    store.put(key, content)
    return content


def read_grades(store: Store, run_id: str) -> list[StepGrade]:
    """The grades of a run's steps, in their order; none where they were not graded, or are torn."""
    rows = read_tables(store, [run_id], "grades")
    try:
        return [StepGrade.model_validate({name: row[name] for name in StepGrade.model_fields}) for row in rows]
    except (KeyError, ValidationError) as error:
        _LOG.warning("the grades of run %s cannot be read: %s", run_id, error)
        return []


def to_parquet(table: Table, rows: Iterable[Row], key: str) -> bytes:
    """Rows as a Parquet file with the table's schema, to lie at a key of the store."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = schema_of(table)
    target = io.BytesIO()
    with pq.ParquetWriter(target, schema, compression="zstd", write_page_checksum=True) as writer:
        for batch in _batches(rows):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
        writer.add_key_value_metadata({table_seal.NAME: table_seal.BLANK})
    return table_seal.sealed(target.getvalue(), key)


def read_table(store: Store, run_id: str, table: Table) -> Iterator[Row]:
    """The rows of a run's table, a batch in memory at a time.

    Raises:
        NotInStoreError: The run has no such table.
        CorruptObjectError: It is torn, or was changed.
    """
    plain = read_plain(store, run_id, table) if table == _ALSO_PLAIN else None
    if plain is not None:
        yield from cast("Sequence[Row]", plain)
        return
    for batch in _read_batches(store, run_id, table):
        yield from cast("list[Row]", batch.to_pylist())


def check_table(store: Store, run_id: str, table: Table) -> None:
    """Make sure that a run's table is whole and its own; one whose checksum tells neither is read to its end.

    Raises:
        NotInStoreError, CorruptObjectError: As in ``read_table``.
    """
    key = RunKeys(run_id=run_id).table(table)
    fits = table_seal.fits(store.get(key), key)
    if fits is None:
        for _ in _read_batches(store, run_id, table):
            pass
    elif not fits:
        raise _torn(key, "its checksum is not that of its content in this place")


def _read_batches(store: Store, run_id: str, table: Table) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    key = RunKeys(run_id=run_id).table(table)
    content = io.BytesIO(store.get(key))
    try:
        file = pq.ParquetFile(content, page_checksum_verification=True)
        _check_columns(file.schema_arrow, schema_of(table))
        for batch in file.iter_batches(batch_size=_BATCH):
            batch.validate(full=True)
            yield batch
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _torn(key, str(error)) from error


def _torn(key: str, said: str) -> CorruptObjectError:
    return CorruptObjectError(f"{key} is torn or was changed: {said}", hint="`mlab doctor` says what is damaged.")


def _check_columns(there: pa.Schema, asked: pa.Schema) -> None:
    """Whether the columns are there that every version of the table has had, and that no row is without."""
    for column in asked:
        if not column.nullable and column.name not in there.names:
            raise ValueError(f"it has no column {column.name!r}")
        if not column.nullable and there.field(column.name).type != column.type:
            raise ValueError(f"its column {column.name!r} does not hold {column.type}")


def read_tables(store: Store, run_ids: Iterable[str], table: Table) -> Iterator[Row]:
    """The rows of many runs' tables, one run after the other; runs whose table is missing or torn are left out."""
    for run_id in run_ids:
        try:
            yield from list(read_table(store, run_id, table))
        except NotInStoreError:
            continue
        except CorruptObjectError as error:
            _LOG.warning("left out: %s", error.message)


def trajectory_row(run_id: str, step: Step) -> Row:
    """A step as a row of the trajectory."""
    decision, effect, calls = step.decision, step.effect, step.calls
    costs = [call.cost for call in calls]
    return {
        "run": run_id,
        "step": step.n,
        "prose": json.dumps(decision.prose, ensure_ascii=False),
        "action": decision.action.name,
        "args": json.dumps(decision.action.args, ensure_ascii=False),
        "performs": decision.performs.name if decision.performs else None,
        "performs_args": json.dumps(decision.performs.args, ensure_ascii=False) if decision.performs else None,
        "observation": effect.observation.text,
        "outcome": effect.observation.outcome.value,
        "full_observation": effect.observation.full,
        "training_run": effect.training_run.id if effect.training_run else None,
        "final": effect.final,
        "started": step.started,
        "action_seconds": effect.seconds,
        "waited_seconds": effect.waited_seconds + sum(call.waited_seconds for call in calls),
        "model_calls": len(calls),
        "model_seconds": sum(call.seconds for call in calls),
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "cached_tokens": sum(call.cached_tokens for call in calls),
        "completion_tokens": sum(call.completion_tokens for call in calls),
        "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
        "workspace": step.checkpoint.workspace,
        "committed": step.checkpoint.committed,
    }


def evidence_rows(run_id: str, steps: Iterable[Step], record: Iterable[EvidenceRow] = ()) -> Iterator[Row]:
    """The rows of the record, and every other measured value of the trajectory's training runs."""
    runs = {run.id: run for step in steps if (run := step.effect.training_run) is not None}
    recorded = set()
    for row in record:
        recorded.add((row.training_run, row.metric, row.line, row.key, row.value))
        yield {"run": run_id, **_script_of(runs.get(row.training_run or "")), **row.model_dump(mode="json")}
    for run in runs.values():
        for point in run.metrics:
            if (run.id, point.name, point.line, point.key or None, point.value) not in recorded:
                yield _evidence_row(run_id, run, point)


def _script_of(run: TrainingRun | None) -> Row:
    if run is None:
        return {}
    return {
        "script": run.script,
        "script_sha256": run.script_sha256,
        "exit_code": run.exit_code,
        "killed_by": run.killed_by.value if run.killed_by else None,
    }


def _evidence_row(run_id: str, run: TrainingRun, point: MetricPoint) -> Row:
    return {
        "run": run_id,
        "step": run.step,
        "training_run": run.id,
        **_script_of(run),
        "kind": "measurement",
        "metric": point.name,
        "split": point.split,
        "epoch": point.epoch,
        "training_step": point.step,
        "value": point.value,
        "unit": point.unit,
        "read_from": point.source,
        "line": point.line,
        "text": point.text,
        "fixed": point.fixed,
        "label": point.part,
        "file": point.file or None,
        "key": point.key or None,
    }


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
