# Names here are any bytes, which a Path is not made for:
# ruff: noqa: PTH101, PTH103, PTH118, PTH123, PTH211
from __future__ import annotations

import os
import random
import signal
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
from environment.snapshots.trees import Snapshots
from environment.store import Store, object_key
from tests.environment.snapshots.folders import state

Tree = dict[bytes, Any]


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
