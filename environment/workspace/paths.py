"""The agent's paths and the task's read-only patterns, as text: no file is touched here."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from environment.errors import ForbiddenActionError, RefusedActionError
from environment.sandbox.base import WORKSPACE
from foundation.text import shown


def parts_of(path: str) -> tuple[str, ...]:
    """The components of a path relative to the workspace; ``..`` stays, for whoever follows the links.

    A path below ``/workspace``, where scripts see the workspace, is taken as relative to it.

    Raises:
        ForbiddenActionError: The path is absolute and elsewhere.
        RefusedActionError: It holds characters that no path can.
    """
    if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
        raise RefusedActionError(f"{shown(path)} cannot be a path: it holds a character that no file name can.")
    pure = PurePosixPath(path)
    if pure.is_absolute():
        if not pure.is_relative_to(WORKSPACE):
            raise outside(path)
        pure = pure.relative_to(WORKSPACE)
    return pure.parts


def outside(path: str) -> ForbiddenActionError:
    """The refusal of a path that leaves the workspace."""
    return ForbiddenActionError(
        f"{shown(path)} is outside the workspace.",
        hint=f"Use a path inside it, such as train.py or {WORKSPACE}/train.py.",
    )


class ReadOnlyPatterns:
    """Which workspace paths the agent may not change.

    A pattern protects what it matches and all below; ``*`` crosses ``/``, and ``./x`` is ``x``.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self.patterns = tuple("/".join(PurePosixPath(pattern).parts) for pattern in patterns)

    def protects(self, name: str, *, is_folder: bool = False) -> bool:
        """Whether a normalised workspace path may not be changed; for a folder, with all that it holds."""
        path = PurePosixPath(name)
        names = [name, *map(str, path.parents[:-1])] + ([f"{name}/"] if is_folder else [])
        return any(fnmatchcase(candidate, pattern) for pattern in self.patterns for candidate in names)
