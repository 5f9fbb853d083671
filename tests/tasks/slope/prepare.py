from __future__ import annotations

import csv
import random
from pathlib import Path

from tasks_catalog.library.prepare import PrepareJob


def prepare(job: PrepareJob) -> None:
    chance = random.Random(0)
    points = [(x, round(2.5 * x + chance.uniform(-0.2, 0.2), 3)) for x in range(40)]
    write(job.public / "train.csv", ["x", "y"], points[:20])
    write(job.public / "test.csv", ["x"], [(x,) for x, _ in points[20:]])
    write(job.private / "answers.csv", ["x", "y"], points[20:])


def write(path: Path, columns: list[str], rows: list[tuple[float, ...]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
