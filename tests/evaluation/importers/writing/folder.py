"""Where the short run of ``logs`` took place, and databases that keep it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

FOLDER = "/work/cifar10"
BEGUN, ENDED = 1_767_225_600_000, 1_767_225_609_000


def database(folder: Path, name: str, tables: dict[str, tuple[str, list[tuple[Any, ...]]]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with closing(sqlite3.connect(path)) as database, database:
        for table, (columns, rows) in tables.items():
            database.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * (columns.count(",") + 1))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return path
