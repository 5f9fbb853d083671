"""Competitions of MLE-bench: ``config.yaml``, ``prepare.py``, ``grade.py`` and ``description.md``."""

from __future__ import annotations

import csv
import shutil
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from tasks_catalog.library.errors import PrepareError, RefusedImportError, TaskError
from tasks_catalog.library.foreign import mlebench_grading
from tasks_catalog.library.foreign.folder import ImportedTask, new_folder, said_in, write_folder
from tasks_catalog.library.foreign.lacking import lacking, versions, without_function
from tasks_catalog.library.foreign.raw_files import AMONG_RAW
from tasks_catalog.library.foreign_code import ForeignProgram, Ran, refuse_ways_out, unsandboxed
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Direction, Task

_LEADERBOARD = "leaderboard.csv"
_LFS = "version https://git-lfs.github.com/spec/"
"""How a file begins that stands for one in Git's large file storage."""

_PREPARE = '''"""Calls the competition's own prepare.py."""

from pathlib import Path

from tasks_catalog.library.foreign.mlebench import prepare_competition


def prepare(job):
    prepare_competition(Path(__file__).parent / "competition", job, trusted={trusted}, network={network})
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


def import_competition(
    source: Path, parent: Path, direction: Direction | None, *, trusted: bool, network: bool
) -> Task:
    """Make a task folder from a competition; see ``import_task``.

    Raises:
        TaskError: ``config.yaml`` is wrong.
        RefusedImportError: Nothing says which way the score is better.
    """
    config = _config(source)
    wanted = direction or _direction(source, config["id"])
    with new_folder(source, parent) as folder:
        prepare = _PREPARE.format(trusted=trusted, network=network)
        return _fill(folder, source, config, wanted, prepare)


def _fill(folder: Path, source: Path, config: dict[str, Any], direction: Direction, prepare: str) -> Task:
    refuse_ways_out(source, left_by=source)
    shutil.copytree(source, folder / "competition", symlinks=True)
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
    description = said_in(source / "description.md")
    return write_folder(
        folder,
        spec,
        instruction=description + _NOTE.format(sample=sample),
        prepare=prepare,
        grade=_GRADE,
    )


def prepare_competition(competition: Path, job: PrepareJob, *, trusted: bool = False, network: bool = False) -> None:
    """Run the competition's ``prepare(raw, public, private)`` on Kaggle's files, or on those in ``--raw``.

    Args:
        competition: Its folder.
        job: What to fill, and what runs code of others.
        trusted: The owner of this machine lets its code run outside any sandbox.
        network: The owner lets its code reach the network from the sandbox.

    Raises:
        PrepareError: The files cannot be fetched, or its code fails, lacks something, or cannot grade its own sample.
        TaskError: Its code may not run.
    """
    config = _config(competition)
    if gaps := gaps_of_competition(competition):
        raise PrepareError(f"The competition's code cannot run here: {'; '.join(gaps)}")
    raw = job.sources.kaggle_all(config["id"])
    competition, raw, public, private = (path.resolve() for path in (competition, raw, job.public, job.private))

    def run(what: str, *paths: Path) -> Ran:
        script = competition / f"{'prepare' if what == 'prepare' else 'grade'}.py"
        arguments = ("-W", "ignore", "-m", mlebench_grading.__name__, what, *map(str, (competition, *paths)))
        folder, reads = public.parent, (competition, raw)
        program = ForeignProgram(script, arguments, folder, folder, reads=reads, network=network)
        return unsandboxed(program) if trusted else job.run_foreign(program)

    ran = run("prepare", raw, public, private)
    if ran.failure is not None:
        if ran.failure.endswith(AMONG_RAW):
            raise PrepareError(
                f"The competition's prepare.py {ran.failure.splitlines()[-1]} in {raw}",
                hint="Lay Kaggle's files there under their own names, archives as they are; also what prepare.py"
                " fetches itself, under the last name of its address, or import the competition again with --network.",
            )
        raise PrepareError(
            f"The competition's prepare.py fails {ran.where}: {ran.failure}",
            hint="Does it fetch data? Lay that into --raw DIR, under the last name of its address; or read it, and"
            f" import the competition again with --network, or with --trust. Is it older than {versions()}?",
        )
    answers, sample = (_made(config["dataset"][what], public, private) for what in ("answers", "sample_submission"))
    for made in (answers, sample):
        if not made.is_file():
            raise PrepareError(f"The competition's prepare.py made no {made.name}")
    if not (public / sample.name).exists():  # what the agent gets is packed, and the plain file lies with the answers
        shutil.copy(sample, public / sample.name)
    tried = run("try", sample, answers)
    if tried.failure is not None:
        raise PrepareError(
            f"The competition's grade.py cannot grade its own sample submission {tried.where}: {tried.failure}",
            hint="No run could be scored with it: mend competition/grade.py in the task, or install what it lacks."
            f" Is it older than {versions()}?",
        )


def _made(said: str, public: Path, private: Path) -> Path:
    """Where ``prepare.py`` makes what ``config.yaml`` names as ``ID/prepared/public/…`` or ``…/private/…``."""
    parts = PurePosixPath(said).parts
    for side in (public, private):
        if side.name in parts:
            return side.joinpath(*parts[parts.index(side.name) + 1 :])
    return private / parts[-1]


def gaps_of_competition(competition: Path) -> list[str]:
    """What the competition's code needs and does not find, in words."""
    return [gap for part in ("prepare", "grade") for gap in _gaps_of_part(competition / f"{part}.py")]


def _gaps_of_part(script: Path) -> list[str]:
    """What one of its scripts lacks, among it the function that bears the script's name."""
    return (
        [*lacking(script), *without_function(script, script.stem)]
        if script.is_file()
        else [f"{script.name} is missing"]
    )


def score_competition(competition: Path, artifacts: Path, private: Path) -> Grade:
    """What the competition's ``grade(submission, answers)`` says; see ``mlebench_grading.score``."""
    answers = _made(_config(competition)["dataset"]["answers"], private.with_name("public"), private)
    return mlebench_grading.score(competition, artifacts / mlebench_grading.SUBMISSION, answers)


def _config(folder: Path) -> dict[str, Any]:
    import yaml

    try:
        config = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
        parts = (config["id"], config["dataset"]["answers"], config["dataset"]["sample_submission"])
    except KeyError as error:
        raise TaskError(f"{folder / 'config.yaml'} is not a competition's: it has no {error}") from error
    except (yaml.YAMLError, TypeError) as error:
        raise TaskError(f"{folder / 'config.yaml'} is not a competition's: {error}") from error
    if not all(isinstance(part, str) for part in parts):
        raise TaskError(f"{folder / 'config.yaml'} is not a competition's: id, answers and sample must be texts")
    return dict(config)


def _direction(source: Path, competition: str) -> Direction:
    """Which way the score is better: a leaderboard lists the best first.

    Raises:
        RefusedImportError: Neither the source nor an installed MLE-bench has one that tells.
    """
    said = []
    for leaderboard in (source / _LEADERBOARD, *_of_package(competition)):
        if not leaderboard.is_file():
            said.append(f"{leaderboard} is not there")
            continue
        text = leaderboard.read_text(encoding="utf-8", errors="replace")
        if text.startswith(_LFS):
            said.append(f"{leaderboard} is a Git LFS pointer, not the table itself (git lfs pull fetches it)")
            continue
        scores = _scores(text)
        if len(scores) > 1 and scores[0] != scores[-1]:
            return Direction.MAXIMIZE if scores[0] > scores[-1] else Direction.MINIMIZE
        said.append(f"{leaderboard} does not list different scores")
    raise RefusedImportError(
        f"Nothing tells which way the score is better: {'; '.join(said)}", hint="Say so with --direction."
    )


def _of_package(competition: str) -> list[Path]:
    """The leaderboard that an installed MLE-bench has of the competition."""
    found = find_spec("mlebench")
    folders = found.submodule_search_locations if found is not None else None
    return [Path(folder, "competitions", competition, _LEADERBOARD) for folder in folders or ()]


def _scores(text: str) -> list[float]:
    scores = []
    for row in csv.DictReader(text.splitlines()):
        with suppress(ValueError):
            scores.append(float(row.get("score") or ""))
    return scores
