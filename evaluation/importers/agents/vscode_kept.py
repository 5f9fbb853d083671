"""What VS Code keeps of a chat while it goes on: a file of changes, which made in order give the chat.

The kinds of changes are numbered as in VS Code's ``objectMutationLog.ts``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from evaluation.importers.parsing import mapping


class Change(IntEnum):
    """What a line does with the value at its path ``k``."""

    WHOLE = 0
    """``v`` is all there is."""
    SET = 1
    """It becomes ``v``."""
    PUSH = 2
    """Of the list, only the first ``i`` stay where that is given; the items of ``v`` follow."""
    DELETE = 3
    """It is gone."""


def begins_kept_chat(line: dict[str, Any]) -> bool:
    """Whether a line is the first of such a file."""
    return line.get("kind") == Change.WHOLE and "requests" in mapping(line.get("v"))


def kept_chat(lines: Iterable[dict[str, Any]], unmade: Counter[str]) -> dict[str, Any]:
    """The chat after all changes; one of an unknown kind, or whose place is not there, is passed over and counted."""
    state: dict[str, Any] = {}
    for line in lines:
        kind, path = line.get("kind"), line.get("k")
        if kind == Change.WHOLE:
            state = mapping(line.get("v"))
        elif kind not in list(Change):
            unmade[f"kind {kind}"] += 1
        elif not isinstance(path, list) or not path or not _make(state, line, path):
            unmade["a change of what is not there"] += 1
    return state


def _make(state: dict[str, Any], line: dict[str, Any], path: list[Any]) -> bool:
    place: Any = state
    try:
        for name in path[:-1]:
            place = place[name]
        if line.get("kind") == Change.PUSH:
            kept = place[path[-1]]
            kept[line.get("i", len(kept)) :] = line.get("v") or []
        elif line.get("kind") == Change.DELETE:
            del place[path[-1]]
        elif isinstance(place, list) and path[-1] == len(place):
            place.append(line.get("v"))
        else:
            place[path[-1]] = line.get("v")
    except (LookupError, TypeError):
        return False
    return True
