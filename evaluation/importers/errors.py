"""What can be wrong with a log."""

from __future__ import annotations

from foundation.errors import MlabError


class LogError(MlabError):
    """A log cannot be read: which file, which place in it, and why."""

    def __init__(self, path: object, problem: str, *, place: str = "", hint: str = "") -> None:
        where = f"{path}, {place}" if place else str(path)
        super().__init__(f"{where}: {problem}", hint=hint)
        self.path = path
        self.place = place
