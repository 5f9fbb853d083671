"""Looks for ways from a task's public side to its hidden labels.

Works on the layout that the catalogue's tasks keep: ``test.*`` and ``train.*`` in ``public/``, and
``answers.csv`` in ``private/``, whose first column names the test row; tables as CSV, arrays as ``.npz``
or ``.npy``.
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasks_catalog.library.data.digest import file_digest

Table = dict[str, list[str]]

_FEW = 0.5
"""A column counts as giving a label away only if its values repeat: fewer of them than half the rows."""
_ALIKE = 0.999
"""Absolute rank correlation from which one column is the other in disguise."""


def find_leaks(public: Path, private: Path) -> list[str]:
    """Every leak found, in words; empty where there is none."""
    leaks = list(_shared_files(public, private))
    answers = private / "answers.csv"
    labels = _read_table(answers) if answers.is_file() else {}
    for path in sorted(public.rglob("*.csv")) if labels else ():
        leaks += _labels_in_table(path, labels)
    leaks += _repeated_rows(public, key=next(iter(labels), ""))
    return leaks


def _shared_files(public: Path, private: Path) -> Iterator[str]:
    hidden = {file_digest(path): path for path in private.rglob("*") if path.is_file() and path.stat().st_size}
    for path in sorted(path for path in public.rglob("*") if path.is_file()):
        if twin := hidden.get(file_digest(path)):
            yield f"{path.name} on the public side is the private {twin.name}"


def _labels_in_table(path: Path, answers: Table) -> Iterator[str]:
    """Columns of a public table that hold, or determine, the labels of the test rows in it."""
    key, *targets = answers
    table = _read_table(path)
    if key not in table:
        return
    place = {row_id: row for row, row_id in enumerate(table[key])}
    shared = [(row, place[row_id]) for row, row_id in enumerate(answers[key]) if row_id in place]
    if len(shared) < 3:
        return
    order = [str(row) for row in range(len(table[key]))]
    for target in targets:
        wanted = [answers[target][row] for row, _ in shared]
        if len(set(wanted)) < 2:
            continue
        for name, column in {**table, "the order of the rows": order}.items():
            if reason := _gives_away([column[row] for _, row in shared], wanted):
                yield f"{path.name}: {name} {reason} the hidden {target}"


def _gives_away(column: Sequence[str], wanted: Sequence[str]) -> str:
    if list(column) == list(wanted):
        return "is"
    numbers, targets = _numbers(column), _numbers(wanted)
    if numbers is not None and targets is not None and abs(_rank_correlation(numbers, targets)) > _ALIKE:
        return "orders the rows like"
    labels = defaultdict(set)
    for value, label in zip(column, wanted, strict=True):
        labels[value].add(label)
    if 1 < len(labels) < _FEW * len(column) and all(len(found) == 1 for found in labels.values()):
        return "determines"
    return ""


def _repeated_rows(public: Path, key: str) -> Iterator[str]:
    """Test rows that are training rows as well, in tables and in arrays."""
    for test in sorted(public.rglob("test*")):
        train = test.with_name(test.name.replace("test", "train", 1))
        if not train.is_file():
            continue
        if test.suffix == ".csv":
            repeated = _repeated_in_tables(_read_table(train), _read_table(test), key)
        elif test.suffix in (".npz", ".npy"):
            repeated = _repeated_in_arrays(train, test)
        else:
            continue
        if repeated:
            yield f"{repeated} rows of {test.name} are in {train.name} as well"


def _repeated_in_tables(train: Table, test: Table, key: str) -> int:
    """Rows that agree in every column both tables have, but for the one that names the row."""
    shared = [name for name in test if name in train and name != key]
    if not shared:
        return 0
    known = set(zip(*(train[name] for name in shared), strict=True))
    return sum(row in known for row in zip(*(test[name] for name in shared), strict=True))


def _repeated_in_arrays(train: Path, test: Path) -> int:
    one, other = _arrays(train), _arrays(test)
    repeated = 0
    for name in other.keys() & one.keys():
        rows = other[name]
        if rows.ndim > 1:
            known = {_fingerprint(row) for row in one[name]}
            repeated += sum(_fingerprint(row) in known for row in rows)
    return repeated


def _arrays(path: Path) -> Mapping[str, np.ndarray[Any, Any]]:
    """The arrays of a file by name, read when asked for."""
    loaded = np.load(path, mmap_mode="r" if path.suffix == ".npy" else None, allow_pickle=False)
    return loaded if path.suffix == ".npz" else {"": loaded}


def _fingerprint(row: np.ndarray[Any, Any]) -> bytes:
    return hashlib.sha256(np.ascontiguousarray(row).tobytes()).digest()


def _numbers(column: Sequence[str]) -> np.ndarray[Any, Any] | None:
    try:
        return np.array([float(value) for value in column])
    except ValueError:
        return None


def _rank_correlation(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float:
    from scipy.stats import spearmanr

    if len(np.unique(one)) < 2 or len(np.unique(other)) < 2:
        return 0.0
    return float(spearmanr(one, other).statistic)


def _read_table(path: Path) -> Table:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        rows = list(reader)
    return {name: [row[index] for row in rows] for index, name in enumerate(header)}
