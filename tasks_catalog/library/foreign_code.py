"""Other people's preparation code: where it runs is the caller's to say, and by default it does not run at all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tasks_catalog.library.errors import TaskError

KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")
"""The only variables that it sees outside a sandbox, with those that lead Python to its packages."""

_LAST_WORDS = 600


@dataclass(frozen=True)
class ForeignProgram:
    """A Python program of others.

    Attributes:
        script: The file that holds their code, for messages.
        arguments: Of Python. Paths are the host's.
        target: The one folder that it may write to.
        folder: Where it starts: the target, or a folder in it.
        reads: Folders besides the target that it has to see.
        network: Its owner lets this one reach the network.
    """

    script: Path
    arguments: tuple[str, ...]
    target: Path
    folder: Path
    reads: tuple[Path, ...] = ()
    network: bool = False


@dataclass(frozen=True)
class Ran:
    """How a program ended.

    Attributes:
        failure: The end of what it printed, where it failed.
        where: It ran there, for messages.
    """

    failure: str | None
    where: str


RunForeign = Callable[[ForeignProgram], Ran]
"""Runs a program to its end; raises ``TaskError`` where it may not run at all."""


def never(program: ForeignProgram) -> Ran:
    """Run nothing: nobody has said where.

    Raises:
        TaskError: Always.
    """
    raise TaskError(
        f"{program.script} is another's code, and there is no sandbox here to run it in",
        hint="Read it; then import with --trust, and it runs as you, without your environment's variables.",
    )


def unsandboxed(program: ForeignProgram) -> Ran:
    """Run it as this user, who has said yes to that, with none of this process's secrets in its variables."""
    variables = {name: os.environ[name] for name in KEPT if name in os.environ}
    packages = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, *program.arguments],
        cwd=program.folder,
        env={**variables, "PYTHONPATH": packages},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    printed = done.stderr or done.stdout
    return Ran(last_words(printed, done.returncode) if done.returncode else None, "outside any sandbox")


def refuse_ways_out(folder: Path, *parts: str, left_by: Path) -> None:
    """Make sure that who copies a folder of others copies nothing of his own, and comes to an end.

    Args:
        folder: The folder.
        parts: What is copied of it, if not all.
        left_by: Whose it is, for the message.

    Raises:
        TaskError: Something in it is neither a file nor a folder nor a link that stays inside.
    """
    top = folder.resolve()
    pending = [str(top / part) for part in parts or ("",)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.is_symlink():
                    if not Path(entry.path).resolve().is_relative_to(top):
                        raise _way_out(entry, top, left_by)
                elif not entry.is_file(follow_symlinks=False):
                    raise _way_out(entry, top, left_by)


def _way_out(entry: os.DirEntry[str], top: Path, left_by: Path) -> TaskError:
    return TaskError(f"{left_by} leaves {os.path.relpath(entry.path, top)}, which leads out of its folder")


def last_words(printed: str, code: int | None) -> str:
    """The end of what a failed program printed, in whole lines where it has some, else its exit code."""
    end = printed.strip()
    if len(end) > _LAST_WORDS:
        end = end[-_LAST_WORDS:]
        end = end.partition("\n")[2] or end
    if code is None:
        return end or "it prints nothing"
    return end or f"it prints nothing and ends with exit code {code}"
