"""Tasks of the original MLAgentBench: ``env/`` is the workspace, ``scripts/eval.py`` the grader."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from urllib.error import URLError

from tasks_catalog.library.errors import InvalidSubmissionError, PrepareError, RefusedImportError
from tasks_catalog.library.foreign.blame import comes_of
from tasks_catalog.library.foreign.folder import ImportedTask, new_folder, said_in, write_folder
from tasks_catalog.library.foreign.lacking import lacking, without_function
from tasks_catalog.library.foreign.own_files import missing_files
from tasks_catalog.library.foreign.undefined import finite
from tasks_catalog.library.foreign_code import ForeignProgram, RunForeign, refuse_ways_out
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.prepare import PrepareJob
from tasks_catalog.library.spec import Direction, Task

MINIMISED = {
    "amp-parkinsons-disease-progression-prediction",
    "babylm",
    "feedback",
    "house-price",
    "llama-inference",
    "parkinsons-disease",
    "vectorization",
}
MAXIMISED = {
    "bibtex-generation",
    "cifar10",
    "clrs",
    "fathomnet",
    "identify-contrails",
    "imdb",
    "literature-review-tool",
    "ogbg-molhiv",
    "ogbn-arxiv",
    "spaceship-titanic",
}

_BENCHMARKS = "benchmarks"
_NAMED = re.compile(r"^\w+ *= *[\"'](\w[\w.-]*)[\"']", re.MULTILINE)
"""How a script names its task, by which its folder is called."""

_NO_STARTER = '"""The original gives no script to start from."""\n'
_OWN_FAULTS = (ImportError, MemoryError, ConnectionError, URLError)
"""What no submission can make a grader raise, but by code of its own that the grader imports."""

_ASKS = "It asks at the keyboard whether its data's rules are accepted, and is told so with --raw alone. "
_BY_HAND = " Or lay the data into env/ by hand, make an empty file scripts/prepared, and import again."
_FETCH_BY_HAND = (
    "Does it fetch its data? Fetch that by hand and import with --raw DIR, which stands in for kaggle, wget and"
    f" addresses; or read it, and import with --network, or with --trust to run it as you.{_BY_HAND}"
)
_LOOK_AT_RAW = (
    f"Does {{raw}} hold all that it fetches, in the folders of the archive? It finds only what lies there.{_BY_HAND}"
)

_PREPARE = '''"""Lays the original's scripts where only the grader sees them."""

from tasks_catalog.library.foreign.mlagentbench import lay_scripts


def prepare(job):
    lay_scripts(__file__, job)
'''
_GRADE = '''"""Calls the original's scripts/eval.py."""

from pathlib import Path

from tasks_catalog.library.foreign.mlagentbench import score_original


def score(artifacts, private):
    return score_original(artifacts, private / "scripts", Path(__file__).parent / "workspace")
