"""Links, devices, excluded and unreachable paths: none is followed, none is lost without a word."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from environment.snapshots.statcache import let_settle
from environment.snapshots.trees import Snapshots
from environment.store import Store
from tests.environment.nested import nest


def test_excluded_paths_are_neither_saved_nor_touched(store: Store, root: Path) -> None:
    for path in ("data/big", "deep/er/mount/big", "deep/file", "mine"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    exclude = {"data": 1, "deep/er/mount": 1}
    snapshots = Snapshots(store)
    digest = snapshots.take(root, exclude=exclude)
    (root / "data" / "big").write_text("other")
    assert snapshots.take(root, exclude=exclude) == digest

    (root / "deep" / "file").unlink()
    snapshots.restore(digest, root, exclude=exclude)
    assert (root / "data" / "big").read_text() == "other"
    assert (root / "deep" / "file").read_text() == "deep/file"

    (root / "empty").mkdir()
    empty = Snapshots(store).take(root / "empty")
    snapshots.restore(empty, root, exclude=exclude)
    assert (root / "data" / "big").exists()
    assert (root / "deep" / "er" / "mount" / "big").exists()
    assert not (root / "mine").exists()


def test_links_are_never_followed(store: Store, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("precious")
    snapshots = Snapshots(store)
    (root / "folder").mkdir()
    (root / "folder" / "file").write_text("mine")
    (root / "file").write_text("mine")
    digest = snapshots.take(root)
    (root / "folder" / "file").unlink()
    (root / "folder").rmdir()
    (root / "folder").symlink_to(outside)
    (root / "file").unlink()
    (root / "file").symlink_to(outside / "file")
    (root / "extra").symlink_to(outside)
    snapshots.restore(digest, root)
    assert (outside / "file").read_text() == "precious"
    assert (root / "folder" / "file").read_text() == "mine"
    assert not (root / "folder").is_symlink()
    assert not (root / "extra").is_symlink()


def test_hard_links_become_files_of_their_own(store: Store, root: Path) -> None:
    (root / "a").write_text("both")
    os.link(root / "a", root / "b")
    let_settle()
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    snapshots.restore(digest, root)
    (root / "a").write_text("only a")
    assert (root / "b").read_text() == "both"


def test_a_shared_inode_keeps_its_content(store: Store, root: Path, tmp_path: Path) -> None:
    (root / "a").write_text("old")
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    (root / "a").write_text("new")
    os.link(root / "a", tmp_path / "elsewhere")
    snapshots.restore(digest, root)
    assert (tmp_path / "elsewhere").read_text() == "new"


def test_special_files_are_reported(store: Store, root: Path) -> None:
    (root / "file").write_text("x")
    os.mkfifo(root / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.relpath(root / "sock"))
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    listener.close()
    assert {omitted.path for omitted in snapshots.omitted} == {"pipe", "sock"}
    Snapshots(store).restore(digest, root)
    assert [path.name for path in root.iterdir()] == ["file"]
    assert snapshots.take(root) == digest


def test_folders_nested_out_of_reach_are_left_out_and_removed(store: Store, root: Path) -> None:
    snapshots = Snapshots(store)
    empty = snapshots.take(root)
    nest(root)
    snapshots.take(root)
    assert [omitted.reason for omitted in snapshots.omitted] == ["nested too deep"]
    snapshots.restore(empty, root)
    assert list(root.iterdir()) == []
