"""Reads what an agent submitted, and says exactly what is wrong with it.

Nothing here executes or unpickles; a file is measured before it is parsed.
"""

from __future__ import annotations

import csv
import json
import math
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from foundation.sizes import MiB
from tasks_catalog.library.errors import InvalidSubmissionError

Parse = Callable[[str], Any]
"""Turns a cell into a value, or raises ``ValueError`` with the reason."""


def read_predictions(
    path: Path,
    *,
    id_column: str,
    ids: Sequence[str],
    columns: Mapping[str, Parse],
    max_bytes: int = 64 * MiB,
) -> dict[str, list[Any]]:
    """The columns of a CSV file with one row for each id, in the order of ``ids`` whatever the file's.

    Args:
        path: The submitted file.
        id_column: The column that names the row.
        ids: Every id that must be there, once.
        columns: The other columns and how each cell is read; no more and no fewer may be there.
        max_bytes: A larger file is refused unread.

    Raises:
        InvalidSubmissionError: The file is not that, with the reason.
    """
    check_regular_file(path, max_bytes)
    position = {row_id: index for index, row_id in enumerate(ids)}
    values: dict[str, list[Any]] = {name: [None] * len(ids) for name in columns}
    seen: set[str] = set()
    for line, row in _rows(path, [id_column, *columns]):
        row_id = row[id_column].strip()
        if row_id not in position:
            raise InvalidSubmissionError(
                f"{path.name}, line {line}: {row_id[:80]!r} is not an {id_column} of the test set"
            )
        if row_id in seen:
            raise InvalidSubmissionError(f"{path.name}, line {line}: the {id_column} {row_id!r} is there twice")
        seen.add(row_id)
        for name, parse in columns.items():
            try:
                values[name][position[row_id]] = parse(row[name].strip())
            except ValueError as error:
                raise InvalidSubmissionError(f"{path.name}, line {line}, column {name}: {error}") from None
    missing = [row_id for row_id in ids if row_id not in seen]
    if missing:
        shown = ", ".join(missing[:5]) + (" …" if len(missing) > 5 else "")
        raise InvalidSubmissionError(
            f"{path.name} lacks {len(missing)} of the {len(ids)} rows of the test set ({id_column} {shown})"
        )
    return values


def check_regular_file(path: Path, max_bytes: int) -> None:
    """Make sure that ``path`` is a regular file of a sensible size.

    Raises:
        InvalidSubmissionError: It is missing, a link, a folder, empty or too large.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        raise InvalidSubmissionError(f"{path.name} is missing") from None
    if stat.S_ISLNK(found.st_mode):
        raise InvalidSubmissionError(f"{path.name} is a symbolic link; submit the file itself")
    if not stat.S_ISREG(found.st_mode):
        raise InvalidSubmissionError(f"{path.name} is not a regular file")
    if found.st_size == 0:
        raise InvalidSubmissionError(f"{path.name} is empty")
    if found.st_size > max_bytes:
        raise InvalidSubmissionError(
            f"{path.name} has {found.st_size / MiB:,.1f} MiB; at most {max_bytes / MiB:,.0f} MiB are read"
        )


def read_text(path: Path, max_bytes: int = 16 * MiB) -> str:
    """A text in UTF-8.

    Raises:
        InvalidSubmissionError: The file is not that, or larger than ``max_bytes``.
    """
    check_regular_file(path, max_bytes)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(f"{path.name} is no text in UTF-8") from error


def read_json(path: Path, max_bytes: int = 16 * MiB) -> object:
    """What a JSON file holds.

    Raises:
        InvalidSubmissionError: The file is not that, or larger than ``max_bytes``.
    """
    try:
        content: object = json.loads(read_text(path, max_bytes))
    except (ValueError, RecursionError) as error:
        raise InvalidSubmissionError(f"{path.name} is no JSON") from error
    return content


def number(text: str) -> float:
    """A finite number."""
    if not text:
        raise ValueError("the value is missing")
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text[:80]!r} is not a number") from None
    if math.isnan(value):
        raise ValueError("the value is NaN")
    if math.isinf(value):
        raise ValueError("the value is infinite")
    return value


def whole_number(text: str) -> int:
    """A whole number, written with or without a decimal point."""
    value = number(text)
    if not value.is_integer():
        raise ValueError(f"{text[:80]} is not a whole number")
    return int(value)


def number_between(low: float, high: float) -> Parse:
    """A reader of finite numbers from ``low`` to ``high``, both included."""

    def parse(text: str) -> float:
        value = number(text)
        if not low <= value <= high:
            raise ValueError(f"{value:g} is not between {low:g} and {high:g}")
        return value

    return parse


def one_of(*choices: str) -> Parse:
    """A reader of one of the given words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"{text[:80]!r} is none of {', '.join(choices[:20])}")
        return text

    return parse


