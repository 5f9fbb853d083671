"""Grades as MLE-bench does: a competition's own ``grade(submission, answers)``, with what it imports."""

from __future__ import annotations

import importlib
import inspect
import json
import multiprocessing
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tasks_catalog.library.errors import InvalidSubmissionError, TaskError
from tasks_catalog.library.foreign.older_numbers import allow_older_numbers
from tasks_catalog.library.foreign.older_pandas import allow_older_pandas
from tasks_catalog.library.foreign.raw_files import bring_in, keep_originals, laid_out, missing_told
from tasks_catalog.library.foreign.served import serve
from tasks_catalog.library.foreign.undefined import UndefinedScoreError, finite
from tasks_catalog.library.grade import Grade

STAND_IN = Path(__file__).parent / "stand_in"
"""A package ``mlebench`` with what competitions import from it, used where the real one is not installed."""
SUBMISSION = "submission.csv"
_PACKAGE = "competition_of_mlebench"
_OWN_FAULTS = (ImportError, NotImplementedError)
"""What no submission can make a grader raise."""
_SAID_TO_PARTICIPANTS = ("InvalidSubmissionError", "ParticipantVisibleError")
"""What a grader refuses a submission with: MLE-bench's own error, and that of Kaggle's metrics which come along."""


def load(competition: Path, part: str) -> Any:
    """A module of the competition, as part of a package: it may import its siblings, relatively or by name.

    Raises:
        TaskError: There is no such file.
        Exception: Whatever the module raises.
    """
    if not (competition / f"{part}.py").is_file():
        raise TaskError(f"The competition has no {part}.py")
    for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
        del sys.modules[name]  # of another competition
    package = ModuleType(_PACKAGE)
    package.__path__ = [str(competition)]
    sys.modules[_PACKAGE] = package
    sys.path[:] = [str(competition), *(path for path in sys.path if path not in (str(competition), str(STAND_IN)))]
    sys.path.append(str(STAND_IN))
    allow_older_pandas()
    allow_older_numbers(competition)
    multiprocessing.set_start_method("fork", force=True)  # a worker started anew would not find the package made here
    return importlib.import_module(f"{_PACKAGE}.{part}")


def read_answers(path: Path, *, as_table: bool) -> Any:
    """The answers, by the suffix of their file.

    Args:
        path: The file.
        as_table: JSON lines are a table; else they are a list of dictionaries.

    Raises:
        TaskError: Files of that kind are not known.
    """
    import pandas as pd

    match path.suffix:
        case ".csv":
            return pd.read_csv(path, float_precision="round_trip")
        case ".tsv":
            return pd.read_csv(path, sep="\t", float_precision="round_trip")
        case ".jsonl":
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
            return pd.DataFrame(rows) if as_table else rows
        case ".json":
            return json.loads(path.read_text(encoding="utf-8"))
        case ".parquet":
            return pd.read_parquet(path)
    raise TaskError(f"Answers in a file {path.name} cannot be read: it is none of .csv, .tsv, .jsonl, .json, .parquet")


def score(competition: Path, submission: Path, answers: Path) -> Grade:
    """What the competition's grader says of a submission.

    A grader is taken to be right, since it was tried on the competition's own sample: whatever else it raises, the
    submission has brought about.

    Raises:
        InvalidSubmissionError: It refuses the submission, breaks on it, or gives no number for it.
        TaskError: The grader or the answers cannot be read.
        ImportError: A library is missing.
    """
    import pandas as pd

    grade = load(competition, "grade").grade
    expected = read_answers(answers, as_table=_takes_table(grade))
    try:
        table = pd.read_csv(submission, float_precision="round_trip")
    except pd.errors.EmptyDataError:
        table = pd.DataFrame()
    except (ValueError, OSError) as error:
        raise InvalidSubmissionError(f"{submission.name} cannot be read: {error}") from error
    try:
        value = grade(table, expected)
    except _OWN_FAULTS:
        raise
    except (Exception, SystemExit) as error:
        raise InvalidSubmissionError(_words(error)) from error
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InvalidSubmissionError(f"the competition's grader gives no number: {value!r}"[:500]) from None
    return Grade(score=finite(number, "the competition's"))


def _takes_table(grade: Any) -> bool:
    """Whether ``grade`` says that its answers are a data frame."""
    parameters = list(inspect.signature(grade).parameters.values())
    return len(parameters) > 1 and "DataFrame" in str(parameters[1].annotation)


def _words(error: BaseException) -> str:
    """The grader's own words; where it only broke, what it broke on."""
    if type(error).__name__ in _SAID_TO_PARTICIPANTS:
        return str(error)
    return f"the competition's grader cannot score it: {type(error).__name__}: {error}"[:1_000]


def prepare_here(competition: Path, raw: Path, public: Path, private: Path) -> None:
    """Make the data with the competition's ``prepare.py``, which may change the raw files that it gets.

    What else it fetches may lie among them.
    """
    serve(raw)
    with laid_out(raw, public.parent / "raw") as own:
        keep_originals(own)
        with missing_told(own):
            load(competition, "prepare").prepare(own, public, private)
        for made in (public, private):
            bring_in(made, raw)


def try_sample(competition: Path, sample: Path, answers: Path) -> None:
    """Grade the competition's own sample submission, whose score may be undefined.

    Raises:
        SystemExit: The grader cannot; with its words.
    """
    try:
        score(competition, sample, answers)
    except UndefinedScoreError:
        return
    except InvalidSubmissionError as error:
        sys.exit(error.message)


def main(what: str, competition: Path, *paths: Path) -> None:
    """Prepare the data or try the sample submission."""
    if what == "prepare":
        raw, public, private = paths
        prepare_here(competition, raw, public, private)
    else:
        sample, answers = paths
        try_sample(competition, sample, answers)


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
