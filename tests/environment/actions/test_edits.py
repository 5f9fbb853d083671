"""Edits, and taking them back."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.records import Outcome
from tests.environment.bench import Bench, make_bench

NOTHING = "There is no change to undo."


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = make_bench(tmp_path)
    (bench.root / "sub").mkdir()
    (bench.root / "sub/train.py").write_text("x = 0\n")
    return bench


def undo(bench: Bench, name: str = "sub/train.py") -> str:
    return bench.text("Undo Edit Script", script_name=name)


def test_an_edit_shows_its_diff(bench: Bench) -> None:
    text = bench.text("Edit Script", script_name="sub/train.py", content="x = 1\n", save_name="sub/train2.py")
    assert text.startswith("The edited file is saved to sub/train2.py. Here is the diff")
    assert text.endswith("--- sub/train.py\n+++ sub/train2.py\n@@ -1 +1 @@\n-x = 0\n+x = 1")
    assert (bench.root / "sub/train.py").read_text() == "x = 0\n"
    assert "(nothing changed)" in bench.text(
        "Edit Script", script_name="sub/train.py", content="x = 0\n", save_name="sub/train.py"
    )


def test_an_edit_of_a_missing_script_starts_from_nothing(bench: Bench) -> None:
    assert bench.text("Edit Script", script_name="new.py", content="y = 1", save_name="new.py").endswith("+y = 1")


def test_undo_goes_back_any_number_of_edits_within_a_second(bench: Bench) -> None:
    for n in range(1, 6):
        bench.act("Edit Script", script_name="sub/train.py", content=f"x = {n}\n", save_name="sub/train.py")
    for n in range(4, -1, -1):
        assert undo(bench) == f"Content of sub/train.py after undo the most recent edit:\nx = {n}\n"
        assert (bench.root / "sub/train.py").read_text() == f"x = {n}\n"
    assert undo(bench) == NOTHING


def test_undo_is_by_file_and_by_whatever_action_changed_it(bench: Bench) -> None:
    bench.act("Write File", file_name="sub/train.py", content="x = 1\n")
    bench.act("Append File", file_name="/workspace/sub/train.py", content="x = 2\n")
    bench.act("Copy File", source="sub/train.py", destination="other.py")
    assert undo(bench, "./sub/train.py").endswith("edit:\nx = 1\n")
    assert undo(bench, "other.py") == "other.py did not exist before the most recent edit; it is deleted."
    assert not (bench.root / "other.py").exists()
    assert undo(bench).endswith("edit:\nx = 0\n")
    assert undo(bench) == NOTHING


def test_a_change_that_failed_is_not_undone(bench: Bench) -> None:
    assert bench.outcome("Copy File", source="nope", destination="sub/train.py") is Outcome.FAILED
    assert bench.outcome("Write File", file_name="sub", content="") is Outcome.FAILED
    assert undo(bench) == NOTHING
    assert undo(bench, "sub") == NOTHING


def test_the_history_survives_a_resume(bench: Bench, tmp_path: Path) -> None:
    bench.act("Write File", file_name="sub/train.py", content="x = 1\n")
    bench.act("Write File", file_name="new.py", content="")
    state = bench.environment.state()
    resumed = make_bench(tmp_path)
    resumed.environment.restore(state)
    assert undo(resumed).endswith("edit:\nx = 0\n")
    assert "deleted" in undo(resumed, "new.py")
    assert undo(resumed) == NOTHING


def test_undo_of_a_file_a_script_has_deleted_brings_it_back(bench: Bench) -> None:
    bench.act("Write File", file_name="sub/train.py", content="x = 1\n")
    (bench.root / "sub/train.py").unlink()
    (bench.root / "sub").rmdir()
    assert undo(bench).endswith("x = 0\n")


def test_a_huge_edit_is_saved_without_a_diff(bench: Bench) -> None:
    content = "x = 0\n" * 30_000
    text = bench.text("Edit Script", script_name="sub/train.py", content=content, save_name="sub/train.py")
    assert "no diff is shown of files this long: 1 lines before, 30,000 after" in text
    assert (bench.root / "sub/train.py").read_text() == content
