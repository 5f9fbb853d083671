"""What an edit puts in the place of what, as far as its words or the harness's say it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from environment.records import Action
from evaluation.record.kinds import EventKind, in_place

CUT = "[…]"
"""Where an importer left something out."""
_DIFF = re.compile(r"^@@ .*$|^--- ?$\n^\+\+\+ ?$|[Hh]ere is the diff", re.MULTILINE)
_BLOCK = re.compile(r"^<{5,} ?SEARCH.*?\n(.*?)^={5,}\n?(.*?)^>{5,} ?REPLACE", re.MULTILINE | re.DOTALL)
"""An edit as what is searched for and what replaces it."""
_PATCH = re.compile(r"^\*\*\* Begin Patch|^diff --git ", re.MULTILINE)
_PART = re.compile(r"\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?|\w+|[^\w\s]", re.IGNORECASE)
"""A number, a word or a sign of a line of code."""
_MOST_LINES = 400
_EDIT_RANGE = re.compile(r"^\s*edit\s+(\d+):(\d+)")


class Swap(NamedTuple):
    """One number or word of a line, in the place of another; all in lower case."""

    line: str  # without either
    old: str
    new: str


@lru_cache(maxsize=1024)
def swaps(removed: str, added: str) -> tuple[Swap, ...]:
    """The lines of an edit that are as they were but for one number or word."""
    olds, news = ([*dict.fromkeys(text.lower().splitlines())] for text in (removed, added))
    if len(olds) + len(news) > _MOST_LINES:
        return ()
    held = {
        (n, *parts[:n], *parts[n + 1 :]): part for parts in map(_PART.findall, olds) for n, part in enumerate(parts)
    }
    found = []
    for parts in map(_PART.findall, news):
        for n, part in enumerate(parts):
            old = held.get((n, *parts[:n], *parts[n + 1 :]), part)
            if old != part and part[0].isalnum() and old[0].isalnum():
                found.append(Swap(" ".join((*parts[:n], *parts[n + 1 :])), old, part))
    return tuple(found)


def change_of(
    kind: EventKind, action: Action, command: str, seen: str, listing: dict[int, str]
) -> tuple[str, str, bool]:
    """What an action added and removed, and whether these are known to be all.

    Args:
        kind: What it was for.
        action: As it was called.
        command: Its text.
        seen: What came back.
        listing: The file last shown, by line number.
    """
    is_code = isinstance(action.args.get("code"), str)
    replaced = _replaced(action, command) if kind is EventKind.EDIT else None
    return replaced or _change(kind, command, seen, listing, is_code=is_code)


def _replaced(action: Action, command: str) -> tuple[str, str, bool] | None:
    """What an edit says it puts in the place of what; ``None`` where it does not say both."""
    if _PATCH.search(command):
        lines = [line for line in command.splitlines() if not line.startswith(("+++ ", "--- ", "*** "))]
        added = "\n".join(line[1:] for line in lines if line.startswith("+"))
        return added, "\n".join(line[1:] for line in lines if line.startswith("-")), CUT not in command
    edits = action.args.get("edits")
    given = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else [action.args]
    pairs = [
        (edit.get("new_string", edit.get("new_str", "")), edit.get("old_string", edit.get("old_str"))) for edit in given
    ]
    if not pairs or not all(isinstance(new, str) and isinstance(old, str) for new, old in pairs):
        return None
    added, removed = ("\n".join(str(text) for text in texts) for texts in zip(*pairs, strict=True))
    return added, removed, CUT not in added


def _change(
    kind: EventKind, command: str, seen: str, listing: dict[int, str], *, is_code: bool
) -> tuple[str, str, bool]:
    if kind is EventKind.UNDO:
        return "", "", False
    if kind is not EventKind.EDIT:
        is_written = is_code or "\n" in command or in_place(command)
        return (command, "", False) if kind is EventKind.RUN and is_written else ("", "", False)
    blocks = _BLOCK.findall(command)
    if blocks:
        return "\n".join(new for _, new in blocks), "\n".join(old for old, _ in blocks), CUT not in command
    if _DIFF.search(seen):
        body = seen[_DIFF.search(seen).start() :]  # type: ignore[union-attr]
        lines = [line for line in body.splitlines() if not re.match(r"(?:\+\+\+|---) ?\S*\s*$", line)]
        added = "\n".join(line[1:] for line in lines if line.startswith("+"))
        removed = "\n".join(line[1:] for line in lines if line.startswith("-"))
        return added, removed, CUT not in seen
    span = _EDIT_RANGE.match(command)
    if span:
        removed = "\n".join(
            listing.get(number, "") for number in range(int(span[1]), min(int(span[2]), int(span[1]) + 2000) + 1)
        )
        return command.partition("\n")[2].replace("end_of_edit", ""), removed, False
    return command, "", False
