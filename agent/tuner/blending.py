"""Blends files of predictions into one; runs in the workspace as a script, so it needs nothing of this package."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_LABELS = 200
"""Different texts in a column, from which on they are no labels that could be voted on."""


def blend(paths: Sequence[str], output: str) -> str:
    """Write the blend of several files, best first, and say how it was made.

    Numbers with a fraction are averaged, labels are voted on; what is the same in all files stays.

    Raises:
        ValueError: The files cannot be blended, with the reason.
    """
    kind = Path(output).suffix
    if kind == ".csv":
        return _blend_tables(paths, output)
    if kind in (".npy", ".npz"):
        return _blend_arrays(paths, output, kind)
    raise ValueError(f"{kind} files cannot be blended")


def _blend_tables(paths: Sequence[str], output: str) -> str:
    tables = [_read(path) for path in paths]
    first = tables[0]
    if any(len(table) != len(first) or table[0] != first[0] for table in tables):
        raise ValueError("the tables differ in rows or columns")
    columns = [[[row[i] for row in table[1:]] for table in tables] for i in range(len(first[0]))]
    blended = [_blend_column(name, column) for name, column in zip(first[0], columns, strict=True)]
    with Path(output).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(first[0])
        writer.writerows(zip(*(cells for cells, _ in blended), strict=True))
    return ", ".join(f"{name}: {how}" for name, (_, how) in zip(first[0], blended, strict=True) if how)


def _blend_column(name: str, column: Sequence[Sequence[str]]) -> tuple[Sequence[str], str]:
    """The cells of one column, and how they were made of those of the files."""
    if all(cells == column[0] for cells in column):
        return column[0], ""
    rows = list(zip(*column, strict=True))
    numbers = [[_number(cell) for cell in row] for row in rows]
    if all(None not in row for row in numbers) and any("." in cell or "e" in cell for row in rows for cell in row):
        return [repr(sum(n for n in row if n is not None) / len(row)) for row in numbers], "mean"
    if len({cell for row in rows for cell in row}) > MOST_LABELS:
        raise ValueError(f"the column {name} holds neither fractions nor labels")
    return [Counter(row).most_common(1)[0][0] for row in rows], "vote"


def _blend_arrays(paths: Sequence[str], output: str, kind: str) -> str:
    import numpy as np

    loaded = [np.load(path, allow_pickle=False) for path in paths]
    if kind == ".npy":
        np.save(output, _mean(loaded))
        return "mean"
    names = list(loaded[0].files)
    if any(list(file.files) != names for file in loaded):
        raise ValueError("the files hold different arrays")
    blended: dict[str, Any] = {name: _mean([file[name] for file in loaded]) for name in names}
    np.savez(output, **blended)
    return "mean"


def _mean(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The mean of arrays of fractions; of equal ones of any kind, the first."""
    import numpy as np

    first = arrays[0]
    if all(np.array_equal(array, first) for array in arrays):
        return first
    if any(array.shape != first.shape for array in arrays) or not np.issubdtype(first.dtype, np.floating):
        raise ValueError("the arrays are no fractions of one shape")
    return np.asarray(np.mean(arrays, axis=0)).astype(first.dtype)


def _read(path: str) -> list[list[str]]:
    with Path(path).open(newline="") as file:
        rows = list(csv.reader(file))
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"{path} is no table")
    return rows


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


if __name__ == "__main__":
    *made_by, target = sys.argv[1:]
    try:
        print(f"blended {len(made_by)} files into {target}: {blend(made_by, target)}")
    except ValueError as error:
        sys.exit(f"cannot be blended: {error}")
