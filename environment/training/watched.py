"""Scripts that a command started by itself, as the watcher inside the sandbox has noted them.

What it left is an untrusted command's: no link is followed, and all is capped.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from pydantic import Field, ValidationError

from environment.records import KilledBy
from environment.sandbox.base import Execution
from environment.snapshots.walk import mend
from environment.training import watcher
from environment.training.written import read_plain
from foundation.records import Record
from foundation.sizes import MiB

MOST = 200
"""Scripts of one command."""
_SOURCE, _OUTPUT, _NOTES = 1 * MiB, 16 * MiB, 1 * MiB
_WATCHER = "sitecustomize.py"


class _Note(Record):
    """What the watcher says of a script."""

    script: str = Field(max_length=4_096)
    args: tuple[str, ...] = Field(default=(), max_length=1_000)
    started: float = Field(ge=0, le=4e9)
    seconds: float = Field(default=0.0, ge=0)
    exit_code: int | None = None


class WatchedScript(Record):
    """One script that a command ran.

    Attributes:
        script: Its path in the workspace.
        code: As it was when it began.
        started: When that was.
        execution: How it ended; one whose end was not seen was ended by the command.
        logged: The folder of what it logged to MLflow.
        written: The files of the workspace that it opened to write.
    """

    script: str
    args: tuple[str, ...]
    code: bytes
    started: datetime
    execution: Execution
    logged: Path
    written: tuple[str, ...]


def lay_watcher(folder: Path) -> None:
    """Put the watcher into a folder that ``PYTHONPATH`` is to lead to."""
    shutil.copyfile(watcher.__file__, folder / _WATCHER)


def read_scripts(folder: Path) -> Iterator[WatchedScript]:
    """The scripts noted in a folder, in the order in which they began."""
    mend(folder)
    names = sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    for name in names[:MOST]:
        kept = folder / name
        with suppress(ValidationError):
            note = _Note.model_validate_json(read_plain(kept / "run.json", _NOTES) or b"")
            yield WatchedScript(
                script=str(PurePosixPath(note.script)),
                args=note.args,
                code=read_plain(kept / "source", _SOURCE) or b"",
                started=datetime.fromtimestamp(note.started, UTC),
                execution=Execution(
                    exit_code=note.exit_code,
                    output=read_plain(kept / "output", _OUTPUT) or b"",
                    seconds=note.seconds,
                    killed_by=KilledBy.CANCELLED if note.exit_code is None else None,
                ),
                logged=kept / "mlflow",
                written=noted(kept / "written"),
            )


def noted(file: Path) -> tuple[str, ...]:
    """The paths that a script has noted as written."""
    content = read_plain(file, _NOTES) or b""
    return tuple(part.decode("utf-8", "surrogateescape") for part in content.split(b"\0") if part)
