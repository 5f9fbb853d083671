"""``mlab audit`` and ``mlab import`` read logs alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.importers.agent_logs import write_claude_code
from tests.evaluation.importers.logs import write_compact, write_mlgym, write_neutral
from tests.flows.cli.in_process import command

BOTH = pytest.mark.parametrize("verb", ["audit", "import"])


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)


@BOTH
def test_many_paths_are_read_and_one_that_cannot_be_ends_nothing(verb: str, tmp_path: Path) -> None:
    paths = [write_compact(tmp_path / "a"), tmp_path / "missing", write_neutral(tmp_path / "b")]
    done = command(verb, *map(str, paths), "--json")
    assert (done.code, done.fault) == (1, None)
    assert f"{paths[1]}: does not exist" in done.printed or "missing" in done.printed
    assert done.printed.count("collection") >= 1
    assert done.printed.count("mine") >= 1


@BOTH
def test_files_that_no_reader_takes_are_named_beside_those_that_one_does(verb: str, tmp_path: Path) -> None:
    write_compact(tmp_path / "logs" / "good")
    (tmp_path / "logs" / "notes.log").write_text("epoch 1")
    done = command(verb, str(tmp_path / "logs"))
    assert (done.code, done.fault) == (0, None)
    assert str(tmp_path / "logs" / "notes.log") in done.printed


@BOTH
def test_where_no_reader_takes_anything_each_file_is_named(verb: str, tmp_path: Path) -> None:
    for name in ("a.log", "b.csv", "c.json"):
        (tmp_path / "logs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "logs" / name).write_text('{"a": 1}')
    done = command(verb, str(tmp_path / "logs"))
    assert done.code == 1
    assert all(str(tmp_path / "logs" / name) in done.printed for name in ("a.log", "b.csv", "c.json"))


@BOTH
def test_a_format_is_forced_by_its_name(verb: str, tmp_path: Path) -> None:
    session = write_claude_code(tmp_path / "x").rename(tmp_path / "session.txt")
    assert command(verb, str(session), "--format", "claude-code").code == 0
    done = command(verb, str(session), "--format", "telepathy")
    assert done.code == 2
    assert "none of the importers is called 'telepathy'" in done.printed


@BOTH
def test_a_time_chooses_among_logs(verb: str, tmp_path: Path) -> None:
    session, other = write_claude_code(tmp_path / "logs" / "x"), write_mlgym(tmp_path / "logs" / "y")
    assert command(verb, str(tmp_path / "logs"), "--since", "2025-12-31").code == 0
    done = command(verb, str(session), "--since", "2026-01-02T10:00")
    assert done.code == 1
    assert "holds no log of that time" in done.printed
    assert command(verb, str(other), "--since", "2026-01-02").code == 0, "its file says when, where it does not"
    assert command(verb, str(other), "--since", "yesterday").code == 2
