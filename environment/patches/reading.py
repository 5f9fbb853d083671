"""Reads a patch: a unified diff, or search-and-replace blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from environment.patches.hunk import FilePatch, Hunk, PatchError

FORMS = """Either a unified diff:
```
--- a/train.py
+++ b/train.py
@@ -3,2 +3,2 @@
 import numpy as np
-LR = 0.1
+LR = 0.01
```
or blocks, each under the path of its file:
```
train.py
<<<<<<< SEARCH
LR = 0.1
=======
LR = 0.01
>>>>>>> REPLACE
```"""

_SEARCH = re.compile(r"<{5,9} ?SEARCH\s*$")
_DIVIDER = re.compile(r"={5,9}\s*$")
_REPLACE = re.compile(r">{5,9} ?REPLACE\s*$")
_OLD = re.compile(r"--- (?P<path>\S[^\t]*)")
_NEW = re.compile(r"\+\+\+ (?P<path>\S[^\t]*)")
_HUNK = re.compile(r"@@(?: -(?P<line>\d+)(?:,\d+)? \+\d+(?:,\d+)?)? ?@@|@@\s*$")
_BETWEEN = ("diff ", "index ", "new file", "deleted file", "old mode", "new mode", "similarity ", "```", "*** ")
_NOTHING = "/dev/null"


def read_patch(text: str, file_name: str | None = None) -> list[FilePatch]:
    """The files that a patch changes, in its order.

    Args:
        text: The patch.
        file_name: The file that parts belong to which name none.

    Raises:
        PatchError: It is neither form; says where and what is wrong.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if any(_SEARCH.match(line) for line in lines):
        found = _merged(_blocks(lines, file_name))
    else:
        found = _merged(_diffs(lines, file_name))
    if not found:
        raise PatchError("The patch holds no hunk and no block; nothing was changed.", hint=FORMS)
    return found


def _merged(parts: Iterator[FilePatch]) -> list[FilePatch]:
    """One patch a file, however often the text comes back to it."""
    by_path: dict[str, FilePatch] = {}
    for part in parts:
        before = by_path.get(part.path)
        hunks = (*before.hunks, *part.hunks) if before else part.hunks
        by_path[part.path] = replace(part, hunks=hunks)
    return list(by_path.values())


def _blocks(lines: Sequence[str], file_name: str | None) -> Iterator[FilePatch]:
    path, n = file_name, 0
    while n < len(lines):
        if not _SEARCH.match(lines[n]):
            named = lines[n].strip().strip("`*# ").rstrip(":")
            path = named if named and not lines[n].startswith("```") else path
            n += 1
            continue
        if path is None:
            raise PatchError(
                f"The block at line {n + 1} of the patch stands under no path; nothing was changed.", hint=FORMS
            )
        divider = _next(lines, n + 1, _DIVIDER, "=======", n)
        end = _next(lines, divider + 1, _REPLACE, ">>>>>>> REPLACE", n)
        hunk = Hunk(tuple(lines[n + 1 : divider]), tuple(lines[divider + 1 : end]))
        yield FilePatch(path, (hunk,))
        n = end + 1


def _next(lines: Sequence[str], start: int, marker: re.Pattern[str], name: str, block: int) -> int:
    for n in range(start, len(lines)):
        if marker.match(lines[n]):
            return n
        if _SEARCH.match(lines[n]):
            break
    raise PatchError(f"The block at line {block + 1} of the patch has no line {name}; nothing was changed.", hint=FORMS)


def _diffs(lines: Sequence[str], file_name: str | None) -> Iterator[FilePatch]:
    """Each file of a unified diff; the counts of its hunks are not relied on, since models miscount."""
    paths: list[str] = []
    hunks: list[Hunk] = []
    n = 0
    while n < len(lines):
        old, new = _OLD.match(lines[n]), _NEW.match(lines[n + 1]) if n + 1 < len(lines) else None
        if old and new:
            if hunks:
                yield _file(paths, hunks, file_name)
            paths, hunks, n = [old["path"].strip(), new["path"].strip()], [], n + 2
        elif header := _HUNK.match(lines[n]):
            end = _end_of_hunk(lines, n + 1)
            hunks.append(_hunk(lines, n + 1, end, header["line"]))
            n = end
        elif lines[n].strip() and not lines[n].startswith(_BETWEEN):
            raise PatchError(
                f"Line {n + 1} of the patch belongs to no hunk: {lines[n][:80]!r}; nothing was changed.", hint=FORMS
            )
        else:
            n += 1
    if hunks:
        yield _file(paths, hunks, file_name)


def _end_of_hunk(lines: Sequence[str], start: int) -> int:
    n = start
    while n < len(lines) and not _HUNK.match(lines[n]) and not lines[n].startswith(("diff ", "```", "*** ")):
        if _OLD.match(lines[n]) and n + 1 < len(lines) and _NEW.match(lines[n + 1]):
            break
        n += 1
    while n > start and not lines[n - 1]:  # empty lines at its end separate; one of the file has a blank before it
        n -= 1
    return n


def _hunk(lines: Sequence[str], start: int, end: int, line: str | None) -> Hunk:
    before, after = list[str](), list[str]()
    for n in range(start, end):
        mark, rest = lines[n][:1], lines[n][1:]
        if mark not in ("", " ", "-", "+", "\\"):
            raise PatchError(
                f"Line {n + 1} of the patch begins with none of ' ', '+' and '-': {lines[n][:80]!r}; nothing was "
                "changed.",
                hint=FORMS,
            )
        if mark in ("", " ", "-"):
            before.append(rest)
        if mark in ("", " ", "+"):
            after.append(rest)
    if before == after:
        raise PatchError(f"The hunk at line {start} of the patch changes nothing; nothing was changed.", hint=FORMS)
    return Hunk(tuple(before), tuple(after), int(line) if line and int(line) > 0 else None)


def _file(paths: Sequence[str], hunks: Sequence[Hunk], file_name: str | None) -> FilePatch:
    if not paths and file_name is None:
        raise PatchError("The diff has no lines --- and +++ that name its file; nothing was changed.", hint=FORMS)
    old, new = paths or (file_name or "", file_name or "")
    path = old if new == _NOTHING else new
    is_prefixed = path.startswith(("a/", "b/")) and (old == _NOTHING or new == _NOTHING or old[2:] == new[2:])
    return FilePatch(path[2:] if is_prefixed else path, tuple(hunks), deletes=new == _NOTHING)
