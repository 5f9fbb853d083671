"""``mlab audit`` and ``mlab import`` read logs alike."""

from __future__ import annotations

import gzip
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.evaluation.claims.coding_sessions import SESSIONS
from tests.evaluation.importers.logs import write_compact, write_mlgym, write_neutral
from tests.evaluation.importers.writing.claude import write_claude_code
from tests.flows.cli.in_process import command

PACKED = gzip.compress(b'{"a": 1}\n' * 2, mtime=0)
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
    assert "None of the importers is called 'telepathy'" in done.printed


@BOTH
def test_a_time_chooses_among_logs(verb: str, tmp_path: Path) -> None:
    session, other = write_claude_code(tmp_path / "logs" / "x"), write_mlgym(tmp_path / "logs" / "y")
    assert command(verb, str(tmp_path / "logs"), "--since", "2025-12-31").code == 0
    done = command(verb, str(session), "--since", "2026-01-02T10:00")
    assert done.code == 1
    assert "holds no log of that time" in done.printed
    assert command(verb, str(other), "--since", "2026-01-02").code == 0, "its file says when, where it does not"
    assert command(verb, str(other), "--since", "yesterday").code == 2


@BOTH
def test_the_only_path_that_is_not_there_is_wrong_usage(verb: str, tmp_path: Path) -> None:
    done = command(verb, str(tmp_path / "missing"))
    assert (done.code, done.fault) == (2, None)
    assert "missing" in done.printed


def test_claims_of_several_logs_say_whose_they_are(tmp_path: Path) -> None:
    one, other = write_neutral(tmp_path / "a"), write_neutral(tmp_path / "b")
    alone = command("audit", str(one))
    assert str(one) not in alone.printed
    both = command("audit", str(one), str(other))
    assert str(one) in both.printed
    assert str(other) in both.printed
    assert "a/mine.jsonl" in command("audit", str(tmp_path)).printed


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.jsonl", b"", "is empty"),
        ("notes.md", b"Epoch 1\n[x]", "is no log of a known format"),
        ("picture", b"\x89PNG\0\xff", "is no log of a known format"),
        ("torn.txt", b'{"a": ', "is not valid JSON"),
        ("cut.jsonl.gz", PACKED[:-9], "breaks off"),
        ("other.jsonl.gz", b"{}", "not packed by gzip"),
    ],
)
def test_a_file_that_is_no_log_is_told_in_plain_words(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    done = command("audit", str(file))
    assert (done.code, done.fault) == (1, None)
    assert said in done.printed


def test_json_in_utf_16_without_a_mark_is_read(tmp_path: Path) -> None:
    log = write_neutral(tmp_path / "log")
    for encoding in ("utf-16-le", "utf-16-be"):
        other = tmp_path / f"{encoding}.jsonl"
        other.write_bytes(log.read_text().encode(encoding))
        assert command("audit", str(other)).code == 0


def test_a_log_of_another_format_than_is_forced_is_told_so(tmp_path: Path) -> None:
    done = command("audit", str(write_neutral(tmp_path / "log")), "--format", "aide")
    assert (done.code, done.fault) == (1, None)
    assert "cannot be read as a log of the format aide" in done.printed
    assert "Error" not in done.printed
    assert "MLAgentBench" not in done.printed


def test_an_interrupted_import_says_how_far_it_came_and_goes_on(tmp_path: Path) -> None:
    log = write_neutral(tmp_path / "logs" / "of")
    for n in range(60):
        (log.parent / f"{n}.jsonl").write_text(log.read_text().replace("cifar10", f"task-{n}"))
    run = [sys.executable, "-c", "from flows.cli.app import main; main()", "import", str(log.parent)]
    with subprocess.Popen(run, cwd=Path(__file__).parents[3], stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and len(list(tmp_path.glob("home/**/result.json"))) < 2:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        told = process.communicate()[1]
    assert process.returncode == 3
    said = re.search(r"(\d+) runs? imported; the same command goes on", told)
    assert said, told
    again = command("import", str(log.parent))
    there = re.search(r"(\d+) runs? imported, (\d+) runs? there already", again.printed)
    assert there, again.printed
    assert int(there[1]) + int(there[2]) == 61
    assert int(there[2]) - int(said[1]) in (0, 1)  # the last may have been stored and not yet counted


def test_a_language_model_is_offered_where_rules_could_not_check_much(tmp_path: Path) -> None:
    hard = command("audit", str(SESSIONS / "speed.jsonl"))
    easy = command("audit", str(write_neutral(tmp_path / "easy")))
    assert "--extractor provider:model" in hard.printed
    assert "--extractor" not in easy.printed
