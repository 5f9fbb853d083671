"""Competitions of MLE-bench: ``config.yaml``, ``prepare.py``, ``grade.py`` and ``description.md``."""

from __future__ import annotations

import csv
import shutil
import sys
from pathlib import Path
from typing import Any

from tasks_catalog.library.errors import InvalidSubmissionError, PrepareError, TaskError
from tasks_catalog.library.foreign.folder import ImportedTask, new_folder, write_folder
from tasks_catalog.library.foreign_code import ForeignProgram, refuse_ways_out, unsandboxed
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Direction, Task

STAND_IN = Path(__file__).parent / "stand_in"
"""A package ``mlebench`` with what competitions import from it, used where the real one is not installed."""

_PREPARE = '''"""Calls the competition's own prepare.py."""

from pathlib import Path

from tasks_catalog.library.foreign.mlebench import prepare_competition


def prepare(job):
    prepare_competition(Path(__file__).parent / "competition", job, trusted={trusted})
'''
_GRADE = '''"""Calls the competition's own grade.py."""

from pathlib import Path

from tasks_catalog.library.foreign.mlebench import score_competition


def score(artifacts, private):
    return score_competition(Path(__file__).parent / "competition", artifacts, private)
'''
_STARTER = '''"""Submits the sample submission, for want of a better model."""

import shutil

shutil.copy("data/{sample}", "submission.csv")
print("copied {sample} to submission.csv")
'''
_NOTE = """

---

The data is in `data/`. Save your predictions as `submission.csv`, in the form of `data/{sample}`.
Then submit your final answer.
"""


def import_competition(source: Path, parent: Path, direction: Direction | None, *, trusted: bool) -> Task:
    """Make a task folder from a competition; see ``import_task``.

    Raises:
        TaskError: ``config.yaml`` is wrong, or nothing says which way the score is better.
    """
    config = _config(source)
    wanted = direction or _direction(source / "leaderboard.csv")
    if wanted is None:
        raise TaskError(f"{source} has no leaderboard.csv to tell the direction from", hint="Say so with --direction.")
    with new_folder(source, parent) as folder:
        return _fill(folder, source, config, wanted, trusted=trusted)


def _fill(folder: Path, source: Path, config: dict[str, Any], direction: Direction, *, trusted: bool) -> Task:
    shutil.copytree(source, folder / "competition", symlinks=True)
    refuse_ways_out(folder, left_by=source)
    sample = Path(config["dataset"]["sample_submission"]).name
    (folder / "workspace").mkdir()
    (folder / "workspace" / "train.py").write_text(_STARTER.format(sample=sample), encoding="utf-8")
    spec = ImportedTask(
        name=folder.name,
        source=f"MLE-bench, {config['id']}",
        metric=str(config.get("grader", {}).get("name", "score")),
        direction=direction,
        script="train.py",
        artifacts=("submission.csv",),
        readonly=("data/*",),
        split="as in MLE-bench",
    )
    description = (source / "description.md").read_text(encoding="utf-8")
    return write_folder(
        folder,
        spec,
        instruction=description + _NOTE.format(sample=sample),
        prepare=_PREPARE.format(trusted=trusted),
        grade=_GRADE,
    )


def prepare_competition(competition: Path, job: PrepareJob, *, trusted: bool = False) -> None:
    """Run the competition's ``prepare(raw, public, private)`` on Kaggle's files, or on those in ``--raw``.

    Args:
        competition: Its folder.
        job: What to fill, and what runs code of others.
        trusted: The owner of this machine lets its code run outside any sandbox.

    Raises:
        PrepareError: The files cannot be fetched, or its code fails.
        TaskError: Its code may not run.
    """
    raw = job.sources.raw or job.sources.kaggle_all(_config(competition)["id"])
    competition, raw, public, private = (path.resolve() for path in (competition, raw, job.public, job.private))
    program = ForeignProgram(
        competition / "prepare.py",
        ("-m", __name__, *map(str, (competition, raw, public, private))),
        target=public.parent,
        folder=public.parent,
        reads=(competition, raw),
    )
    ran = unsandboxed(program) if trusted else job.run_foreign(program)
    if ran.failure is not None:
        raise PrepareError(f"the competition's prepare.py fails {ran.where}: {ran.failure}")
    answers = job.private / Path(_config(competition)["dataset"]["answers"]).name
    if not answers.is_file():
        raise PrepareError(f"the competition's prepare.py made no {answers.name}")


def score_competition(competition: Path, artifacts: Path, private: Path) -> Grade:
    """What the competition's ``grade(submission, answers)`` says.

    Raises:
        InvalidSubmissionError: It refuses the submission, or that is no CSV file.
    """
    import pandas as pd

    answers = pd.read_csv(private / Path(_config(competition)["dataset"]["answers"]).name)
    grader = _load(competition, "grade")
    try:
        submission = pd.read_csv(artifacts / "submission.csv")
    except (ValueError, OSError) as error:
        raise InvalidSubmissionError(f"submission.csv cannot be read: {error}") from error
    from mlebench.grade_helpers import InvalidSubmissionError as Refused  # type: ignore[import-not-found]

    try:
        return Grade(score=float(grader.grade(submission, answers)))
    except Refused as error:
        raise InvalidSubmissionError(str(error)) from error


def _load(competition: Path, part: str) -> Any:
    if str(STAND_IN) not in sys.path:
        sys.path.append(str(STAND_IN))
    return load_module(competition / f"{part}.py", f"competition_{part}")


def _config(folder: Path) -> dict[str, Any]:
    import yaml

    try:
        config = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
        parts = (config["id"], config["dataset"]["answers"], config["dataset"]["sample_submission"])
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise TaskError(f"{folder / 'config.yaml'} is not a competition's: {error!r}") from error
    if not all(isinstance(part, str) for part in parts):
        raise TaskError(f"{folder / 'config.yaml'} is not a competition's: id, answers and sample must be texts")
    return dict(config)


def _direction(leaderboard: Path) -> Direction | None:
    """A leaderboard lists the best score first."""
    if not leaderboard.is_file():
        return None
    with leaderboard.open(encoding="utf-8", newline="") as file:
        scores = [float(row["score"]) for row in csv.DictReader(file) if row.get("score")]
    if len(scores) < 2 or scores[0] == scores[-1]:
        return None
    return Direction.MAXIMIZE if scores[0] > scores[-1] else Direction.MINIMIZE


if __name__ == "__main__":
    _competition, *_folders = map(Path, sys.argv[1:])
    _load(_competition, "prepare").prepare(*_folders)
