"""Runs a task's ``grade.py``: the program inside the grading sandbox.

``python -m tasks_catalog.library.grader GRADE_PY ARTIFACTS PRIVATE TRIALS ANSWER`` writes an ``Answer`` as
JSON. ``grade.py`` defines ``score(artifacts, private)``, or ``score(artifacts, private, trials)`` where
the task orders trials, and returns a ``Grade`` or raises ``InvalidSubmissionError``. Anything else it
raises is a fault of the grader: the program fails, says where first of all, and leaves no answer. One that
is left empty tells that the grader ended the program itself, without another word.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from pydantic import ValidationError

from foundation.errors import MlabError
from foundation.faults import traceback_of_theirs, where_it_failed
from foundation.records import Record
from foundation.text import clipped
from tasks_catalog.library.errors import InvalidSubmissionError, TaskError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.modules import load_module

TOO_LARGE = "the values are so large or so small that no finite score follows from them"
_SHOWN = 80
OUT_OF_RANGE = {"finite_number", "less_than_equal", "greater_than_equal"}


class Answer(Record):
    """What the grader found: a grade, or why there is none."""

    grade: Grade | None = None
    invalid: str | None = None


def run_grader(script: Path, artifacts: Path, private: Path, trials: Path) -> Answer:
    """Score a submission.

    Raises:
        TaskError: ``script`` defines no ``score``, or that returns no ``Grade``.
    """
    score = getattr(load_module(script, "grade"), "score", None)
    if score is None:
        raise TaskError(f"{script} has no function score(artifacts, private)")
    folders = (artifacts, private, trials)[: len(inspect.signature(score).parameters)]
    try:
        return Answer(grade=_grade(score(*folders), script))
    except InvalidSubmissionError as error:
        return Answer(invalid=error.message)
    except OverflowError:
        return Answer(invalid=TOO_LARGE)
    except ValidationError as error:
        if {problem["type"] for problem in error.errors()} <= OUT_OF_RANGE:
            return Answer(invalid=TOO_LARGE)
        raise


def _grade(found: object, script: Path) -> Grade:
    if isinstance(found, Grade | dict):
        return Grade.model_validate(found)
    returned = f"{clipped(repr(found), _SHOWN)} ({type(found).__name__})"
    raise TaskError(
        f"The function score in {script.name} returned {returned}, which is no Grade",
        hint="Let it return Grade(score=…), from tasks_catalog.library.grade.",
    )


def main(script: Path, *folders: Path) -> None:
    """Grade."""
    *sources, target = folders
    target.touch()
    sys.path.insert(0, str(script.parent))  # beside it may lie modules of its own
    try:
        answer = run_grader(script, *sources)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises is told, and ends the program
        target.unlink()
        sys.exit(str(error) if isinstance(error, MlabError) else _told(error, script))
    target.write_text(answer.model_dump_json(), encoding="utf-8")


def _told(error: BaseException, script: Path) -> str:
    place = where_it_failed(error).removeprefix(f"{script.parent}/")
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{place}: {type(error).__name__}: {said}\n{traceback_of_theirs(error)}"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
