"""Draws what a submission is graded on, at the grade: from a secret of the run, never from what made public data.

A task whose submission is run, or whose answers a generator can make, says ``drawn = true`` in
``task.toml`` and has ``draw(job)`` in its ``prepare.py``.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from foundation.disk import telling_full
from tasks_catalog.library.data.sources import Sources
from tasks_catalog.library.errors import mistakes_of
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task, Variant

if TYPE_CHECKING:
    import numpy as np

SECRET_BYTES = 32


@dataclass(frozen=True)
class DrawJob:
    """What ``draw(job)`` gets; it fills ``exam`` with all that trials and grader read as the private side.

    Attributes:
        variant: Which of the task's data.
        public: The prepared public side.
        private: The prepared private side, to draw from. Empty for practice: what is drawn for
            *Validate Submission* can hold nothing that is hidden.
        exam: The folder to fill, which exists and is empty.
        random: Where every draw comes from; nobody can guess its seed.
        practice: Whether this is for *Validate Submission*.
        sources: Libraries that ``prepare`` fetched.
    """

    variant: Variant
    public: Path
    private: Path
    exam: Path
    random: np.random.Generator
    practice: bool
    sources: Sources


def new_secret() -> bytes:
    """A seed from the system's own entropy."""
    return secrets.token_bytes(SECRET_BYTES)


def draw_exam(task: Task, variant: Variant, prepared: Prepared, secret: bytes, exam: Path) -> None:
    """Fill ``exam`` with what a submission is graded on; the same secret draws the same.

    Raises:
        PrepareError: ``draw`` fails, or a library that ``prepare`` fetched is gone and cannot be fetched again.
    """
    _draw(task, variant, prepared, prepared.private, secret, exam, practice=False)


def draw_practice(task: Task, variant: Variant, prepared: Prepared, exam: Path) -> None:
    """Fill ``exam`` with inputs of the same kind made of public data alone, other ones in each call."""
    with tempfile.TemporaryDirectory(prefix="mlab-nothing-") as nothing:
        _draw(task, variant, prepared, Path(nothing), new_secret(), exam, practice=True)


def _draw(
    task: Task, variant: Variant, prepared: Prepared, private: Path, secret: bytes, exam: Path, *, practice: bool
) -> None:
    import numpy as np

    exam.mkdir(parents=True)
    job = DrawJob(
        variant=variant,
        public=prepared.public,
        private=private,
        exam=exam,
        random=np.random.default_rng(int.from_bytes(secret)),
        practice=practice,
        sources=Sources(downloads=prepared.downloads),
    )
    with telling_full(exam), mistakes_of(task.prepare_script, task.name):
        _draw_function(task)(job)


def _draw_function(task: Task) -> Callable[[DrawJob], None]:
    module = load_module(task.prepare_script, f"prepare_{task.name.replace('-', '_')}")
    return cast(Callable[[DrawJob], None], module.draw)
