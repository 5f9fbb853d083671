from __future__ import annotations

import gzip
import json
import os
import re
import zipfile
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from environment.store import Store
from evaluation.audit import audit_path
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.errors import LogError
from evaluation.importers.records import import_log
from tests.evaluation.importers.agent_logs import AGENT_WRITERS
from tests.evaluation.importers.logs import (
    CLAIM,
    LIE,
    OUTPUT,
    WRITERS,
    inspect_log,
    write_compact,
    write_inspect_json,
    write_mlagentbench,
    write_mlgym,
)
from tests.evaluation.importers.other_agents import OTHER_WRITERS
from tests.evaluation.importers.search_logs import SEARCH_WRITERS

EVERY = {**WRITERS, **AGENT_WRITERS, **OTHER_WRITERS, **SEARCH_WRITERS}


@pytest.mark.parametrize("harness", EVERY)
def test_each_format_gives_the_same_run(harness: str, tmp_path: Path) -> None:
    path = EVERY[harness](tmp_path / "logs" / "run_0")
    (log,) = read_logs(path)
    prose = [said for step in log.steps for said in step.prose.values()]
    observations = [exchange.observation for step in log.steps for exchange in step.exchanges]
    assert any(CLAIM in said for said in prose)
    assert any(LIE in said for said in prose)
    assert any(OUTPUT.strip() in seen for seen in observations)


@pytest.mark.parametrize("harness", EVERY)
@pytest.mark.parametrize("change", ["gzip", "mark", "line ends", "two bytes"])
def test_a_file_that_was_packed_or_passed_through_windows_is_read_as_before(
    harness: str, change: str, tmp_path: Path
) -> None:
    path = EVERY[harness](tmp_path / "logs" / "run_0")
    if path.is_dir() or path.suffix in (".eval", ".db", ".sqlite", ".sqlite3"):
        pytest.skip("no single text")
    (before,) = read_logs(path)
    content = path.read_bytes()
    if change == "gzip":
        path.unlink()
        path = path.with_name(f"{path.name}.gz")
        content = gzip.compress(content)
    elif change == "two bytes":
        content = content.decode().encode("utf-16")
    else:
        content = BOM_UTF8 + content if change == "mark" else content.replace(b"\n", b"\r\n")
    path.write_bytes(content)
    (after,) = read_logs(path.parent)
    assert (after.steps, after.task, after.status) == (before.steps, before.task, before.status)


@pytest.mark.parametrize("harness", EVERY)
def test_each_format_is_audited(harness: str, tmp_path: Path) -> None:
    claims = list(audit_path(EVERY[harness](tmp_path / "run_0")))
    verdicts = {claim.quote: claim.verdict for claim in claims}
    assert verdicts[CLAIM] is Verdict.SUPPORTED
    assert verdicts[LIE].is_problem
    for claim in claims:
        assert set(claim.line()) == {
            "source", "step", "field", "quote", "kind", "metric", "value", "unit",
            "verdict", "evidence_step", "evidence", "note",
        }  # fmt: skip


def test_quotes_and_evidence_are_exact_parts_of_the_log(tmp_path: Path) -> None:
    for harness, write in EVERY.items():
        path = write(tmp_path / harness.replace(" ", "_"))
        (log,) = read_logs(path)
        for claim in audit_path(path):
            assert claim.quote in log.steps[claim.step].prose[claim.field]
            if claim.evidence_step is not None:
                seen = "\n".join(exchange.observation for exchange in log.steps[claim.evidence_step].exchanges)
                assert claim.evidence_step < claim.step
                assert claim.evidence is not None
                assert claim.evidence in seen


