"""What a patch is made of."""

from __future__ import annotations

from dataclasses import dataclass

from environment.errors import ActionError


class PatchError(ActionError):
    """A patch cannot be read, or does not fit; nothing was changed."""


@dataclass(frozen=True)
class Hunk:
    """Lines in the place of others, without their line ends.

    Attributes:
        before: The lines that must be there; none adds to a new or empty file.
        after: What takes their place.
        line: Where the patch says they begin, counted from 1; ``None`` where it does not say.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    line: int | None = None


@dataclass(frozen=True)
class FilePatch:
    """The hunks for one file.

    Attributes:
        path: As the patch names it.
        hunks: In the order written.
        deletes: The file is to go, once its hunks fit all that is in it.
    """

    path: str
    hunks: tuple[Hunk, ...]
    deletes: bool = False
