"""What is told of a store that this machine cannot use."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from fsspec.registry import _registry as loaded

from environment.errors import UnknownStoreError
from environment.store import Store
from environment.store.faults import translated


@pytest.mark.parametrize("place", ["/proc/1/x", "{folder}/file/below", "{folder}/file"])
def test_a_store_that_cannot_be_made_is_told_as_such_with_its_setting(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    url = place.format(folder=tmp_path)
    with pytest.raises(UnknownStoreError, match=f"the store {url} cannot be written") as caught:
        Store(url).create("runs/x/lease", b"x")
    assert "MLAB_STORE" in caught.value.hint


def test_a_read_only_disk_is_no_permission() -> None:
    with (
        pytest.raises(UnknownStoreError, match="No permission to delete x: Read-only") as caught,
        translated("x", "delete"),
    ):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))
    assert "MLAB_STORE" in caught.value.hint


def test_a_client_library_that_is_not_installed_is_named_as_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(loaded, "s3", raising=False)  # which another test may have loaded
    with pytest.raises(UnknownStoreError, match="s3fs") as caught:
        Store("s3://bucket/x")
    assert "pip install" in caught.value.hint


def test_a_file_system_whose_library_is_not_ours_to_install_is_named() -> None:
    with pytest.raises(UnknownStoreError, match="install gcsfs") as caught:
        Store("gs://bucket/x")
    assert "Install that library" in caught.value.hint


@pytest.mark.parametrize("url", ["s3://", "s3:///"])
def test_a_url_without_a_bucket_is_no_empty_store(url: str) -> None:
    with pytest.raises(UnknownStoreError, match=f"{url} names no bucket"):
        Store(url)


def test_a_store_that_does_not_know_who_asks_names_the_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UnknownStoreError, match="Unable to locate credentials") as caught:
        Store("s3://bucket/x").children("runs/")
    assert caught.value.hint.startswith("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
