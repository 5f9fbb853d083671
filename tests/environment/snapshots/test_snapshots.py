# Names here are any bytes, which a Path is not made for:
# ruff: noqa: PTH101, PTH103, PTH115, PTH118, PTH123, PTH211
from __future__ import annotations

import os
import random
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from environment.errors import CorruptObjectError, SnapshotError
from environment.snapshots.statcache import let_settle
from environment.snapshots.trees import Snapshots
from environment.store import Store, object_key

Tree = dict[bytes, Any]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def state(root: Path) -> dict[bytes, tuple[str, int, bytes]]:
    """Everything a snapshot must keep, read independently of it."""
    found: dict[bytes, tuple[str, int, bytes]] = {}
    for folder, folders, files in os.walk(os.fsencode(root)):
        for name in folders + files:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            relative, mode = os.path.relpath(path, os.fsencode(root)), stat.S_IMODE(status.st_mode)
            if stat.S_ISLNK(status.st_mode):
                found[relative] = ("link", 0, os.readlink(path))
            elif stat.S_ISDIR(status.st_mode):
                found[relative] = ("folder", mode, b"")
            else:
                with open(path, "rb") as file:
                    found[relative] = ("file", mode, file.read())
    return found


def objects(store: Store) -> int:
    return len(store.list("objects/"))


NAMES = (
    st.binary(min_size=1, max_size=8)
    .filter(lambda name: b"/" not in name and b"\0" not in name)
    .filter(lambda name: name not in (b".", b".."))
)
FILES = st.tuples(st.binary(max_size=50), st.sampled_from([0o644, 0o755, 0o600, 0o400]))
LINKS = st.binary(min_size=1, max_size=20).filter(lambda target: b"\0" not in target)
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.dictionaries(NAMES, FILES | LINKS, max_size=5),
    lambda below: st.dictionaries(NAMES, FILES | LINKS | below, max_size=5),
    max_leaves=12,
)


def build(folder: bytes, tree: Tree) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, what in tree.items():
        path = os.path.join(folder, name)
        if isinstance(what, dict):
            build(path, what)
        elif isinstance(what, bytes):
            os.symlink(what, path)
        else:
            with open(path, "wb") as file:
                file.write(what[0])
            os.chmod(path, what[1])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(first=TREES, second=TREES)
def test_any_folder_comes_back_as_it_was(tmp_path: Path, first: Tree, second: Tree) -> None:
    place = tmp_path / uuid4().hex
    store, root, other = Store(str(place / "store")), place / "root", place / "other"
    snapshots = Snapshots(store)
    build(os.fsencode(root), first)
    before, digest = state(root), snapshots.take(root)
    build(os.fsencode(other), second)
    after, other_digest = state(other), snapshots.take(other)

    snapshots.restore(digest, other)
    assert state(other) == before
    assert snapshots.take(other) == digest
    Snapshots(store).restore(other_digest, root)
    assert state(root) == after
    assert Snapshots(store).take(root) == other_digest
    assert (digest == other_digest) == (before == after)


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
    here = os.open(root, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    snapshots.take(root)
    assert [omitted.reason for omitted in snapshots.omitted] == ["nested too deep"]
    snapshots.restore(empty, root)
    assert list(root.iterdir()) == []


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


def test_what_is_torn_or_missing_is_noticed(store: Store, root: Path) -> None:
    (root / "folder").mkdir()
    (root / "folder" / "file").write_text("content")
    snapshots = Snapshots(store)
    digest = snapshots.take(root)
    assert snapshots.is_whole(digest)
    for key in store.list("objects/"):
        content = store.get(key)
        store.put(key, content[:-1])
        assert not snapshots.is_whole(digest)
        store.delete(key)
        assert not snapshots.is_whole(digest)
        store.put(key, content)
    store.put(object_key(store.put_object(b"content")), b"confent")
    (root / "folder" / "file").unlink()
    with pytest.raises(CorruptObjectError):
        snapshots.restore(digest, root)


def test_a_missing_folder_is_an_error(store: Store, root: Path) -> None:
    with pytest.raises(SnapshotError, match="nowhere"):
        Snapshots(store).take(root / "nowhere")


def test_an_owner_without_access_loses_nothing(tmp_path: Path) -> None:
    """As an ordinary user: modes that take the owner's own access away."""
    code = """
import os, pathlib, sys
from environment.snapshots.trees import Snapshots
from environment.store.objects import Store
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
place = pathlib.Path(sys.argv[1])
root = place / "root"
(root / "closed" / "below").mkdir(parents=True)
(root / "closed" / "below" / "file").write_text("secret")
(root / "blind").write_text("unreadable")
(root / "shown").mkdir(); (root / "shown" / "x").write_text("x")
(root / "blind").chmod(0); (root / "closed" / "below").chmod(0o100); (root / "closed").chmod(0)
(root / "shown").chmod(0o400)
snapshots = Snapshots(Store(str(place / "store")))
digest = snapshots.take(root)
assert snapshots.omitted == (), snapshots.omitted
mode = lambda path: path.lstat().st_mode & 0o777
assert (mode(root / "blind"), mode(root / "closed"), mode(root / "shown")) == (0, 0, 0o400)
assert snapshots.take(root) == digest
other = place / "other"
snapshots.restore(digest, other)
assert (mode(other / "blind"), mode(other / "closed"), mode(other / "shown")) == (0, 0, 0o400)
assert Snapshots(Store(str(place / "store"))).take(other) == digest
snapshots.restore(snapshots.take(place / "nothing") if (place / "nothing").mkdir() is None else "", other)
assert list(other.iterdir()) == []
(other / "blind").write_text("x"); (other / "blind").chmod(0)
snapshots.restore(digest, other)
(other / "blind").chmod(0o600); (other / "closed").chmod(0o700); (other / "closed" / "below").chmod(0o700)
assert (other / "blind").read_text() == "unreadable"
assert (other / "closed" / "below" / "file").read_text() == "secret"
print("ok")
"""
    place = tmp_path / "owned"
    place.mkdir()
    if os.getuid() == 0:
        os.chown(place, 65534, 65534)
        for above in place.parents:
            if above.stat().st_uid == 0 and above != Path("/"):
                above.chmod(above.stat().st_mode | 0o011)
    done = subprocess.run([sys.executable, "-c", code, str(place)], capture_output=True, text=True)
    assert done.stdout == "ok\n", done.stderr


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_kill_during_take_or_restore_harms_nothing(tmp_path: Path, pause: float) -> None:
    place = tmp_path
    root = place / "root"
    root.mkdir()
    chance = random.Random(pause)
    for number in range(200):
        (root / f"folder {number % 7}").mkdir(exist_ok=True)
        (root / f"folder {number % 7}" / str(number)).write_bytes(chance.randbytes(2_000))
    store = Store(str(place / "store"))
    first = Snapshots(store).take(root)
    expected = state(root)
    code = """
import pathlib, random, sys
from environment.snapshots.trees import Snapshots
from environment.store.objects import Store
root, snapshots = pathlib.Path(sys.argv[1]), Snapshots(Store(sys.argv[2]))
print("ready", flush=True)
while True:
    for path in list(root.rglob("*")):
        if path.is_file(): path.write_bytes(random.randbytes(3_000))
    snapshots.take(root)
    snapshots.restore(sys.argv[3], root)
"""
    command = [sys.executable, "-c", code, str(root), str(place / "store"), first]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    snapshots = Snapshots(store)
    assert snapshots.is_whole(first)
    snapshots.restore(first, root)
    assert state(root) == expected
    assert snapshots.take(root) == first
