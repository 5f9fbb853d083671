from __future__ import annotations

from pathlib import Path

import pytest

from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.report.changes import LARGEST_TEXT, MOST_FILES, changes_between, changes_to_starter


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "workspace/deep/er").mkdir(parents=True)
    (tmp_path / "workspace/train.py").write_text("a = 1\nb = 2\n")
    (tmp_path / "workspace/deep/er/same.txt").write_text("same\n")
    return tmp_path / "workspace"


def test_added_changed_removed(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    (root / "old.txt").write_text("old\n")
    before = snapshots.take(root)
    (root / "train.py").write_text("a = 1\nb = 3\n")
    (root / "deep/new.py").write_text("new = True\n")
    (root / "old.txt").unlink()
    changes = changes_between(store, before, snapshots.take(root))
    assert [(change.path, change.kind) for change in changes] == [
        ("deep/new.py", "added"),
        ("old.txt", "removed"),
        ("train.py", "changed"),
    ]
    assert changes[2].diff.splitlines()[2:] == ["@@ -1,2 +1,2 @@", " a = 1", "-b = 2", "+b = 3"]


def test_nothing_changed(store: Store, root: Path) -> None:
    digest = Snapshots(store).take(root)
    assert changes_between(store, digest, digest) == ()


def test_a_mode_is_no_change_of_content(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    before = snapshots.take(root)
    (root / "train.py").chmod(0o755)
    assert changes_between(store, before, snapshots.take(root)) == ()


def test_what_is_no_short_text_is_named_without_a_diff(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    before = snapshots.take(root)
    (root / "model.bin").write_bytes(b"\0\1\2")
    (root / "large.csv").write_text("1\n" * LARGEST_TEXT)
    assert [(change.path, change.diff) for change in changes_between(store, before, snapshots.take(root))] == [
        ("large.csv", ""),
        ("model.bin", ""),
    ]


def test_a_flood_of_files_is_bounded(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    before = snapshots.take(root)
    for n in range(3 * MOST_FILES):
        (root / f"file-{n}.txt").write_text("x\n")
    assert len(changes_between(store, before, snapshots.take(root))) == MOST_FILES


def test_the_first_step_against_the_starter(store: Store, root: Path, tmp_path: Path) -> None:
    starter = tmp_path / "starter"
    starter.mkdir()
    (starter / "train.py").write_text("a = 1\nb = 1\n")
    changes = changes_to_starter(store, starter, Snapshots(store).take(root))
    assert [(change.path, change.kind) for change in changes] == [
        ("deep/er/same.txt", "added"),
        ("train.py", "changed"),
    ]


def test_an_imported_log_kept_no_files(store: Store, root: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert changes_to_starter(store, root, Snapshots(store).take(tmp_path / "empty")) == ()
