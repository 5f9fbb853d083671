from __future__ import annotations

import errno
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from environment.errors import CorruptObjectError, NotInStoreError, StoreError
from environment.store import CHUNK, Store, object_key
from foundation.records import Record


class Note(Record):
    text: str
    value: float | None = None


@pytest.fixture(params=["path", "file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    urls = {"path": str(tmp_path / "store"), "file": f"file://{tmp_path}/store", "memory": f"memory://{uuid4().hex}"}
    return Store(urls[request.param])


def test_objects_lie_under_their_keys(store: Store) -> None:
    store.put("runs/a/one.json", b"1")
    store.put("runs/a/one.json", b"2")
    store.put("runs/b/deep/two.json", b"3")
    assert store.get("runs/a/one.json") == b"2"
    assert store.exists("runs/a/one.json")
    assert not store.exists("runs/a")
    assert store.list("runs/") == ["runs/a/one.json", "runs/b/deep/two.json"]
    assert store.children("runs/") == ["a", "b"]
    store.delete("runs/b/")
    store.delete("runs/never-there/")
    assert store.list("runs/") == ["runs/a/one.json"]


def test_an_absent_object_is_named(store: Store) -> None:
    with pytest.raises(NotInStoreError, match="runs/none"):
        store.get("runs/none")
    assert store.list("runs/") == []
    assert store.children("runs/") == []
    assert not store.exists("runs/none")


def test_of_many_creators_one_succeeds(store: Store) -> None:
    won: list[int] = []
    start = threading.Barrier(8)

    def create(number: int) -> None:
        start.wait()
        if store.create("lock", str(number).encode()):
            won.append(number)

    threads = [threading.Thread(target=create, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert store.get("lock") == str(won[0]).encode()


def test_content_is_stored_once_under_its_digest(store: Store, tmp_path: Path) -> None:
    digest = store.put_object(b"content")
    file = tmp_path / "copy"
    file.write_bytes(b"content")
    assert store.put_object(file) == digest
    assert store.list("objects/") == [object_key(digest)]
    assert store.get_object(digest) == b"content"
    store.fetch_object(digest, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"content"


def test_large_files_are_streamed(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(os.urandom(CHUNK) + b"tail")
    digest = store.put_object(file)
    store.fetch_object(digest, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == file.read_bytes()


def test_existing_content_is_not_written_again(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    path = tmp_path / object_key(store.put_object(b"content"))
    before = path.stat()
    store.put_object(b"content")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_torn_content_is_noticed_and_mended_by_the_next_put(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    digest = store.put_object(b"content")
    (tmp_path / object_key(digest)).write_bytes(b"con")
    with pytest.raises(CorruptObjectError):
        store.get_object(digest)
    with pytest.raises(CorruptObjectError):
        store.fetch_object(digest, tmp_path / "out")
    store.put_object(b"content")
    assert store.get_object(digest) == b"content"


class LaterNote(Note):
    author: str = "me"


def test_a_record_of_another_version_is_told_as_that(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.put_record("note.json", LaterNote(text="t"))
    with pytest.raises(CorruptObjectError) as caught:
        store.get_record("note.json", Note)
    assert caught.value.message == "note.json is whole, but of another version of mlab (author: is not known here)"


@settings(deadline=None)
@given(text=st.text(), value=st.none() | st.floats(allow_nan=False))
def test_records_round_trip(text: str, value: float | None) -> None:
    store = Store("memory://records")
    note = Note(text=text, value=value)
    store.put_record("note.json", note)
    assert store.get_record("note.json", Note) == note


def test_a_loss_that_is_not_a_number_is_kept(store: Store) -> None:
    store.put_record("note.json", Note(text="loss", value=float("nan")))
    value = store.get_record("note.json", Note).value
    assert value is not None
    assert value != value


def test_records_stay_plain_json(store: Store) -> None:
    store.put_record("note.json", Note(text="x", value=1.5))
    assert re.fullmatch(rb'\{"text":"x","value":1\.5,"checksum":"sha256:[0-9a-f]{64}"\}', store.get("note.json"))


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda data: b"",
    lambda data: data[:-1],
    lambda data: data[: len(data) // 2],
    lambda data: bytes(len(data)),
    lambda data: data.replace(b"kept", b"bent"),
    lambda data: b'{"text":"kept"}',
    lambda data: data + data,
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_records_are_noticed(store: Store, damage: Callable[[bytes], bytes]) -> None:
    store.put_record("note.json", Note(text="kept"))
    store.put("note.json", damage(store.get("note.json")))
    with pytest.raises(CorruptObjectError, match=r"note\.json"):
        store.get_record("note.json", Note)


@pytest.mark.parametrize("key", ["", "/etc/passwd", "../x", "a/../../x", "a/.hidden", "nul\0"])
def test_keys_cannot_leave_the_store(store: Store, key: str) -> None:
    with pytest.raises(StoreError, match="is not a key"):
        store.put(key, b"")


@pytest.mark.parametrize("odd", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_neither_waited_for_nor_read_without_end(
    odd: Callable[[Path], None], tmp_path: Path
) -> None:
    store = Store(str(tmp_path))
    odd(tmp_path / "odd")
    content = object_key(store.put_object(b"content"))
    (tmp_path / content).unlink()
    odd(tmp_path / content)
    for read in (store.get, lambda key: store.get_record(key, Note)):
        with pytest.raises(CorruptObjectError, match="is not a file"):
            read("odd")
    with pytest.raises(CorruptObjectError, match="is not a file"):
        store.fetch_object(Path(content).name, tmp_path / "copy")


def test_unknown_protocols_are_explained() -> None:
    with pytest.raises(StoreError, match="s3://bucket"):
        Store("nowhere://bucket")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path))

    def full(handle: int) -> None:
        with Path("/dev/full").open("wb", buffering=0) as device:
            device.write(b"x")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left") as caught:
        store.put("runs/x", b"x")
    assert "nothing committed is lost" in caught.value.hint
    assert "mlab resume" not in caught.value.hint, "an import has no run to go on with"
    assert list((tmp_path / "runs").iterdir()) == []


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what is brought onto the disk, as it happens."""
    names, fsync = list[str](), os.fsync

    def record(handle: int) -> None:
        names.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", record)
    return names


def test_what_is_put_together_is_there_at_once_and_on_the_disk_in_the_end(tmp_path: Path, synced: list[str]) -> None:
    store = Store(str(tmp_path))
    with store.together():
        store.put("runs/one", b"1")
        store.put("runs/two", b"2")
        assert store.get("runs/one") == b"1"
        elsewhere = threading.Thread(target=store.put, args=("lease/1", b"3"))
        elsewhere.start()
        elsewhere.join()
        assert [name for name in synced if name in ("one", "two", "runs")] == []
        assert len(synced) == 2, "what another thread puts is on the disk at once, content and name"
    assert sorted(synced[2:]) == ["one", "runs", "two"]
    store.put("runs/three", b"3")
    assert len(synced) == 7


def test_a_disk_that_proves_full_in_the_end_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"), Store(str(tmp_path)).together():
        Store(str(tmp_path)).put("runs/x", b"x")


def test_a_store_without_permission_is_explained(tmp_path: Path) -> None:
    code = f"""
import os
from environment.store.objects import Store
from environment.errors import StoreError
if os.getuid() == 0: os.setuid(65534)
try:
    Store({str(tmp_path / "closed")!r}).put("key", b"x")
except StoreError as error:
    print(error)
"""
    (tmp_path / "closed").mkdir(mode=0o500)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "No permission" in done.stdout, done.stderr


def test_a_store_travels_to_other_processes(store: Store) -> None:
    assert pickle.loads(pickle.dumps(store)).url == store.url


def test_kill_during_put_leaves_whole_objects_only(tmp_path: Path) -> None:
    code = f"""
import itertools, os
from environment.store.objects import Store
store = Store({str(tmp_path)!r})
print("ready", flush=True)
for number in itertools.count():
    store.put("state", str(number % 10).encode() * 1_000_000)
    store.put_object(os.urandom(500_000))
"""
    for pause in (0.0, 0.013, 0.04, 0.09):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        store = Store(str(tmp_path))
        if store.exists("state"):
            state = store.get("state")
            assert len(state) == 1_000_000
            assert len(set(state)) == 1
        for key in store.list("objects/"):
            store.get_object(key.rpartition("/")[2])
