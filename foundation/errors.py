"""The root of every exception this project raises."""

from __future__ import annotations

from foundation.text import encodable


class MlabError(Exception):
    """Something a person can act on: what went wrong, and what to do about it.

    Args:
        message: What went wrong and where.
        hint: What the reader can do now; shown on a line of its own.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        # It goes to Prefect, into files and to terminals, and may quote what others wrote.
        self.message = encodable(message)
        self.hint = encodable(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message

    @property
    def sentence(self) -> str:
        """Message and hint for a place that has one line."""
        return sentence(*str(self).splitlines())


def sentence(*parts: str) -> str:
    """The parts one after the other, told apart by punctuation where they bring none."""
    joined = ""
    for part in filter(None, map(str.strip, parts)):
        if joined and joined[-1].isalnum() | (joined[-1] in ")'`\""):
            joined += "." if part[0].isupper() else ";"
        joined += f" {part}" if joined else part
    return joined