'''


def import_original(
    source: Path, parent: Path, direction: Direction | None, run: RunForeign, raw: Path | None = None
) -> Task:
    """Make a task folder from ``env/`` and ``scripts/``; see ``import_task``.

    The original's ``scripts/prepare.py`` is run once, on a copy, as it lays data into ``env/``.

    Raises:
        RefusedImportError: The direction of the score is unknown.
        TaskError: The code may not run.
        PrepareError: The original's ``prepare.py`` fails.
    """
    name = source.resolve().name.lower()
    known = Direction.MINIMIZE if name in MINIMISED else Direction.MAXIMIZE if name in MAXIMISED else None
    wanted = direction or known
    if wanted is None:
        raise RefusedImportError(
            f"{source} does not say which way its score is better", hint="Say so with --direction."
        )
    with new_folder(source, parent) as folder:
        return _fill(folder, source, wanted, run, raw)


def _fill(folder: Path, source: Path, direction: Direction, run: RunForeign, raw: Path | None) -> Task:
    refuse_ways_out(source, "env", "scripts", left_by=source)
    # What it leaves elsewhere, compiled code beside our prepare.py above all, must not come into the task.
    own = folder / "original"
    shutil.copytree(source / "env", own / "env", symlinks=True)
    shutil.copytree(source / "scripts", own / "scripts", symlinks=True)
    _run_prepare(own, run, raw)
    (own / "env").rename(folder / "workspace")
    (own / "scripts").rename(folder / "scripts")
    shutil.rmtree(own)
    spec = ImportedTask(
        name=folder.name,
        source=f"MLAgentBench, {source.name}",
        metric="score",
        direction=direction,
        script=_script(folder / "workspace"),
        artifacts=("*",),
        readonly=tuple(_lines(folder / "scripts" / "read_only_files.txt")),
        split="as in the original",
    )
    problem = "\n".join(_lines(folder / "scripts" / "research_problem.txt"))
    return write_folder(folder, spec, instruction=problem or f"Improve {spec.script}.", prepare=_PREPARE, grade=_GRADE)


def lay_scripts(prepare_script: str, job: PrepareJob) -> None:
    """What an imported task's ``prepare`` does: its data is in the workspace already.

    Raises:
        PrepareError: No run could be graded.
    """
    if gaps := gaps_of_grader(Path(prepare_script).parent / "scripts"):
        raise PrepareError(f"No run of this task could be graded: {'; '.join(gaps)}")
    shutil.copytree(Path(prepare_script).parent / "scripts", job.private / "scripts", symlinks=True)


def gaps_of_grader(scripts: Path) -> list[str]:
    """What the original's grader needs and does not find, in words."""
    script, workspace = scripts / "eval.py", scripts.parent / "workspace"
    if script.is_file():
        return [
            *lacking(script, workspace),  # which lies beside it as env/ when it grades
            *without_function(script, "get_score"),
            *(f"{script.name} reads {name}, which is not in scripts/: lay it there" for name in missing_files(script)),
        ]
    return [
        f"the original has no {script.name}: write one into scripts/ with get_score(folder), which returns the score"
    ]


def score_original(artifacts: Path, scripts: Path, starter: Path | None = None) -> Grade:
    """What ``get_score`` of the original's ``eval.py`` says of the submitted files.

    Works on copies, laid out as in the original, as its graders read and write beside themselves.

    Args:
        artifacts: The submitted files.
        scripts: The original's, with the answers.
        starter: What the submitted files started from, which tells submitted code from the original's.

    Raises:
        InvalidSubmissionError: ``get_score`` fails, which is taken to be the submission's doing; or loading ``eval.py``
            does, in code that was submitted.
        ImportError, FileNotFoundError, URLError, ConnectionError: It lacks a library, a file of its own, or the network
            from which it fetches data.
    """
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(artifacts, Path(scratch) / "env")
        shutil.copytree(scripts, Path(scratch) / "scripts")
        os.chdir(Path(scratch) / "scripts")
        sys.path.insert(0, str(Path.cwd()))
        evaluation: ModuleType | None = None
        try:
            evaluation = load_module(Path.cwd() / "eval.py", "eval")
            score = float(evaluation.get_score(str(Path(scratch) / "env")))
        except (Exception, SystemExit) as error:
            own = evaluation is None or isinstance(error, _OWN_FAULTS) or _is_of(error, Path(scratch) / "scripts")
            if own and not comes_of(error, Path(scratch) / "env", starter):
                raise
            raise InvalidSubmissionError(
                f"the original's grader gives no score: {type(error).__name__}: {error}"
            ) from error
        return Grade(score=finite(score, "the original's"))


def _is_of(error: BaseException, scripts: Path) -> bool:
    """Whether what is missing is a file of the grader's own."""
    name = error.filename if isinstance(error, FileNotFoundError) else None
    return isinstance(name, str) and (scripts / name).resolve().is_relative_to(scripts.resolve())


def _run_prepare(folder: Path, run: RunForeign, raw: Path | None) -> None:
    scripts = folder / "scripts"
    script = scripts / "prepare.py"
    if not script.is_file() or (scripts / "prepared").exists():
        return
    fetched = () if raw is None else ("-m", "tasks_catalog.library.foreign.fetched", str(raw.resolve()))
    reads = () if raw is None else (raw.resolve(),)
    with _found_from_the_top(script):
        ran = run(ForeignProgram(script, (*fetched, script.name), target=folder, folder=scripts, reads=reads))
    if ran.failure is not None:
        gaps = "".join(f"\n{gap}" for gap in lacking(script, folder / "env"))
        hint = _FETCH_BY_HAND if raw is None else _LOOK_AT_RAW.format(raw=raw)
        raise PrepareError(
            f"The original's prepare.py fails {ran.where}: {ran.failure}{gaps}",
            hint=_ASKS + hint if "EOFError" in ran.failure else hint,
        )


@contextmanager
def _found_from_the_top(script: Path) -> Iterator[None]:
    """Let a script that was written for the top of the benchmark find ``benchmarks/NAME/env`` from its own folder."""
    code = script.read_text(encoding="utf-8", errors="replace")
    benchmarks = script.parent / _BENCHMARKS
    if f"{_BENCHMARKS}/" not in code or benchmarks.exists():
        yield
        return
    benchmarks.mkdir()
    for name in {script.parents[1].name, *_NAMED.findall(code)}:
        (benchmarks / name).symlink_to("../..")
    try:
        yield
    finally:
        shutil.rmtree(benchmarks, ignore_errors=True)


def _script(workspace: Path) -> str:
    """The script that the agent is to improve; an empty one where the original gives none."""
    scripts = sorted(path.name for path in workspace.glob("*.py"))
    for name in ("train.py", "inference.py", *scripts):
        if name in scripts:
            return name
    (workspace / "train.py").write_text(_NO_STARTER, encoding="utf-8")
    return "train.py"


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        return []
    lines = said_in(path).splitlines()
    return [line.strip().removeprefix("./") for line in lines if line.strip()]
