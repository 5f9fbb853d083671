"""Reads whole files through actions that only read, however long an observation may be."""

from __future__ import annotations

import re

from pydantic import JsonValue

from agent.commands import read_file
from agent.errors import SkillError
from agent.protocol import View
from environment.records import Action, Outcome

_WINDOW = 100
_HEADER = re.compile(r"Here are the lines \(the file ends at line (\d+)\):\n\n")


class UnreadableFileError(SkillError):
    """A file cannot be read; the message is what the environment said."""


def read_whole(view: View, name: str, *, most: int | None = None) -> str:
    """The text of a file, or at least its first ``most`` characters.

    Raises:
        UnreadableFileError: It does not exist, is no text, or has lines too long to be shown.
    """
    seen = view.look(read_file(name))
    if seen.outcome is not Outcome.OK:
        raise UnreadableFileError(seen.text)
    if seen.full is None:
        return seen.text
    lines: list[str] = []
    length, last = 0, 1
    while len(lines) < last and (most is None or length < most):
        shown, last = _window(view, name, len(lines) + 1)
        lines += shown
        length += sum(len(line) + 1 for line in shown)
    return "\n".join(lines)


def _window(view: View, name: str, first: int) -> tuple[list[str], int]:
    """Some lines from ``first`` on, and the number of the file's last line."""
    args: dict[str, JsonValue] = {
        "script_name": name,
        "start_line_number": first,
        "end_line_number": first + _WINDOW - 1,
    }
    seen = view.look(Action(name="Inspect Script Lines", args=args))
    header = _HEADER.match(seen.text)
    if seen.outcome is not Outcome.OK or seen.full is not None or header is None:
        raise UnreadableFileError(f"{name} cannot be read whole: from line {first} on its lines are too long")
    return seen.text[header.end() :].split("\n"), int(header[1])
