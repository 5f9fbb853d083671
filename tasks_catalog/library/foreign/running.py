"""Runs other people's preparation code: only once its owner has said so, and without the owner's keys."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tasks_catalog.library.errors import TaskError

KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")
"""The only variables that it sees, with those that lead Python to its packages."""


def require_trust(script: Path, *, trusted: bool) -> None:
    """Make sure that somebody has said yes to code that no sandbox holds.

    Raises:
        TaskError: Nobody has.
    """
    if script.is_file() and not trusted:
        raise TaskError(
            f"{script} is another's code, and preparing the task runs it as you, outside any sandbox",
            hint="Read it; then import with --trust. It gets none of your environment's variables.",
        )


def run_without_keys(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments in a folder, to its end, with none of this process's secrets in its variables."""
    variables = {name: os.environ[name] for name in KEPT if name in os.environ}
    packages = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**variables, "PYTHONPATH": packages},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    """The end of what a failed program printed."""
    return (done.stderr or done.stdout).strip()[-600:]