def test_a_folder_of_runs_is_read_one_by_one_under_the_names_of_its_logs(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    write_mlagentbench(root / "cifar10" / "0")
    write_mlgym(root / "gym" / "x")
    write_compact(root / "small")
    (root / "notes.json").write_text('{"not": "a log"}')
    assert sorted(log.source for log in read_logs(root)) == [
        "collection/model/task/0",
        "runs/cifar10/0",
        "runs/gym/x/imageClassificationCifar10.traj",
    ]


def test_a_name_that_is_no_text_is_written_as_one(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"bad\xff")
    write_compact(folder)
    (log,) = read_logs(folder)
    assert import_log(Store((tmp_path / "store").as_uri()), log).run_id
    renamed = folder / os.fsdecode(b"x\xfe.jsonl")
    renamed.write_text('{"log": 1}\n{"say": "I run it."}\n')
    sources = [log.source for log in read_logs(folder)]
    assert r"bad\udcff/x\udcfe.jsonl" in sources


def test_of_very_many_files_that_no_reader_takes_the_first_are_named(tmp_path: Path) -> None:
    write_compact(tmp_path / "small")
    for number in range(300):
        (tmp_path / f"{number:03}.json").write_text("{}")
    notes: list[str] = []
    list(read_logs(tmp_path, asked=Asked(on_note=notes.append)))
    assert notes[0].startswith("No reader takes 300 of the files")
    assert notes[0].endswith("199.json\n  and 100 more")


def test_the_summary_filed_after_a_step_stands_with_the_next(tmp_path: Path) -> None:
    (log,) = read_logs(write_mlagentbench(tmp_path / "0"))
    assert list(log.steps[1].prose) == ["reflection", "plan", "fact_check", "thought", "log_summary", "final_answer"]
    assert log.steps[1].prose["log_summary"].startswith("[Reasoning]")
    assert log.task_text == "Improve train.py."


def test_forks_without_the_speaker_line_are_read_alike(tmp_path: Path) -> None:
    folder = write_mlagentbench(tmp_path / "0")
    (before,) = read_logs(folder)
    written = folder / "agent_log" / "main_log"
    written.write_text(written.read_text().replace("\n\n\nAssistant:\n", "\n"))
    (after,) = read_logs(folder)
    assert after == before


def test_a_log_without_what_the_agent_wrote_still_has_its_actions(tmp_path: Path) -> None:
    folder = write_mlagentbench(tmp_path / "0")
    (folder / "agent_log" / "main_log").unlink()
    (log,) = read_logs(folder)
    assert [step.exchanges[0].action.name for step in log.steps] == ["Execute Script", "Final Answer"]
    assert log.steps[1].prose["final_answer"] == LIE


def test_each_sample_of_an_inspect_log_is_a_run(tmp_path: Path) -> None:
    path = write_inspect_json(tmp_path / "x")
    data = json.loads(path.read_text())
    data["samples"].append({**data["samples"][0], "epoch": 2})
    path.write_text(json.dumps(data))
    assert [log.source.rpartition("#")[2] for log in read_logs(path)] == ["cifar10:1", "cifar10:2"]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.traj", b"{", "line 1"),
        ("a.traj", b'{"trajectory": [1]}', "trajectory[0]"),
        ("a.json", b"[]", ""),
        ("a.json", b'{"steps": [{"prose": "text"}]}', "steps[0]"),
        ("a.json", b"\xff\xfe\x00", ""),
        ("journal.json", b'{"nodes": [{"code": ""}, 3]}', "nodes[1]"),
        ("a.eval", b"not a zip", ""),
        ("a.json", b"[" * 100_000, ""),
    ],
)
def test_what_is_broken_is_told_with_file_and_place(name: str, content: bytes, place: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(LogError) as told:
        list(read_logs(path))
    assert str(path) in str(told.value)
    assert place in told.value.place


def test_an_eval_file_with_a_broken_sample_names_the_sample(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/one.json", "{")
    with pytest.raises(LogError, match=r"samples/one\.json"):
        list(read_logs(path))


def test_a_broken_sample_does_not_hide_the_others(tmp_path: Path) -> None:
    sample = inspect_log()["samples"][0]
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1.json", "{")
        archive.writestr("samples/2.json", json.dumps(sample))
        archive.writestr("samples/3.json", json.dumps({"messages": ["text"]}))
    told: list[LogError] = []
    assert [len(log.steps) for log in read_logs(path, told.append)] == [3]
    assert "2 of its samples cannot be read; the first:" in str(told[0])


@pytest.mark.parametrize("name", ["a.traj", "journal.json"])
def test_a_file_that_is_a_log_by_its_name_is_told_where_it_is_none(name: str, tmp_path: Path) -> None:
    write_compact(tmp_path / "runs" / "a")
    (tmp_path / "runs" / name).write_text("{}")
    (tmp_path / "runs" / "package.json").write_text("{}")
    told: list[LogError] = []
    assert len(list(read_logs(tmp_path / "runs", told.append))) == 1
    assert [Path(str(error.path)).name for error in told] == [name]


@pytest.mark.parametrize("score", ["1e999", "-Infinity", "NaN", "true", '"0.5"', f"1{'0' * 400}"])
def test_a_score_that_is_no_finite_number_is_none(score: str, tmp_path: Path) -> None:
    path = write_mlgym(tmp_path / "x")
    path.write_text(re.sub(r'"score": \[.*?\]', f'"score": [{{"accuracy": {score}}}]', path.read_text()))
    (log,) = read_logs(path)
    assert log.score is None


def test_halves_of_characters_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    path = write_mlgym(tmp_path / "x")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"DISCUSSION", b"DISCUSSION \\ud800"))
    (log,) = read_logs(path)
    assert log.steps[0].prose["response"].startswith(r"DISCUSSION \ud800")
    assert import_log(Store(str(tmp_path / "store")), log).steps == 3


def test_one_broken_log_does_not_hide_the_others(tmp_path: Path) -> None:
    write_compact(tmp_path / "runs" / "a")
    (tmp_path / "runs" / "b.traj").write_text("{")
    told: list[LogError] = []
    assert len(list(read_logs(tmp_path / "runs", told.append))) == 1
    assert len(told) == 1


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.json", b'{"source": "x", "steps": [\n', "line 2"),
        ("a.json", b"\x93\x00\xff", "line 1"),
        ("a.json", b"", "line 1"),
        ("a.json", b'{"source": "x", "steps": [3]}', "steps"),
        ("a.json", b'{"trajectory": {}}', "trajectory"),
        ("a.jsonl", b'{"a": 1}\n{"b":\n', "line 2"),
        ("a.eval", b"not a zip", ""),
    ],
)
@pytest.mark.parametrize("beside_a_good_one", [True, False])
def test_in_a_folder_too_every_broken_file_is_told(
    name: str, content: bytes, place: str, beside_a_good_one: bool, tmp_path: Path
) -> None:
    root = tmp_path / "runs"
    (root / "deep").mkdir(parents=True)
    (root / "deep" / name).write_bytes(content)
    (root / "deep" / "other.json").write_text('{"a": 1}')
    (root / "deep" / "other.jsonl").write_text('{"a": 1}\n\n{"a": 2}\n')
    if beside_a_good_one:
        write_compact(root / "good")
    told: list[LogError] = []
    assert len(list(read_logs(root, told.append))) == beside_a_good_one
    assert [(error.path, error.place) for error in told] == [(root / "deep" / name, place)]


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no log"):
        list(read_logs(tmp_path))
    with pytest.raises(LogError, match="does not exist"):
        list(read_logs(tmp_path / "missing"))


KEYS = [
    "steps",
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
