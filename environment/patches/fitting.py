"""Fits the hunks of a patch to a text."""

from __future__ import annotations

from collections.abc import Sequence

from environment.patches.hunk import FilePatch, Hunk, PatchError
from foundation.text import shown

_MOST_COMPARED = 4_000_000
"""Comparisons of lines, up to which the place is looked for that a hunk fits best."""
_MOST_PLACES = 5


def patched(patch: FilePatch, text: str) -> str:
    """The text after all hunks; each must fit in one place of the text as the hunks before it left it.

    Raises:
        PatchError: A hunk fits nowhere, or in several places; says which, and how the nearest place differs.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    is_open = lines[-1] != ""  # the last line does not end
    lines = lines if is_open else lines[:-1]
    moved = 0
    for number, hunk in enumerate(patch.hunks, 1):
        start = _place(patch.path, number, hunk, lines, moved)
        lines[start : start + len(hunk.before)] = hunk.after
        moved += len(hunk.after) - len(hunk.before)
    ends = bool(lines) and not (is_open and text)
    return newline.join(lines) + (newline if ends else "")


def _place(path: str, number: int, hunk: Hunk, lines: Sequence[str], moved: int) -> int:
    """The index of the first line that the hunk replaces."""
    if not hunk.before:
        return _place_of_addition(path, number, hunk, lines, moved)
    places = _places(hunk.before, lines)
    if not places:  # blanks at the end of lines are seldom seen
        places = _places([line.rstrip() for line in hunk.before], [line.rstrip() for line in lines])
    if len(places) == 1:
        return places[0]
    if not places:
        raise PatchError(f"{_name(path, number)} does not fit; nothing was changed. {_nearest(hunk.before, lines)}")
    stated = None if hunk.line is None else hunk.line - 1 + moved
    if stated in places:
        return places[places.index(stated)]
    listed = ", ".join(str(place + 1) for place in places[:_MOST_PLACES])
    more = " …" if len(places) > _MOST_PLACES else ""
    raise PatchError(
        f"{_name(path, number)} fits in {len(places)} places, at lines {listed}{more}; nothing was changed.",
        hint="Give more of the lines around it, so that it fits in one.",
    )


def _place_of_addition(path: str, number: int, hunk: Hunk, lines: Sequence[str], moved: int) -> int:
    """Where lines go that replace none: into an empty file, or behind the line that a diff names."""
    if not lines:
        return 0
    if hunk.line is None or hunk.line + moved > len(lines):
        raise PatchError(
            f"{_name(path, number)} names no line that is there, and the file is not empty; nothing was changed.",
            hint="Give the lines before and after what is to be added.",
        )
    return hunk.line + moved


def _places(wanted: Sequence[str], lines: Sequence[str]) -> list[int]:
    size = len(wanted)
    return [
        n for n in range(len(lines) - size + 1) if lines[n] == wanted[0] and list(lines[n : n + size]) == list(wanted)
    ]


def _nearest(wanted: Sequence[str], lines: Sequence[str]) -> str:
    """The place that most lines of the hunk fit, and the first that does not."""
    if not lines:
        return "The file is empty or does not exist."
    if len(wanted) * len(lines) > _MOST_COMPARED:
        return "Read the lines to be changed again."
    within = next((n for n, line in enumerate(lines, 1) if wanted[0].strip() and wanted[0].strip() in line), None)
    if len(wanted) == 1 and within is not None:
        return f"Line {within} reads {shown(lines[within - 1])!r}: give whole lines, with their blanks."
    best = max(range(len(lines)), key=lambda n: sum(a == b for a, b in zip(wanted, lines[n:], strict=False)))
    for offset, line in enumerate(wanted):
        place = best + offset
        if place >= len(lines):
            return (
                f"It goes beyond the end: the file has {len(lines)} lines, and the patch expects {shown(line)!r} next."
            )
        if lines[place] != line:
            fits = f"Its first {offset} lines fit at line {best + 1}, but line" if offset else "Line"
            return f"{fits} {place + 1} reads {shown(lines[place])!r}, and the patch expects {shown(line)!r}."
    return "Read the lines to be changed again."


def _name(path: str, number: int) -> str:
    return f"Hunk {number} for {shown(path)}"
