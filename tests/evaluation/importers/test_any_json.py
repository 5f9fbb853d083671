"""No log, whatever is in it, makes a reader crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.importers.detect import read_logs
from evaluation.importers.errors import LogError
from tests.evaluation.importers.reading import EVERY

KEYS = [
    "steps",
    "mapping",
    "current_node",
    "parent",
    "author",
    "chat_messages",
    "uuid",
    "observations",
    "traceId",
    "startTime",
    "resourceSpans",
    "scopeSpans",
    "spans",
    "attributes",
    "trajectory",
    "nodes",
    "prose",
    "action",
    "observation",
    "eval",
    "status",
    "samples",
    "messages",
    "schema_version",
    "code",
    "history",
    "role",
    "content",
    "tool_calls",
    "results",
    "info",
    "source",
    "type",
    "message",
    "payload",
    "sessionId",
    "session_id",
    "projectHash",
    "kind",
    "instance_id",
    "log",
    "do",
    "saw",
    "say",
    "id",
    "parent_tool_use_id",
    "subtype",
    "data",
    "toolCalls",
    "trajectory_format",
    "extra",
    "actions",
    "args",
    "cause",
    "extras",
    "metric",
    "plot_analyses",
    "events",
    "scores",
    "value",
    "isSidechain",
    "agentId",
    "uuid",
    "usage",
    "item",
    "name",
    "input",
    "text",
    "tool_use_id",
    "call_id",
    "output",
    "end",
    "observation",
    "continued_trajectory_ref",
    "tool_name",
    "thought",
    "llm_message",
    "timestamp",
    "environment",
    "replay_config",
]


VALUES = [
    "ATIF-v1",
    "assistant",
    "user",
    "tool",
    "system",
    "result",
    "text",
    "tool_use",
    "tool_result",
    "session_meta",
    "response_item",
    "event_msg",
    "function_call",
    "function_call_output",
    "message",
    "thread.started",
    "item.completed",
    "command_execution",
    "gemini",
    "run",
    "finish",
    "ActionEvent",
    "ObservationEvent",
    "MessageEvent",
    "mini-swe-agent-1",
    "init",
    "token_count",
]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=16,
)  # fmt: skip


def read_whatever(path: Path) -> None:
    """Read a file that may be no log; a reader never stumbles."""
    told: list[LogError] = []
    try:
        for log in read_logs(path, told.append):
            assert log.source
    except LogError as error:
        told.append(error)
    assert all(str(path) in str(error) for error in told)
    assert not [error for error in told if "is not as its format has it" in error.message]


@settings(max_examples=60, deadline=None)
@given(data=JSON)
def test_no_json_whatever_makes_a_reader_crash(data: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("x") / "a.json"
    path.write_text(json.dumps(data))
    read_whatever(path)


@settings(max_examples=60, deadline=None)
@given(data=st.lists(JSON, min_size=1, max_size=6))
def test_no_lines_whatever_make_a_reader_crash(data: list[object], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("x") / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in data))
    read_whatever(path)


@pytest.mark.parametrize("harness", EVERY)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_no_damage_to_a_log_makes_its_reader_crash(
    harness: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = EVERY[harness](tmp_path_factory.mktemp("x") / "run_0")
    if path.is_dir() or path.suffix in (".eval", ".db", ".sqlite", ".sqlite3"):
        return
    text = path.read_text()
    if path.suffix == ".jsonl":
        lines = [json.loads(line) for line in text.splitlines()]
        damaged = [_damaged(line, data) for line in lines]
        path.write_text("".join(json.dumps(line) + "\n" for line in damaged))
    else:
        try:
            path.write_text(json.dumps(_damaged(json.loads(text), data)))
        except ValueError:
            return
    read_whatever(path)


def _damaged(value: Any, data: st.DataObject) -> Any:
    """A value with a part of it taken out or replaced."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 3)):
        name = data.draw(st.sampled_from(sorted(value)))
        return {**value, name: _damaged(value[name], data)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 3)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], _damaged(value[at], data), *value[at + 1 :]]
    return data.draw(
        st.none() | st.just(3) | st.just("x") | st.just([]) | st.just({}) | st.just([1]) | st.just({"a": 1})
    )