def probabilities(
    columns: Sequence[Sequence[float]], *, ids: Sequence[str], file: str, tolerance: float = 1e-3
) -> npt.NDArray[np.float64]:
    """Class probabilities as an array ``(rows, classes)``.

    Args:
        columns: One sequence of probabilities for each class.
        ids: Names of the rows, for the message.
        file: Name of the file, for the message.
        tolerance: How far the sum of a row may be from 1.

    Raises:
        InvalidSubmissionError: One is negative, or a row does not sum to 1.
    """
    matrix = np.asarray(columns, dtype=np.float64).T
    negative = (matrix < 0).any(axis=1)
    if negative.any():
        row = int(np.argmax(negative))
        raise InvalidSubmissionError(f"{file}: row {ids[row]} has a negative probability ({matrix[row].min():g})")
    off = np.abs(matrix.sum(axis=1) - 1) > tolerance
    if off.any():
        row = int(np.argmax(off))
        raise InvalidSubmissionError(f"{file}: the probabilities of row {ids[row]} sum to {matrix[row].sum():g}, not 1")
    return matrix


def read_array(
    path: Path, *, shape: tuple[int, ...], dtype: npt.DTypeLike, max_bytes: int = 1024 * MiB
) -> npt.NDArray[Any]:
    """A ``.npy`` array of finite numbers; its header is checked before anything is allocated.

    Raises:
        InvalidSubmissionError: It is not a ``.npy`` file, or has another shape or type, or NaN or infinity.
    """
    check_regular_file(path, max_bytes)
    with path.open("rb") as file:
        return _read_array(file, path.name, shape, np.dtype(dtype))


def read_arrays(
    path: Path, *, shapes: Mapping[str, tuple[int, ...]], dtype: npt.DTypeLike, max_bytes: int = 1024 * MiB
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a ``.npz`` file by name, finite numbers of the given shapes; no more and no fewer may be there.

    Raises:
        InvalidSubmissionError: The file is not that; found out before anything is unpacked.
    """
    check_regular_file(path, max_bytes)
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name.removesuffix(".npy") for name in archive.namelist()]
            if sorted(names) != sorted(shapes):
                wrong = sorted(set(names) ^ set(shapes)) or names
                raise InvalidSubmissionError(f"{path.name} holds other arrays than expected: {', '.join(wrong[:5])}")
            arrays = {}
            for name, shape in shapes.items():
                with archive.open(f"{name}.npy") as file:
                    arrays[name] = _read_array(file, f"{name} in {path.name}", shape, np.dtype(dtype))
            return arrays
    except (zipfile.BadZipFile, zlib.error, KeyError, RuntimeError, NotImplementedError) as error:
        raise InvalidSubmissionError(f"{path.name} is not a .npz file: {error}") from None


def _read_array(file: IO[bytes], name: str, shape: tuple[int, ...], expected: np.dtype[Any]) -> npt.NDArray[Any]:
    """An array that starts here, once its header says what is expected."""
    try:
        major, _ = np.lib.format.read_magic(file)
        read_header = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
        found_shape, fortran, found = read_header(file)
    except (ValueError, EOFError) as error:
        raise InvalidSubmissionError(f"{name} is not a .npy file: {error}") from None
    if found_shape != shape or found != expected:
        raise InvalidSubmissionError(
            f"{name} holds {found} of shape {found_shape}; expected {expected} of shape {shape}"
        )
    values = np.frombuffer(file.read(math.prod(shape) * expected.itemsize + 1), dtype=np.uint8)
    if len(values) != math.prod(shape) * expected.itemsize:
        raise InvalidSubmissionError(f"{name} cannot be read: it is shorter or longer than its header says")
    array = values.view(expected).reshape(shape, order="F" if fortran else "C")
    if not np.isfinite(array).all():
        raise InvalidSubmissionError(f"{name} holds NaN or infinite values")
    return array


def _rows(path: Path, expected: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells of each data row."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = [name.strip() for name in next(reader, [])]
            _check_header(path.name, header, expected)
            for row in reader:
                if len(row) == len(header):
                    yield reader.line_num, dict(zip(header, row, strict=True))
                elif row:
                    raise InvalidSubmissionError(
                        f"{path.name}, line {reader.line_num}: {len(row)} cells, expected {len(header)}"
                    )
    except UnicodeDecodeError:
        raise InvalidSubmissionError(f"{path.name} is not UTF-8 text") from None
    except csv.Error as error:
        raise InvalidSubmissionError(f"{path.name} is not a CSV file: {error}") from None


def _check_header(file: str, header: Sequence[str], expected: Sequence[str]) -> None:
    if sorted(header) != sorted(expected):
        shown = ", ".join(header)[:200]
        raise InvalidSubmissionError(f"{file} has the columns {shown or '(none)'}; expected {', '.join(expected)}")
