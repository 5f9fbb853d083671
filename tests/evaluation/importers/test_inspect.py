"""Logs of Inspect: its archives, scores, status and events."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import EndedBy, RunStatus
from environment.store import Store
from evaluation.claims.claim import Verdict
from evaluation.importers.compared import compared
from evaluation.importers.records import import_log
from evaluation.record.log import RunLog
from tasks_catalog.library.spec import Direction
from tests.evaluation.importers.logs import CLAIM, LIE, inspect_log
from tests.evaluation.importers.reading import read_one, verdicts

ZSTANDARD = Path(__file__).parent / "data" / "zstandard.eval"
"""Written by inspect_ai 0.3.285 with its mock model."""


def test_inspect_s_archives_by_zstandard_are_read() -> None:
    log = read_one(ZSTANDARD)
    assert (log.task, log.model, log.score, log.status) == ("small", "mockllm/model", 1.0, RunStatus.COMPLETED)
    assert [exchange.action.name for step in log.steps for exchange in step.exchanges] == ["train", "train", "submit"]
    assert verdicts(log)[CLAIM] is Verdict.SUPPORTED
    assert verdicts(log)[LIE].is_problem


def inspect(tmp_path: Path, *, sample: dict[str, Any] | None = None, **header: Any) -> RunLog:
    log = copy.deepcopy(inspect_log())
    log["samples"][0] |= sample or {}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log | header))
    return read_one(path)


@pytest.mark.parametrize(
    ("value", "metric", "score", "direction"),
    [
        ("C", "scorer", 1.0, Direction.MAXIMIZE),
        ("I", "scorer", 0.0, Direction.MAXIMIZE),
        ("P", "scorer", 0.5, Direction.MAXIMIZE),
        (True, "scorer", 1.0, Direction.MAXIMIZE),
        ("yes", "scorer", 1.0, Direction.MAXIMIZE),
        ("0.75", "scorer", 0.75, None),
        (0.75, "scorer", 0.75, None),
        ({"note": "fine", "rmse": 0.4, "accuracy": 0.6}, "rmse", 0.4, Direction.MINIMIZE),
        ([0.75], "scorer", 0.75, None),
    ],
)
def test_inspect_s_letters_and_dictionaries_are_scores(
    value: object, metric: str, score: float | None, direction: Direction | None, tmp_path: Path
) -> None:
    report = compared(inspect(tmp_path, sample={"scores": {"scorer": {"value": value}}})).report
    assert (report.metric, report.score, report.direction) == (metric, score, direction)


def test_the_part_of_a_score_that_the_log_puts_first(tmp_path: Path) -> None:
    scores = {"other": {"value": 1}, "both": {"value": {"rmse": 0.4, "accuracy": 0.6}}}
    results = {"headline": {"score": "both", "scorer": "both", "metric": "accuracy"}}
    log = inspect(tmp_path, sample={"scores": scores}, results=results)
    assert (log.metric, log.score) == ("accuracy", 0.6)


@pytest.mark.parametrize(
    ("sample", "header", "status", "ended_by", "error"),
    [
        ({}, {"status": "error", "error": {"message": "out of memory"}}, RunStatus.INFRASTRUCTURE, EndedBy.ERROR,
         "out of memory"),
        ({"error": {"message": "the tool broke"}}, {"status": "success"}, RunStatus.INFRASTRUCTURE, EndedBy.ERROR,
         "the tool broke"),
        ({}, {"status": "cancelled"}, RunStatus.INTERRUPTED, None, None),
        ({"scores": {}}, {"status": "started"}, RunStatus.INTERRUPTED, None, None),
        ({"limit": {"type": "message", "limit": 4}}, {}, RunStatus.COMPLETED, EndedBy.STEPS, None),
        ({"limit": {"type": "token", "limit": 4}}, {}, RunStatus.COMPLETED, EndedBy.TOKENS, None),
    ],
)  # fmt: skip
def test_inspect_s_status_is_the_run_s(
    sample: dict[str, Any],
    header: dict[str, Any],
    status: RunStatus,
    ended_by: EndedBy | None,
    error: str | None,
    tmp_path: Path,
) -> None:
    result = import_log(Store(str(tmp_path / "store")), inspect(tmp_path, sample=sample, **header))
    assert (result.status, result.ended_by, result.error) == (status, ended_by, error)


def test_a_log_of_inspect_that_failed_before_any_sample_counts_in_no_rate(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(inspect_log() | {"samples": [], "status": "error", "error": {"message": "no key"}}))
    log = read_one(path)
    assert (log.task, log.status, log.error, log.steps) == ("vision", RunStatus.INFRASTRUCTURE, "no key", ())
    assert import_log(Store(str(tmp_path / "store")), log).status is RunStatus.INFRASTRUCTURE


def test_messages_that_were_emptied_are_read_from_the_events(tmp_path: Path) -> None:
    messages = inspect_log()["samples"][0]["messages"]
    events: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "assistant":
            events.append({"event": "model", "output": {"choices": [{"message": message}]}})
        if message["role"] == "tool":
            events.append({"event": "tool", "id": "c1", "function": "bash", "result": message["content"]})
    judged = {"event": "model", "output": {"choices": [{"message": {"role": "assistant", "content": "GRADE: C"}}]}}
    events += [{"event": "span_begin", "name": "scorers", "type": "scorers"}, judged]
    kept = inspect(tmp_path, sample={"events": events})
    emptied = inspect(tmp_path, sample={"events": events, "messages": []})
    assert emptied.steps == kept.steps
    assert len(emptied.steps) == 3
