"""The store, the journal and snapshots against a real S3 API."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from environment.errors import CorruptObjectError, NotInStoreError, StoreError, UnknownStoreError
from environment.journal.entries import Journal
from environment.journal.lease import RunLease, holder
from environment.journal.runs import list_runs
from environment.snapshots.trees import Snapshots
from environment.store import CHUNK, RunKeys, Store, object_key
from tests.environment.journal.test_journal import run_of, take_step
from tests.environment.s3 import BUCKET, s3_server


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with s3_server() as variables:
        yield variables


@pytest.fixture
def store(server: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Store:
    for name, value in server.items():
        monkeypatch.setenv(name, value)
    return Store(f"s3://{BUCKET}/{uuid4().hex}")


def test_objects_and_listings(store: Store, tmp_path: Path) -> None:
    store.put("runs/a/one", b"1")
    store.put("runs/b/two", b"2")
    assert store.list("runs/") == ["runs/a/one", "runs/b/two"]
    assert store.children("runs/") == ["a", "b"]
    assert store.children("nothing/") == []
    assert store.exists("runs/a/one")
    assert not store.exists("runs/a")
    with pytest.raises(NotInStoreError):
        store.get("runs/c")
    store.delete("runs/a/")
    store.delete("runs/a/")
    assert store.children("runs/") == ["b"]

    large = tmp_path / "large"
    large.write_bytes(b"x" * (2 * CHUNK + 5))
    digest = store.put_object(large)
    assert store.put_object(large) == digest
    store.fetch_object(digest, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == large.read_bytes()
    store.put(object_key(digest), b"torn")
    with pytest.raises(CorruptObjectError):
        store.fetch_object(digest, tmp_path / "out")


def test_one_of_many_creators_succeeds(store: Store) -> None:
    won = []
    threads = [
        threading.Thread(target=lambda n=n: won.append(n) if store.create("lock", b"%d" % n) else None)
        for n in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert store.get("lock") == b"%d" % won[0]


def test_a_bucket_that_is_not_there_is_explained(store: Store) -> None:
    with pytest.raises(UnknownStoreError, match="no-such-bucket/x/key cannot be written"):
        Store("s3://no-such-bucket/x").put("key", b"x")


def test_a_server_that_is_away_is_explained(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:9"):
        Store(f"s3://{BUCKET}/x").get("key")


def test_a_run_is_resumed_from_s3(store: Store, tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    (root / "folder").mkdir(parents=True)
    (root / "folder" / "file").write_text("content")
    (root / "link").symlink_to("nowhere")
    digest = Snapshots(store).take(root)
    with RunLease(store, "run"):
        run_of(12, store)
        assert holder(store, "run") is not None
    assert list_runs(store) == ["run"]

    elsewhere = Store(store.url)
    resumed = Journal(elsewhere, "run")
    assert len(resumed.steps()) == 12
    take_step(resumed, 12)
    store.put(RunKeys(run_id="run").committed(12), b"{")
    assert len(Journal(elsewhere, "run").steps()) == 12
    assert Snapshots(elsewhere).is_whole(digest)
    Snapshots(elsewhere).restore(digest, tmp_path / "other")
    assert (tmp_path / "other" / "folder" / "file").read_text() == "content"
    assert (tmp_path / "other" / "link").is_symlink()
    with RunLease(elsewhere, "run"):
        assert len(elsewhere.children(RunKeys(run_id="run").leases)) == 1
