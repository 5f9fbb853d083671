"""How often a run may have its submission checked, and how often it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from environment.errors import RefusedActionError


class Validations:
    """A check that answers a limited number of times, so that no secret is read off it bit by bit.

    Args:
        check: Raises ``InvalidSubmissionError`` with what is wrong with the submission in a folder.
        allowed: How often it is asked at most.

    Attributes:
        used: How often it was asked.
    """

    def __init__(self, check: Callable[[Path], None], allowed: int) -> None:
        self._check = check
        self.allowed = allowed
        self.used = 0

    def ask(self, folder: Path) -> None:
        """Have a folder checked; counts whatever comes of it.

        Raises:
            RefusedActionError: No check is left.
            InvalidSubmissionError: The submission would not be scored, and why.
        """
        if self.used >= self.allowed:
            raise RefusedActionError(f"All {self.allowed} checks of this run are used; nothing was checked.")
        self.used += 1
        self._check(folder)

    @property
    def left(self) -> str:
        """How many checks are left, in words."""
        return f"{self.allowed - self.used} of {self.allowed} checks are left."
