"""The file actions: what they do, and what they say when they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from environment.records import Action, Outcome
from tests.environment.bench import Bench, make_bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    public = tmp_path / "public"
    public.mkdir()
    (public / "train.csv").write_text("a\n1\n")
    bench = make_bench(tmp_path, mounts={"data": public}, readonly=["given.txt"])
    (bench.root / "train.py").write_text("print(1)\nprint(2)\n")
    (bench.root / "given.txt").write_text("given")
    return bench


def test_list_files(bench: Bench) -> None:
    assert bench.text("List Files", dir_path=".") == "data/\ngiven.txt\ntrain.py"
    assert bench.text("List Files", dir_path="/workspace/data") == "train.csv"
    (bench.root / "empty").mkdir()
    assert bench.text("List Files", dir_path="empty") == "(the folder is empty)"
    effect = bench.act("List Files", dir_path="nope")
    assert effect.observation.outcome is Outcome.FAILED
    assert effect.observation.text == "Cannot list nope: no such file or directory."


def test_write_append_and_read(bench: Bench) -> None:
    assert (
        bench.text("Write File", file_name="new/notes.md", content="é\n") == "File new/notes.md written successfully."
    )
    assert (
        bench.text("Append File", file_name="new/notes.md", content="b") == "File new/notes.md appended successfully."
    )
    assert bench.text("Append File", file_name="made.md", content="b") == "File made.md appended successfully."
    assert bench.text("Read File", file_name="new/notes.md") == "é\nb"


def test_copy(bench: Bench) -> None:
    assert (
        bench.text("Copy File", source="data/train.csv", destination="mine.csv")
        == "File data/train.csv copied to mine.csv"
    )
    assert bench.text("Read File", file_name="mine.csv") == "a\n1\n"
    failed = bench.act("Copy File", source="nope", destination="mine.csv").observation
    assert failed.outcome is Outcome.FAILED
    assert failed.text == "File nope copy to mine.csv failed. Cannot read nope: no such file or directory."
    assert bench.outcome("Copy File", source="train.py", destination="given.txt") is Outcome.REFUSED
    assert bench.text("Read File", file_name="given.txt") == "given"


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [(1, 1, "print(1)"), (2, 9, "print(2)"), ("1", "2", "print(1)\nprint(2)"), (3, 5, "")],
)
def test_inspect_lines(bench: Bench, first: int | str, last: int | str, shown: str) -> None:
    text = bench.text("Inspect Script Lines", script_name="train.py", start_line_number=first, end_line_number=last)
    assert text == f"Here are the lines (the file ends at line 2):\n\n{shown}"


def test_inspect_says_what_is_wrong_with_a_range(bench: Bench) -> None:
    def inspect(first: JsonValue, last: JsonValue) -> str:
        return bench.text("Inspect Script Lines", script_name="train.py", start_line_number=first, end_line_number=last)

    assert "limited to 500 lines" in inspect(1, 502)
    assert "It has 2 lines" in inspect(0, 1)
    assert "It has 2 lines" in inspect(2, 1)
    assert "start_line_number: Input should be a valid integer" in inspect("one", 1)


def test_the_papers_limit_of_inspected_lines(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, profile="paper")
    (bench.root / "long.py").write_text("x = 1\n" * 300)
    for last, outcome in {101: Outcome.OK, 102: Outcome.FAILED}.items():
        action: dict[str, JsonValue] = {"script_name": "long.py", "start_line_number": 1, "end_line_number": last}
        assert bench.environment.look(Action(name="Inspect Script Lines", args=action)).outcome is outcome


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("é".encode("latin-1"), "é"),
        ("\ufeffx".encode(), "x"),
        ("é".encode("utf-16"), "é"),
        (b"", ""),
        (b"a\r\nb\rc", "a\r\nb\rc"),
    ],
)
def test_texts_in_odd_encodings_are_read(bench: Bench, content: bytes, text: str) -> None:
    (bench.root / "odd").write_bytes(content)
    assert bench.text("Read File", file_name="odd") == text


def test_a_binary_file_is_named_as_such(bench: Bench) -> None:
    (bench.root / "model.bin").write_bytes(bytes(range(256)) * 10)
    observation = bench.act("Read File", file_name="model.bin").observation
    assert observation.outcome is Outcome.FAILED
    assert observation.text.startswith("model.bin is a binary file (2,560 bytes), not text.")


def test_a_line_of_ten_megabytes_is_cut_in_the_middle_and_kept_whole(bench: Bench) -> None:
    line = "a" * 5_000_000 + "b" * 5_000_000
    (bench.root / "line.txt").write_text(line)
    observation = bench.act("Read File", file_name="line.txt").observation
    assert len(observation.text) < 17_000
    assert observation.text.startswith("aaa")
    assert observation.text.endswith("bbb")
    assert "[… 9,984,000 characters of a line cut here …]" in observation.text
    assert observation.full is not None
    assert bench.store.get_object(observation.full) == line.encode()


def test_a_syntax_error_is_reported_and_the_file_saved(bench: Bench) -> None:
    text = bench.text("Write File", file_name="bad.py", content="def f(:\n    pass\n")
    assert text == (
        "File bad.py written successfully.\nNote: the file has a syntax error at line 1 (invalid syntax): def f(:"
    )
    assert (bench.root / "bad.py").exists()
    assert "unterminated" in bench.text("Append File", file_name="train.py", content="x = '\n")
    assert "Note" not in bench.text("Write File", file_name="bad.txt", content="def f(:")


@pytest.mark.parametrize(
    "content", ["(" * 5_000, "-" * 100_000 + "1", "a" + ".b" * 50_000, "\0", "x = [" * 1_000, "\ud800"]
)
def test_hostile_source_does_no_harm(bench: Bench, content: str) -> None:
    assert bench.outcome("Write File", file_name="hostile.py", content=content) in {Outcome.OK, Outcome.REFUSED}
