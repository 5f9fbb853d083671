from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tasks_catalog.library.data.digest import content_digest, file_digest


def packed(folder: Path, stamp: tuple[int, int, int, int, int, int]) -> Path:
    folder.mkdir()
    with zipfile.ZipFile(folder / "arrays.npz", "w") as archive:
        archive.writestr(zipfile.ZipInfo("x.npy", stamp), b"content")
    (folder / "lines.txt.gz").write_bytes(gzip.compress(b"content", mtime=stamp[0]))
    return folder


def test_time_stamps_of_archives_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    one = packed(tmp_path / "1" / "public", (2001, 1, 1, 0, 0, 0))
    (tmp_path / "2").mkdir()
    two = packed(tmp_path / "2" / "public", (2020, 1, 1, 0, 0, 0))
    assert (one / "arrays.npz").read_bytes() != (two / "arrays.npz").read_bytes()
    assert content_digest(one) == content_digest(two)


@pytest.mark.parametrize(
    ("name", "one", "same", "other"),
    [
        ("t.csv", 'a,b\r\n1,"x"\r\n', "a,b\n1,x\n", "a,b\n1,y\n"),
        ("t.json", json.dumps({"a": 1, "b": 2}), json.dumps({"b": 2, "a": 1}, indent=2), json.dumps({"a": 1})),
    ],
)
def test_values_count_and_not_their_writing(tmp_path: Path, name: str, one: str, same: str, other: str) -> None:
    def digest(text: str) -> str:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return file_digest(path)

    assert digest(one) == digest(same) != digest(other)


def test_a_moved_file_and_a_changed_array_count(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.arange(3))
    first = content_digest(tmp_path)
    np.savez(tmp_path / "a.npz", x=np.arange(4))
    second = content_digest(tmp_path)
    (tmp_path / "a.npz").rename(tmp_path / "b.npz")
    assert len({first, second, content_digest(tmp_path)}) == 3
