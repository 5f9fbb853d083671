"""A full disk is told as that, whichever library meets it."""

from __future__ import annotations

import errno
import resource
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from foundation.disk import FullDiskError, free_bytes, is_full, meaning_full, telling_full
from foundation.sizes import KiB, MiB
from tests.small_disk import small_disk_at


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path / "disk", "1m") as disk:
        yield disk


def _save_array(disk: Path) -> None:
    np.save(disk / "array.npy", np.zeros(2 * MiB, dtype=np.uint8))


def _write(disk: Path) -> None:
    (disk / "bytes").write_bytes(bytes(2 * MiB))


def _copy(disk: Path) -> None:
    source = disk.parent / "source"
    source.mkdir()
    (source / "bytes").write_bytes(bytes(2 * MiB))
    shutil.copytree(source, disk / "copy")


@pytest.mark.parametrize("fill", [_save_array, _write, _copy])
def test_whatever_fills_a_disk_says_so(small_disk: Path, fill: Callable[[Path], None]) -> None:
    assert not is_full(small_disk)
    with pytest.raises(FullDiskError, match=f"No space left on {small_disk}"), telling_full(small_disk):
        fill(small_disk)
    assert is_full(small_disk)
    assert free_bytes(small_disk / "not" / "there" / "yet") < 256 * KiB


@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "no"), OSError("other"), ValueError("2 requested")])
def test_other_errors_stay_what_they_are(error: Exception, tmp_path: Path) -> None:
    assert meaning_full(error) is None
    with pytest.raises(type(error)) as raised, telling_full(tmp_path):
        raise error
    assert raised.value is error


@pytest.mark.parametrize("fill", [_save_array, _write])
def test_a_limit_on_the_size_of_files_is_no_full_disk(tmp_path: Path, fill: Callable[[Path], None]) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 * KiB, before[1]))
    try:
        with pytest.raises(FullDiskError, match="the limit on the size of files"), telling_full(tmp_path):
            fill(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
