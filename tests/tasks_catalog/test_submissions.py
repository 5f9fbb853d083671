from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.submissions import (
    number,
    number_between,
    one_of,
    probabilities,
    read_array,
    read_arrays,
    read_predictions,
)

IDS = ["7", "8", "9"]


def read(path: Path, **changes: Any) -> dict[str, list[Any]]:
    return read_predictions(path, **({"id_column": "Id", "ids": IDS, "columns": {"y": number}} | changes))


def test_rows_are_matched_by_id_whatever_their_order(tmp_path: Path) -> None:
    path = tmp_path / "submission.csv"
    path.write_text("y,Id\n3,9\n1,7\n 2 ,8\n", encoding="utf-8")
    assert read(path) == {"y": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("Id,y\n7,1\n8,2\n", r"lacks 1 of the 3 rows .*Id 9"),
        ("Id,y\n7,1\n8,2\n8,3\n9,1\n", "'8' is there twice"),
        ("Id,y\n7,1\n8,2\n9,3\n10,1\n", "line 5: '10' is not an Id of the test set"),
        ("Id,price\n7,1\n8,2\n9,3\n", "has the columns Id, price; expected Id, y"),
        ("Id,y,z\n7,1,1\n", "has the columns Id, y, z"),
        ("Id,y\n7,1,5\n", "line 2: 3 cells, expected 2"),
        ("Id,y\n7,NaN\n", "line 2, column y: the value is NaN"),
        ("Id,y\n7,-inf\n", "the value is infinite"),
        ("Id,y\n7,\n", "the value is missing"),
        ("Id,y\n7,cheap\n", "'cheap' is not a number"),
        ('Id,y\n7,"1\n', "is not a CSV file"),
    ],
)
def test_each_fault_has_its_own_message(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "submission.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidSubmissionError, match=message):
        read(path)


def a_link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def a_huge_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


def a_zip_bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("submission.csv", b"\xff" * (64 << 20))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "is missing"),
        (a_link, "is a symbolic link"),
        (Path.mkdir, "is not a regular file"),
        (os.mkfifo, "is not a regular file"),
        (a_huge_file, "1,024.0 MiB; at most 64 MiB"),
        (a_zip_bomb, "is not UTF-8 text|is not a CSV file|has the columns"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, make: Callable[[Path], None], message: str) -> None:
    make(tmp_path / "submission.csv")
    with pytest.raises(InvalidSubmissionError, match=message):
        read(tmp_path / "submission.csv")


def test_readers_of_cells() -> None:
    assert number_between(0, 1)("0.5") == 0.5
    with pytest.raises(ValueError, match=r"1\.5 is not between 0 and 1"):
        number_between(0, 1)("1.5")
    assert one_of("True", "False")("True") == "True"
    with pytest.raises(ValueError, match="'yes' is none of True, False"):
        one_of("True", "False")("yes")


def test_probabilities_must_be_probabilities() -> None:
    assert probabilities([[0.25, 1.0], [0.75, 0.0]], ids=["a", "b"], file="s.csv").tolist() == [[0.25, 0.75], [1, 0]]
    with pytest.raises(InvalidSubmissionError, match="row b has a negative probability"):
        probabilities([[0.5, -0.5], [0.5, 1.5]], ids=["a", "b"], file="s.csv")
    with pytest.raises(InvalidSubmissionError, match=r"row a sum to 0\.8"):
        probabilities([[0.4], [0.4]], ids=["a"], file="s.csv")


def test_arrays_are_checked_by_their_header(tmp_path: Path) -> None:
    path = tmp_path / "output.npy"
    np.save(path, np.ones((2, 3)))
    assert read_array(path, shape=(2, 3), dtype=np.float64).sum() == 6
    with pytest.raises(InvalidSubmissionError, match=r"expected float64 of shape \(1000000, 1000000\)"):
        read_array(path, shape=(10**6, 10**6), dtype=np.float64)
    np.save(path, np.array([[np.nan, 1, 1], [1, 1, 1]]))
    with pytest.raises(InvalidSubmissionError, match="NaN"):
        read_array(path, shape=(2, 3), dtype=np.float64)


@pytest.mark.parametrize("content", [b"\x80\x04pickled", b"\x93NUMPY\x01\x00", b"PK\x03\x04"])
def test_what_is_no_array_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "output.npy"
    path.write_bytes(content)
    with pytest.raises(InvalidSubmissionError, match=r"is not a \.npy file"):
        read_array(path, shape=(1,), dtype=np.float64)


def test_an_array_of_objects_is_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "output.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InvalidSubmissionError, match="holds object"):
        read_array(path, shape=(1,), dtype=np.float64)


def test_a_truncated_array_is_refused_before_it_is_allocated(tmp_path: Path) -> None:
    path = tmp_path / "output.npy"
    np.save(path, np.ones((2, 3)))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(InvalidSubmissionError, match="cannot be read"):
        read_array(path, shape=(2, 3), dtype=np.float64)


SHAPES = {"a": (2, 3), "b.weight": (1,)}


def test_several_arrays_are_read_by_name(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    arrays = {"b.weight": np.ones(1, np.float32), "a": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))}
    for save in (np.savez, np.savez_compressed):
        save(path, **arrays)  # type: ignore[arg-type]
        found = read_arrays(path, shapes=SHAPES, dtype=np.float32)
        assert {name: value.tolist() for name, value in found.items()} == {"a": [[0, 1, 2], [3, 4, 5]], "b.weight": [1]}


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": np.ones((2, 3))}, r"other arrays than expected: b\.weight"),
        ({"a": np.ones((2, 3)), "b.weight": np.ones(1), "c": np.ones(1)}, "other arrays than expected: c"),
        ({"a": np.ones((3, 2)), "b.weight": np.ones(1)}, r"a in weights.npz holds float32 of shape \(3, 2\)"),
        ({"a": np.full((2, 3), np.inf), "b.weight": np.ones(1)}, "a in weights.npz holds NaN or infinite"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, **{name: value.astype(np.float32) for name, value in arrays.items()})
    with pytest.raises(InvalidSubmissionError, match=message):
        read_arrays(path, shapes=SHAPES, dtype=np.float32)


def test_a_zip_bomb_among_arrays_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    np.savez(path, a=np.ones((2, 3), np.float32))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("b.weight.npy", "w") as file:
        np.save(file, np.ones(1, np.float32))
        file.write(bytes(64 << 20))
    with pytest.raises(InvalidSubmissionError, match=r"b\.weight in weights\.npz cannot be read"):
        read_arrays(path, shapes=SHAPES, dtype=np.float32)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InvalidSubmissionError, match=r"is not a \.npz file"):
        read_arrays(path, shapes=SHAPES, dtype=np.float32)


def test_objects_among_arrays_are_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    arrays = {"a": np.array([{"a": 1}], dtype=object), "b.weight": np.ones(1, np.float32)}
    np.savez(path, **arrays)  # type: ignore[arg-type]
    with pytest.raises(InvalidSubmissionError, match=r"a in weights\.npz holds object"):
        read_arrays(path, shapes=SHAPES, dtype=np.float32)
