"""The report for programs and for plain text: JSON, CSV, Parquet, Markdown."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment

from evaluation.report.columns import Value, figures
from evaluation.report.model import RunRow
from evaluation.report.summary import Summary
from evaluation.report.wording import unknown_fields

Row = dict[str, Value]
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

PROCESS = {
    "first_execution",
    "executions",
    "failed_executions",
    "edits",
    "edit_run_cycles",
    "recoveries",
    "repeated_actions",
    "refused_actions",
    "thinking_seconds",
}
NESTED = {"claims", "details", "integrity", "success_at", "best", "usage", "not_counted", "submission", "transferred"}
BEST = {"step", "score", "improvement", "normalised", "success", "success_beyond_noise"}


def write_json(summary: Summary, path: Path) -> None:
    """All figures with their intervals."""
    path.write_text(summary.model_dump_json(indent=1), encoding="utf-8")


def write_csv(rows: Sequence[RunRow], path: Path) -> None:
    """One line a run; lists and counts become columns of their own. No text in it is a formula of a spreadsheet."""
    flat = [_flat(row) for row in rows]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval=None)
        writer.writeheader()
        writer.writerows({name: _no_formula(value) for name, value in row.items()} for row in flat)


def write_parquet(rows: Sequence[RunRow], path: Path) -> None:
    """The columns of the CSV, typed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    flat = [_flat(row) for row in rows]
    columns = dict.fromkeys(name for row in flat for name in row)
    pq.write_table(pa.table({name: [row.get(name) for row in flat] for name in columns}), path)


def write_markdown(summary: Summary, title: str, templates: Environment, path: Path) -> None:
    """The tables as GitHub renders them."""
    path.write_text(templates.get_template("report.md.j2").render(title=title, summary=summary), encoding="utf-8")


def _no_formula(value: Value) -> Value:
    """Text that a spreadsheet would work out, behind an apostrophe, which makes it text there."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _flat(row: RunRow) -> Row:
    result = row.result
    best = result.best.model_dump(include=BEST) if result.best else {}
    submitted = result.submission.figures if result.submission else {}
    return {
        "contestant": row.contestant,
        **result.model_dump(mode="json", exclude=NESTED),
        "variant": result.data,
        **figures(row),
        **dict.fromkeys(unknown_fields(result)),
        **{f"success_at_{threshold}": above for threshold, above in result.success_at.items()},
        **{f"best_{name}": value for name, value in best.items()},
        **{name.replace("/", "_"): value for name, value in submitted.items()},
        **{f"claims_{verdict}": count for verdict, count in sorted(row.claims.items())},
        "claims_within_noise": row.within_noise,
        "failures": " ".join(row.failures),
        "integrity": "; ".join(result.integrity),
        **row.process.model_dump(include=PROCESS),
        **{f"steps_{kind}": amount for kind, amount in row.process.steps_by_kind.items()},
        **{f"seconds_{kind}": amount for kind, amount in row.process.seconds_by_kind.items()},
        **{f"tokens_{kind}": amount for kind, amount in row.process.tokens_by_kind.items()},
        **(result.usage.model_dump() if result.usage else {}),
    }
