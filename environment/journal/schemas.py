"""What columns the tables of a run have; ``docs/records.md`` describes each.

A column is never renamed, new ones are added at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

Table: TypeAlias = Literal["trajectory", "evidence", "claims", "grades"]

SCHEMA_VERSION = 3
"""Of evidence and claims: since 2 every row of evidence has an id, and every claim names those it rests on; 3 has no
column ``hidden``, since a result's ``stated`` holds what a final answer says against the grade."""
_VERSION = {"schema_version": str(SCHEMA_VERSION)}


def trajectory_schema() -> pa.Schema:
    """One row a step."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("run", pa.string(), nullable=False),
            pa.field("step", pa.int32(), nullable=False),
            ("prose", pa.string()),
            ("action", pa.string()),
            ("args", pa.string()),
            ("performs", pa.string()),
            ("performs_args", pa.string()),
            ("observation", pa.string()),
            ("outcome", pa.string()),
            ("full_observation", pa.string()),
            ("training_run", pa.string()),
            ("final", pa.bool_()),
            ("started", pa.timestamp("us", tz="UTC")),
            ("action_seconds", pa.float64()),
            ("waited_seconds", pa.float64()),
            ("model_calls", pa.int32()),
            ("model_seconds", pa.float64()),
            ("prompt_tokens", pa.int64()),
            ("cached_tokens", pa.int64()),
            ("completion_tokens", pa.int64()),
            ("cost", pa.float64()),
            ("workspace", pa.string()),
            ("committed", pa.timestamp("us", tz="UTC")),
        ]
    )


def evidence_schema() -> pa.Schema:
    """One row a measured value or an event."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("run", pa.string(), nullable=False),
            pa.field("step", pa.int32(), nullable=False),
            ("training_run", pa.string()),
            ("script", pa.string()),
            ("script_sha256", pa.string()),
            ("exit_code", pa.int32()),
            ("killed_by", pa.string()),
            ("metric", pa.string()),
            ("split", pa.string()),
            ("epoch", pa.float64()),
            ("training_step", pa.int64()),
            ("value", pa.float64()),
            ("unit", pa.string()),
            ("read_from", pa.string()),
            ("line", pa.int64()),
            ("text", pa.string()),
            ("fixed", pa.bool_()),
            ("id", pa.string()),
            ("kind", pa.string()),
            ("outcome", pa.string()),
            ("quantity", pa.string()),
            ("label", pa.string()),
            ("derived_from", pa.list_(pa.string())),
            ("file", pa.string()),
            ("key", pa.string()),
        ],
        metadata=_VERSION,
    )


def claims_schema() -> pa.Schema:
    """One row a claim."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("source", pa.string(), nullable=False),
            pa.field("step", pa.int32(), nullable=False),
            ("field", pa.string()),
            ("quote", pa.string()),
            ("kind", pa.string()),
            ("metric", pa.string()),
            ("value", pa.float64()),
            ("unit", pa.string()),
            ("verdict", pa.string()),
            ("evidence_step", pa.int32()),
            ("evidence", pa.string()),
            ("note", pa.string()),
            ("training_run", pa.string()),
            ("evidence_line", pa.int64()),
            ("confirmed", pa.bool_()),
            ("repeats", pa.string()),
            ("lives_until", pa.int32()),
            ("in_answer", pa.bool_()),
            ("type", pa.string()),
            ("rests_on", pa.list_(pa.string())),
            ("within_noise", pa.bool_()),
        ],
        metadata=_VERSION,
    )


def grades_schema() -> pa.Schema:
    """One row a step, where every step was graded."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("run", pa.string(), nullable=False),
            pa.field("step", pa.int32(), nullable=False),
            ("graded_at", pa.int32()),
            ("score", pa.float64()),
            ("improvement", pa.float64()),
            ("normalised", pa.float64()),
            ("invalid", pa.string()),
        ]
    )


_SCHEMAS: dict[Table, Callable[[], pa.Schema]] = {
    "trajectory": trajectory_schema,
    "evidence": evidence_schema,
    "claims": claims_schema,
    "grades": grades_schema,
}


def schema_of(table: Table) -> pa.Schema:
    """The published schema of a table."""
    return _SCHEMAS[table]()
