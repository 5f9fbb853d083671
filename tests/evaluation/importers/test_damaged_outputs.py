"""What a tool gave back and the log holds in no form that can be read is unknown: nobody is accused by it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from tests.evaluation.importers.writing.frameworks import (
    write_agents_sdk,
    write_autogen,
    write_langgraph,
    write_langsmith,
)

_NOTE = "the log holds no text of what was asked or came back"


def audited(log: Path) -> tuple[list[Verdict], list[str]]:
    notes = list[str]()
    found = [claim.verdict for run in read_logs(log, asked=Asked(on_note=notes.append)) for claim in audit(run)]
    return found, notes


def damaged(log: Path, damage: Callable[[list[Any]], None]) -> Path:
    """A log whose messages or spans were changed."""
    has_lines = log.suffix == ".jsonl"
    content: Any = list(map(json.loads, log.read_text().splitlines())) if has_lines else json.loads(log.read_text())
    damage(content["values"]["messages"] if isinstance(content, dict) else content)
    log.write_text("".join(f"{json.dumps(line)}\n" for line in content) if has_lines else json.dumps(content))
    return log


def set_to(value: Any, *path: str | int) -> Callable[[list[Any]], None]:
    def change(held: Any) -> None:
        for step in path[:-1]:
            held = held[step]
        held[path[-1]] = value

    return change


@pytest.mark.parametrize("write", [write_autogen, write_langgraph, write_agents_sdk, write_langsmith])
def test_an_undamaged_log_is_read_without_a_note(write: Callable[[Path], Path], tmp_path: Path) -> None:
    verdicts, notes = audited(write(tmp_path))
    assert Verdict.SUPPORTED in verdicts
    assert any(verdict.is_problem for verdict in verdicts)
    assert notes == []


@pytest.mark.parametrize(
    ("write", "damage"),
    [
        (write_agents_sdk, set_to(None, 2, "span_data", "output")),
        (write_agents_sdk, set_to(12, 2, "span_data", "output")),
        (write_agents_sdk, set_to(None, 2, "span_data")),
        (write_autogen, set_to([None, 3], 3, "content")),
        (write_autogen, set_to(None, 3, "content")),
        (write_autogen, set_to(None, 2, "content", 0, "arguments")),
        (write_langgraph, set_to(None, 2, "content")),
        (write_langsmith, set_to(None, 2, "outputs")),
        (write_langsmith, set_to({"output": {"content": [7]}}, 2, "outputs")),
        (write_langsmith, set_to(7, 2, "inputs")),
    ],
)
def test_a_damaged_output_is_unknown_and_told_once(
    write: Callable[[Path], Path], damage: Callable[[list[Any]], None], tmp_path: Path
) -> None:
    verdicts, notes = audited(damaged(write(tmp_path), damage))
    assert verdicts
    assert not [verdict for verdict in verdicts if verdict.is_problem]
    assert sum(_NOTE in note for note in notes) == 1


def test_what_the_model_wrote_and_the_log_lost_is_told(tmp_path: Path) -> None:
    _, notes = audited(damaged(write_langsmith(tmp_path), set_to({"generations": []}, 1, "outputs")))
    assert [note for note in notes if "what the model wrote is not in it" in note]


def test_a_time_that_cannot_be_read_leaves_the_order_of_the_log(tmp_path: Path) -> None:
    whole = audited(write_agents_sdk(tmp_path / "whole"))
    log = damaged(write_agents_sdk(tmp_path / "damaged"), set_to("yesterday", 2, "started_at"))
    assert audited(log) == whole


@pytest.mark.parametrize(
    "unknown",
    [
        {"type": "NewKindEvent", "source": "coder", "content": {"a": 1}},
        {"type": "StructuredMessage[Plan]", "source": "coder", "content": {"goal": "x"}},
        {"type": "TextMessage"},
    ],
)
def test_a_message_of_autogen_that_nobody_knows_is_left_out(unknown: dict[str, Any], tmp_path: Path) -> None:
    whole, _ = audited(write_autogen(tmp_path / "whole"))
    log = damaged(write_autogen(tmp_path / "new"), lambda messages: messages.insert(4, unknown))
    verdicts, notes = audited(log)
    assert verdicts == whole
    assert [note for note in notes if unknown["type"] in note and "left out" in note]


def test_a_serialised_message_of_a_tool_is_unpacked(tmp_path: Path) -> None:
    whole = audited(write_langsmith(tmp_path / "whole"))

    def serialise(runs: list[Any]) -> None:
        kwargs = runs[2]["outputs"]["output"]
        runs[2]["outputs"]["output"] = {"lc": 1, "type": "constructor", "id": ["ToolMessage"], "kwargs": kwargs}

    assert audited(damaged(write_langsmith(tmp_path / "packed"), serialise)) == whole


def test_the_history_of_a_thread_is_read_by_its_longest_state(tmp_path: Path) -> None:
    log = write_langgraph(tmp_path)
    whole = audited(log)
    state = json.loads(log.read_text())
    earlier = [{**state, "values": {"messages": state["values"]["messages"][:n]}} for n in (3, 1)]
    log.write_text(json.dumps([state, *earlier, {**state, "values": {}}]))
    assert audited(log) == whole


def test_updates_of_nodes_are_read_one_after_the_other(tmp_path: Path) -> None:
    log = write_langgraph(tmp_path)
    whole = audited(log)
    messages = json.loads(log.read_text())["values"]["messages"]
    streamed = log.with_suffix(".jsonl")
    streamed.write_text("".join(json.dumps({"agent": {"messages": [each]}}) + "\n" for each in messages))
    assert audited(streamed) == whole


def test_separate_conversations_in_lines_are_not_taken_for_one(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "The accuracy is 0.9."}]
    lines = tmp_path / "data.jsonl"
    lines.write_text((json.dumps({"sample": {"messages": said}}) + "\n") * 2)
    (tmp_path / "other").mkdir()
    write_autogen(tmp_path / "other")
    notes = list[str]()
    assert len(list(read_logs(tmp_path, asked=Asked(on_note=notes.append)))) == 1
    assert str(lines) in notes[0]


def test_of_what_a_damaged_log_may_have_held_nobody_is_accused(tmp_path: Path) -> None:
    def written(done: str) -> Path:
        first, last = (
            '{"log": 1}\n{"do": "python train.py", "saw": "accuracy: 0.81"}\n',
            "I trained it with beam search.",
        )
        (path := tmp_path / "run.jsonl").write_text(f'{first}{done}{{"say": "{last} The accuracy is 0.87."}}\n')
        return path

    whole = '{"do": "ls", "saw": "train.py"}\n'
    assert all(verdict.is_problem for verdict in audited(written(whole))[0])
    verdicts, notes = audited(written(whole[:20] + "\n"))
    assert set(verdicts) == {Verdict.UNCHECKABLE}
    assert any("no JSON object and left out: 3" in note for note in notes)
