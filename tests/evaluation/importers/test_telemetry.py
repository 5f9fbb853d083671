"""What traces of OpenTelemetry and Langfuse tell beside messages: models, tokens, cost, times, failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from environment.records import Outcome
from evaluation.importers.detect import read_logs
from evaluation.importers.errors import LogError
from tests.evaluation.importers.logs import OUTPUT
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.telemetry import (
    otlp,
    write_langfuse,
    write_openinference,
    write_otlp,
    write_otlp_messages,
)


@pytest.mark.parametrize(
    ("write", "tokens", "cost", "seconds", "agent"),
    [
        (write_otlp, 360, None, 270.0, "coder"),
        (write_otlp_messages, 360, None, 150.0, None),
        (write_openinference, None, None, 210.0, None),
        (write_langfuse, 360, 0.03, 270.0, "bash"),
    ],
)
def test_figures_of_a_trace(
    write: Callable[[Path], Path],
    tokens: int | None,
    cost: float | None,
    seconds: float,
    agent: str | None,
    tmp_path: Path,
) -> None:
    log = read_one(write(tmp_path))
    assert (log.model, log.tokens, log.seconds, log.task, log.agent) == ("model", tokens, seconds, "cifar10", agent)
    assert log.cost == (None if cost is None else pytest.approx(cost))
    assert [exchange.observation.strip() for step in log.steps for exchange in step.exchanges] == [OUTPUT.strip()]


def test_a_tool_that_failed_is_told_as_failed(tmp_path: Path) -> None:
    trace = otlp([(1, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash"})])
    trace["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["status"] = {"code": 2, "message": "Out of memory"}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(trace))
    (exchange,) = read_one(path).steps[0].exchanges
    assert exchange.outcome is Outcome.FAILED
    assert "Out of memory" in exchange.observation


def test_arguments_of_a_decorated_function_are_the_tools(tmp_path: Path) -> None:
    given = json.dumps({"args": [], "kwargs": {"command": "python train.py"}})
    tool = {"traceloop.span.kind": "tool", "traceloop.entity.name": "bash", "traceloop.entity.input": given}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(otlp([(1, {**tool, "traceloop.entity.output": json.dumps(OUTPUT)})])))
    (exchange,) = read_one(path).steps[0].exchanges
    assert exchange.action.args == {"command": "python train.py"}
    assert exchange.observation.strip() == OUTPUT.strip()


@pytest.mark.parametrize(
    "told",
    [
        {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "tuner", "gen_ai.request.model": "small"},
        {"openinference.span.kind": "AGENT", "agent.name": "tuner", "llm.model_name": "small"},
        {"traceloop.span.kind": "agent", "traceloop.entity.name": "tuner", "llm.request.model": "small"},
    ],
)
def test_an_agent_s_span_names_the_agent_and_its_model(told: dict[str, Any], tmp_path: Path) -> None:
    command = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", "gen_ai.tool.call.result": "0.5"}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(otlp([(0, told), (1, command)])))
    log = read_one(path)
    assert (log.agent, log.model) == ("tuner", "small")
    assert [exchange.action.name for step in log.steps for exchange in step.exchanges] == ["bash"]


def test_traces_of_other_services_are_no_logs(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(otlp([(1, {"http.request.method": "GET"})])))
    with pytest.raises(LogError):
        list(read_logs(path))


def test_a_trace_without_contents_says_so(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    command = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash", "gen_ai.tool.call.result": "0.5"}
    path.write_text(json.dumps(otlp([(1, {"gen_ai.operation.name": "chat"}), (2, command)])))
    notes: list[str] = []
    read_one(path, notes)
    assert any("what the model wrote is not in it" in note for note in notes)


def test_each_trace_of_langfuse_is_a_run(tmp_path: Path) -> None:
    trace: dict[str, Any] = json.loads(write_langfuse(tmp_path).read_text())
    rows = [{**each, "traceId": name} for name in "ab" for each in trace["observations"]]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [log.source.rpartition("/")[2] for log in read_logs(path)] == ["rows.jsonl#a", "rows.jsonl#b"]
