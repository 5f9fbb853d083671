"""The hidden side that one grading reads: drawn for the run where the task draws it, as prepared elsewhere."""

from __future__ import annotations

import csv
import secrets
import shutil
from pathlib import Path

from environment.journal.secret import run_secret
from environment.store import Store
from foundation.disk import telling_full
from tasks_catalog.library.drawing import draw_exam, draw_practice, new_secret
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task, Variant

ANSWERS = "answers.csv"


def secret_of(task: Task, store: Store, run_id: str) -> bytes | None:
    """What the hidden side of a run is drawn from; ``None`` where nothing is drawn.

    Raises:
        CorruptObjectError: It was damaged.
    """
    return run_secret(store, run_id) if task.spec.drawn else None


def exam_of(task: Task, variant: Variant, prepared: Prepared, secret: bytes | None, folder: Path) -> Path:
    """What the submission of the run with this secret is graded on.

    Args:
        task: The task.
        variant: Which of its data.
        prepared: That data.
        secret: The run's; the same one gives the same. Outside of any run a new one is made.
        folder: A path where nothing lies, for what is drawn.
    """
    if not task.spec.drawn:
        return prepared.private
    draw_exam(task, variant, prepared, secret or new_secret(), folder)
    return folder


def practice_of(task: Task, variant: Variant, prepared: Prepared, folder: Path) -> Path | None:
    """What *Validate Submission* reads, from which nothing hidden can be learned.

    It is drawn from public data, or it is the private side with the answers dealt out anew at random, so
    that whatever a grader says of a row, it does not say it of that row's answer. ``None`` where neither can be.
    """
    if task.spec.drawn:
        draw_practice(task, variant, prepared, folder)
        return folder
    if not (prepared.private / ANSWERS).is_file():
        return None
    with telling_full(folder):
        shutil.copytree(prepared.private, folder)
        _deal_anew(folder)
    return folder


def _deal_anew(private: Path) -> None:
    """Give each row of the answers, and of arrays that go along with them, the values of a random one."""
    import numpy as np

    path = private / ANSWERS
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    order = np.random.default_rng(secrets.randbits(256)).permutation(len(rows))
    path.chmod(0o644)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows([row[0], *rows[other][1:]] for row, other in zip(rows, order, strict=True))
    for array in private.rglob("*.npy"):
        values = np.load(array, allow_pickle=False)
        if values.ndim and len(values) == len(rows):
            np.save(array, values[order])
