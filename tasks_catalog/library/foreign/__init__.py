"""Other benchmarks' tasks as folders of ours: their graders run as they are, inside the grading sandbox."""

from __future__ import annotations

from pathlib import Path

from foundation.text import shown
from tasks_catalog.library.errors import TaskNotFoundError, writing
from tasks_catalog.library.foreign.fetching import fetching
from tasks_catalog.library.foreign.lacking import lacking as read_for_gaps
from tasks_catalog.library.foreign.mlagentbench import gaps_of_grader, import_original
from tasks_catalog.library.foreign.mlebench import gaps_of_competition, import_competition
from tasks_catalog.library.foreign_code import RunForeign, never
from tasks_catalog.library.spec import Direction, Task

__all__ = ["fetched_when_grading", "fetched_when_preparing", "gaps", "gaps_of_starter", "import_task"]


def gaps(task: Task) -> list[str]:
    """What an imported task's code needs and does not find on this machine, in words: without it no run is graded."""
    competition, scripts = task.root / "competition", task.root / "scripts"
    if competition.is_dir():
        return gaps_of_competition(competition)
    return gaps_of_grader(scripts) if scripts.is_dir() else []


def gaps_of_starter(task: Task) -> list[str]:
    """What the script that an agent starts from needs and does not find on this machine, in words.

    Runs are graded all the same: an agent meets it, and may write around it.
    """
    return read_for_gaps(task.starter / task.spec.script)


def fetched_when_grading(task: Task) -> list[str]:
    """Where an imported task's grader fetches data, which it cannot without network, in words.

    No gap, as it may find the data where it was fetched before, or may not come to it.
    """
    grader = task.root / "competition" / "grade.py"
    if grader.is_file():
        return fetching(grader)
    return fetching(task.root / "scripts" / "eval.py", task.root / "workspace")


def fetched_when_preparing(task: Task) -> list[str]:
    """Where an imported task's ``prepare.py`` fetches data, in words.

    An original's has run already, and may have ended well without: few look at how their ``wget`` ended.
    """
    scripts = task.root / "scripts"
    if (scripts / "prepared").exists():
        return []
    return fetching(task.root / "competition" / "prepare.py") + fetching(scripts / "prepare.py")


def import_task(
    source: Path,
    parent: Path,
    *,
    direction: Direction | None = None,
    run: RunForeign = never,
    trusted: bool = False,
    network: bool = False,
    raw: Path | None = None,
) -> Task:
    """Make a task folder below ``parent`` from a task of MLAgentBench or a competition of MLE-bench.

    Args:
        source: A folder with ``env/`` and ``scripts/``, or with ``config.yaml``, ``prepare.py`` and ``grade.py``.
        parent: Where the new folder is made, under the name of the source.
        direction: Which way the score is better, where the source does not say.
        run: Runs the source's ``prepare.py``.
        trusted: Whether its owner lets a competition's run outside any sandbox whenever its data is made.
        network: Whether its owner lets a competition's reach the network from its sandbox whenever its data is made.
        raw: Files fetched by hand, in place of those that MLAgentBench's ``prepare.py`` downloads; a competition's are
            given whenever its data is made.

    Returns:
        The task, marked as not hardened.

    Raises:
        TaskNotFoundError: The source is neither.
        TaskError: Its direction is unknown, or its code may not run.
        PrepareError: Its code fails.
    """
    with writing(source):
        if not source.is_dir():
            raise TaskNotFoundError(f"There is no folder {shown(str(source))}", hint="Name the folder to import.")
    if (source / "env").is_dir() and (source / "scripts").is_dir():
        return import_original(source, parent, direction, run, raw)
    if (source / "config.yaml").is_file():
        return import_competition(source, parent, direction, trusted=trusted, network=network)
    raise TaskNotFoundError(
        f"{source} is neither a task of MLAgentBench nor a competition of MLE-bench",
        hint="Looked for env/ and scripts/, and for config.yaml.",
    )
