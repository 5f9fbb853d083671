"""What is broken is told with its file and place, and hides nothing else."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from evaluation.importers.detect import read_logs
from evaluation.importers.errors import LogError
from tests.evaluation.importers.logs import (
    inspect_log,
    write_compact,
)


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
        ("a.jsonl", b'{"log": 1}\n{"do": "python\n', "line 2"),
        ("a.jsonl", b'{"log": 1}\n{"do": "python\n{"end": "completed"}\n', "line 2"),
        ("a.jsonl", b'{"log": 1}\n{"did": "python train.py"}\n{"end": "completed"}\n', ""),
        ("a.jsonl", b'{"log": 1}\n', ""),
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
