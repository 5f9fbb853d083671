"""Runs a task's ``grade.py``: the program inside the grading sandbox.

``python -m tasks_catalog.library.grader GRADE_PY ARTIFACTS PRIVATE TRIALS ANSWER`` writes an ``Answer`` as
JSON. ``grade.py`` defines ``score(artifacts, private)``, or ``score(artifacts, private, trials)`` where
the task orders trials, and returns a ``Grade`` or raises ``InvalidSubmissionError``. Anything else it
raises is a fault of the grader: the program fails and writes nothing.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from foundation.records import Record
from tasks_catalog.library.errors import InvalidSubmissionError, TaskError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.modules import load_module


class Answer(Record):
    """What the grader found: a grade, or why there is none."""

    grade: Grade | None = None
    invalid: str | None = None


def run_grader(script: Path, artifacts: Path, private: Path, trials: Path) -> Answer:
    """Score a submission.

    Raises:
        TaskError: ``script`` defines no ``score``.
    """
    score = getattr(load_module(script, "grade"), "score", None)
    if score is None:
        raise TaskError(f"{script} has no function score(artifacts, private)")
    folders = (artifacts, private, trials)[: len(inspect.signature(score).parameters)]
    try:
        return Answer(grade=Grade.model_validate(score(*folders)))
    except InvalidSubmissionError as error:
        return Answer(invalid=error.message)


if __name__ == "__main__":
    *folders, target = map(Path, sys.argv[1:])
    target.write_text(run_grader(*folders).model_dump_json(), encoding="utf-8")
