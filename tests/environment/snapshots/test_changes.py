"""What has changed since the last snapshot is found, and nothing else is read or stored."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from environment.snapshots.statcache import let_settle
from environment.snapshots.trees import Snapshots
from environment.store import Store
from tests.environment.snapshots.folders import objects, state


def test_unchanged_files_are_neither_read_nor_stored(store: Store, root: Path) -> None:
    for number in range(50):
        (root / f"folder-{number % 5}").mkdir(exist_ok=True)
        (root / f"folder-{number % 5}" / f"{number}.txt").write_text(str(number))
    let_settle()
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    count = objects(store)
    opened: list[str] = []
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    opened.clear()
    assert snapshots.take(root) == digest
    assert [path for path in opened if str(root) in path] == []
    assert objects(store) == count

    (root / "folder-3" / "3.txt").write_text("changed")
    assert snapshots.take(root) != digest
    assert objects(store) == count + 3  # the file, its folder's listing, the root's


def test_one_change_among_many_files_costs_little(store: Store, root: Path) -> None:
    for number in range(3_000):
        (root / f"{number}.txt").write_text("same")
    snapshots = Snapshots(store)
    snapshots.take(root)

    def size() -> int:
        return sum(store.size(key) or 0 for key in store.list("objects/"))

    before = size()
    (root / "7.txt").write_text("changed")
    digest = snapshots.take(root)
    assert size() - before < 20_000
    expected = state(root)
    (root / "8.txt").unlink()
    snapshots.restore(digest, root)
    assert state(root) == expected


def test_content_is_shared_by_all_folders_and_runs(store: Store, root: Path, tmp_path: Path) -> None:
    (root / "a").write_bytes(b"x" * 10_000)
    (root / "b").write_bytes(b"x" * 10_000)
    Snapshots(store).take(root)
    assert objects(store) == 2
    other = tmp_path / "other"
    other.mkdir()
    (other / "c").write_bytes(b"x" * 10_000)
    Snapshots(store).take(other)
    assert objects(store) == 3


def test_a_change_within_one_tick_of_the_clock_is_seen(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    file = root / "file"
    for number in range(40):
        file.write_text(f"{number:04d}")
        digest = snapshots.take(root)
        status = file.stat()
        with file.open("r+") as opened:
            opened.write(f"{number + 5000:04d}")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert snapshots.take(root) != digest


def test_a_change_right_after_a_restore_is_seen(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    (root / "file").write_text("old!")
    digest = snapshots.take(root)
    for _ in range(20):
        (root / "file").write_text("new!")
        snapshots.restore(digest, root)
        (root / "file").write_text("mine")
        assert snapshots.take(root) != digest


def test_restored_files_need_not_be_read_again(store: Store, root: Path) -> None:
    for number in range(20):
        (root / str(number)).write_text(str(number))
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    for path in root.iterdir():
        path.write_text("gone")
    fresh = Snapshots(store)
    fresh.restore(digest, root)
    opened: list[str] = []
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    opened.clear()
    assert fresh.take(root) == digest
    assert [path for path in opened if str(root) in path] == []


def test_a_restore_leaves_alone_what_agrees(store: Store, root: Path) -> None:
    (root / "kept").write_text("same")
    (root / "lost").write_text("same")
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    inode = (root / "kept").stat().st_ino
    (root / "lost").unlink()
    (root / "extra").mkdir()
    (root / "extra" / "file").write_text("x")
    Snapshots(store).restore(digest, root)
    assert sorted(path.name for path in root.iterdir()) == ["kept", "lost"]
    assert (root / "kept").stat().st_ino == inode


def test_a_change_of_kind_is_followed(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    empty = snapshots.take(root)
    digests, states = [], []

    def file(thing: Path) -> None:
        thing.write_text("x")

    def folder(thing: Path) -> None:
        thing.mkdir()
        (thing / "in").write_text("y")

    def link(thing: Path) -> None:
        thing.symlink_to("nowhere")

    for make in (file, folder, link, file):
        snapshots.restore(empty, root)
        make(root / "thing")
        digests.append(snapshots.take(root))
        states.append(state(root))
    assert digests[0] == digests[3]
    for digest, expected in zip(digests, states, strict=True):
        snapshots.restore(digest, root)
        assert state(root) == expected
