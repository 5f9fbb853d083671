from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tasks_catalog.library.leaks import find_leaks

ROWS = 40


def write(path: Path, columns: Mapping[str, Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, Path]:
    """A clean task: numeric and text features, a class and a number to predict."""
    public, private = tmp_path / "public", tmp_path / "private"
    public.mkdir()
    private.mkdir()
    draw = random.Random(0)
    table: dict[str, Sequence[object]] = {
        "id": list(range(2 * ROWS)),
        "size": [round(draw.gauss(0, 1), 1) for _ in range(2 * ROWS)],
        "kind": [draw.choice("abc") for _ in range(2 * ROWS)],
        "text": [f"words number {n}" for n in range(2 * ROWS)],
    }
    labels: dict[str, Sequence[object]] = {
        "class": [draw.choice("xy") for _ in range(2 * ROWS)],
        "y": [draw.random() for _ in range(2 * ROWS)],
    }
    write(public / "train.csv", {k: v[:ROWS] for k, v in {**table, **labels}.items()})
    write(public / "test.csv", {k: v[ROWS:] for k, v in table.items()})
    write(private / "answers.csv", {k: v[ROWS:] for k, v in {"id": table["id"], **labels}.items()})
    return public, private


def read(path: Path) -> dict[str, list[str]]:
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def test_clean_data_has_no_leak(data: tuple[Path, Path]) -> None:
    assert find_leaks(*data) == []


def the_answers_lie_about(public: Path, private: Path) -> None:
    shutil.copy(private / "answers.csv", public / "notes.csv")


def a_column_is_the_label(public: Path, private: Path) -> None:
    plant(public, "shade", read(private / "answers.csv")["class"])


def a_column_names_the_label(public: Path, private: Path) -> None:
    plant(public, "shade", ["red" if label == "x" else "blue" for label in read(private / "answers.csv")["class"]])


def a_column_grows_with_the_label(public: Path, private: Path) -> None:
    plant(public, "tax", [-3 * float(label) for label in read(private / "answers.csv")["y"]])


def the_rows_are_sorted_by_the_label(public: Path, private: Path) -> None:
    test, labels = read(public / "test.csv"), read(private / "answers.csv")["y"]
    order = sorted(range(ROWS), key=lambda row: float(labels[row]))
    write(public / "test.csv", {name: [column[row] for row in order] for name, column in test.items()})


def a_test_row_is_in_train(public: Path, private: Path) -> None:
    train, test = read(public / "train.csv"), read(public / "test.csv")
    for name in ("size", "kind", "text"):
        train[name][3] = test[name][5]
    write(public / "train.csv", train)


def plant(public: Path, name: str, column: Sequence[object]) -> None:
    write(public / "test.csv", {**read(public / "test.csv"), name: column})


@pytest.mark.parametrize(
    ("leak", "message"),
    [
        (the_answers_lie_about, "notes.csv on the public side is the private answers.csv"),
        (a_column_is_the_label, "test.csv: shade is the hidden class"),
        (a_column_names_the_label, "test.csv: shade determines the hidden class"),
        (a_column_grows_with_the_label, "test.csv: tax orders the rows like the hidden y"),
        (the_rows_are_sorted_by_the_label, "test.csv: the order of the rows orders the rows like the hidden y"),
        (a_test_row_is_in_train, "1 rows of test.csv are in train.csv as well"),
    ],
)
def test_planted_leaks_are_found(data: tuple[Path, Path], leak: Callable[[Path, Path], None], message: str) -> None:
    leak(*data)
    assert message in find_leaks(*data)


def test_a_test_image_in_the_training_set_is_found(data: tuple[Path, Path]) -> None:
    public, private = data
    images = np.random.default_rng(0).integers(0, 255, (20, 4, 4), dtype=np.uint8)
    np.savez(public / "train.npz", images=images[:10], labels=np.zeros(10))
    np.savez(public / "test.npz", images=images[10:])
    assert find_leaks(public, private) == []
    np.savez(public / "test.npz", images=images[8:])
    np.save(public / "train_images.npy", images[:10])
    np.save(public / "test_images.npy", images[9:])
    assert find_leaks(public, private) == [
        "2 rows of test.npz are in train.npz as well",
        "1 rows of test_images.npy are in train_images.npy as well",
    ]
