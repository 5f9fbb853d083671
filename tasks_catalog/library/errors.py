"""Errors of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foundation.errors import MlabError
from foundation.faults import with_place
from foundation.text import shown


class TaskError(MlabError):
    """A task folder is missing, incomplete or wrong."""


class TaskNotFoundError(TaskError):
    """No task of that name in the catalogue, on the path given, or among the entry points."""


class BrokenTaskError(TaskError):
    """A task folder is incomplete, or its ``task.toml`` is wrong."""


class RefusedImportError(TaskError):
    """An import lacks what nobody but the person can say, or its place is taken."""


class PrepareError(TaskError):
    """The data of a task could not be made: no network, no disk, no credentials, wrong checksum."""


class NotFetchedError(PrepareError):
    """A source gives no file; one fetched by hand would do."""


class NoCredentialsError(NotFetchedError):
    """A source asks who one is, and nothing on this machine says it."""


class MissingExtraError(TaskError):
    """A task or model needs libraries that are not installed."""


class InvalidSubmissionError(TaskError):
    """What the agent submitted cannot be scored; the run fails with this reason, the grader does not."""


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Say in words why a folder that somebody named cannot be looked at or written.

    Raises:
        TaskError: Instead of what the operating system says.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise TaskError(f"{shown(str(folder))} cannot be used: {reason}") from error


@contextmanager
def mistakes_of(script: Path, task: str) -> Iterator[None]:
    """Say in words, with its line, what a task's own code fails at: the person who wrote it can mend it.

    An exit counts as a failure: it would end the whole command. What the operating system says goes through.

    Raises:
        PrepareError: Instead of whatever the code raises.
    """
    try:
        yield
    except (MlabError, OSError):
        raise
    except (Exception, SystemExit) as error:
        raise PrepareError(
            f"{script.name} of {task} failed: {with_place(error)}",
            hint="Mend it; MLAB_TRACEBACK=1 shows the whole traceback.",
        ) from error
