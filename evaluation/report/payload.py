"""The page of one run as compressed data, unpacked by the browser when the page is opened."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import JsonValue
from pydantic_core import to_json

from environment.records import MetricPoint, Step, TrainingRun
from environment.records.display import card_use, script_ending, shares
from environment.records.search import SearchTree
from evaluation.process.failures import FailureMode
from evaluation.process.measures import measure
from evaluation.record.log import written_in
from evaluation.report.changes import FileChange
from evaluation.report.model import ReportRun
from evaluation.report.wording import unknown_fields
from evaluation.search import search_rows
from evaluation.stated import overstated
from foundation.text import visible

UNKNOWN_TIME = datetime.fromtimestamp(0, UTC)  # the time of steps in imported logs
LONGEST_TEXT = 12_000
MOST_POINTS = 500

Json = dict[str, JsonValue]


def run_payload(run: ReportRun) -> Json:
    """All that the page of a run shows. Long texts are cut in the middle; the store keeps them whole."""
    measures = measure(run.steps)
    return {
        "result": {
            **run.result.model_dump(mode="json"),
            **dict.fromkeys(unknown_fields(run.result)),
            "variant": run.result.data,
        },
        "config": run.config.model_dump(mode="json") if run.config else None,
        "steps": [_step(step, run.changes.get(step.n, ())) for step in run.steps],
        "grades": [grade.model_dump(mode="json") for grade in run.grades],
        "search": _search(run.search, run.steps) if run.search else None,
        "judgement": run.judgement.model_dump(mode="json") if run.judgement else None,
        "kinds": [use.model_dump() for use in measures.by_kind],
        "process": dict(measures.facts()),
        "submitted": [_change(change) for change in run.submitted],
        "evidence": {row.id: row.model_dump(mode="json", exclude_defaults=True) for row in run.evidence},
        "claims": [claim.model_dump(mode="json", exclude={"source"}) for claim in run.claims],
        "failures": _failures(run),
    }


def _failures(run: ReportRun) -> list[JsonValue]:
    """The failure modes; what the notes at the head of the page say in full is not said again."""
    told = {FailureMode.NOT_BORNE_OUT} if any(overstated(run.result.stated)) else set()
    modes = (one.model_copy(update={"note": ""}) if one.mode in told else one for one in run.failures)
    return [mode.model_dump(mode="json") for mode in modes]


def pack(value: JsonValue) -> str:
    """JSON, gzipped, in base64: small, and unable to end the script element it stands in."""
    text = to_json(all_visible(value), inf_nan_mode="null")
    return base64.b64encode(gzip.compress(text, compresslevel=6, mtime=0)).decode()


def all_visible(value: JsonValue) -> JsonValue:
    """The value with every text in it as it may be shown: control characters as signs."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(name): all_visible(inner) for name, inner in value.items()}
    return [all_visible(inner) for inner in value] if isinstance(value, list | tuple) else value


def shorten(text: str) -> str:
    """The text, its middle left out where it is very long."""
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n[… {len(text) - LONGEST_TEXT:,} characters left out of this report …]\n{text[-half:]}"


def _step(step: Step, changes: Sequence[FileChange]) -> Json:
    decision, effect, spent = step.decision, step.effect, step.checkpoint.spent
    return {
        "n": step.n,
        "started": f"{step.started:%Y-%m-%d %H:%M:%S}" if step.started > UNKNOWN_TIME else None,
        "seconds": effect.seconds,
        "prose": {entry: shorten(text) for entry, text in written_in(step).items()},
        "action": decision.action.name,
        "args": {name: _argument(value) for name, value in decision.action.args.items()},
        "performs": decision.performs.name if decision.performs else None,
        "outcome": effect.observation.outcome,
        "observation": shorten(effect.observation.text),
        "changes": [_change(change) for change in changes],
        "authored": decision.answer is not None,
        "final": effect.final,
        "training": _training(effect.training_run) if effect.training_run else None,
        "spent": {"seconds": spent.wall_seconds, "tokens": spent.tokens, "money": spent.cost},
        "prompt_tokens": sum(call.prompt_tokens for call in step.calls),
        "completion_tokens": sum(call.completion_tokens for call in step.calls),
    }


def _change(change: FileChange) -> Json:
    return {**change.model_dump(exclude_none=True), "diff": shorten(change.diff)}


def _search(tree: SearchTree, steps: Sequence[Step]) -> Json:
    nodes = [{**row, "diff": shorten(str(row["diff"]))} for row in search_rows(tree, steps)]
    return {"metric": tree.metric, "direction": tree.direction.value, "submitted": tree.submitted, "nodes": [*nodes]}


def _argument(value: JsonValue) -> str:
    return shorten(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _training(run: TrainingRun) -> Json:
    return {
        "id": run.id,
        "script": run.script,
        "ended": script_ending(run),
        "seconds": run.seconds,
        "took": ", ".join(filter(None, [shares(run), *map(card_use, run.gpus)])),
        "diff": shorten(run.diff),
        "mlflow_run_id": run.mlflow_run_id,
        "params": dict(run.params),
        "series": _series(run.metrics),
    }


def _series(points: Sequence[MetricPoint]) -> list[JsonValue]:
    by_name: dict[tuple[str, str | None], list[MetricPoint]] = {}
    for point in points:
        by_name.setdefault((f"{point.part} {point.name}".strip(), point.split), []).append(point)
    return [
        {
            "name": name,
            "split": split,
            "x": [point.step if point.epoch is None else point.epoch for point in _thin(of_one)],
            "y": [point.comparable for point in _thin(of_one)],
        }
        for (name, split), of_one in by_name.items()
    ]


def _thin(points: list[MetricPoint]) -> list[MetricPoint]:
    """Every n-th point and the last one, where there are more than a plot can show."""
    stride = -(-len(points) // MOST_POINTS)
    return points if stride == 1 else [*points[:-1:stride], points[-1]]
