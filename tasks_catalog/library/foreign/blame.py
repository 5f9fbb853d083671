"""Whether a grader of others breaks on what was submitted: it may import code that the agent has changed or removed."""

from __future__ import annotations

import traceback
from pathlib import Path


def comes_of(error: BaseException, submitted: Path, starter: Path | None) -> bool:
    """Whether an error was raised in submitted code, or because some of it is gone.

    Args:
        error: What the grader raised.
        submitted: Where the submitted files lie.
        starter: What they started from; a file that is still the same is no doing of the agent's. None for folders
            that were imported before it was kept: every file counts there.
    """
    if isinstance(error, ModuleNotFoundError) and starter is not None and _has_module(starter, error.name or ""):
        return True
    return any(_is_changed(Path(file), submitted, starter) for file in _files(error))


def _files(error: BaseException) -> set[str]:
    """The files that an error speaks of, or was raised through."""
    named = {error.filename} if isinstance(error, SyntaxError) else set()
    named |= {error.path} if isinstance(error, ImportError) else set()
    return {name for name in named if name} | {frame.filename for frame in traceback.extract_tb(error.__traceback__)}


def _is_changed(file: Path, submitted: Path, starter: Path | None) -> bool:
    path, top = file.resolve(), submitted.resolve()
    if not path.is_relative_to(top) or starter is None:
        return path.is_relative_to(top)
    before = starter / path.relative_to(top)
    return not (before.is_file() and before.read_bytes() == path.read_bytes())


def _has_module(folder: Path, name: str) -> bool:
    return bool(name) and ((folder / f"{name}.py").is_file() or (folder / name).is_dir())
