"""What a step changed in the workspace, from the snapshots before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Literal

from environment.snapshots.manifest import Entry, Kind, get_listing, walk
from environment.store import Store
from foundation.records import Record
from foundation.storable import Text

LARGEST_TEXT = 256 * 1024
LONGEST_COMPARED = 64 * 1024
MOST_FILES = 40


class FileChange(Record):
    """One file that a step added, changed or removed; ``diff`` is empty where a side is no short text.

    Attributes:
        after: What it holds then, where two runs are to be compared by it; ``None`` where that is no short text.
    """

    path: Text
    kind: Literal["added", "changed", "removed"]
    diff: Text
    after: Text | None = None


def changes_between(store: Store, before: str, after: str) -> tuple[FileChange, ...]:
    """Changes from one snapshot to the next; folders that stayed the same are not read.

    Raises:
        StoreError: A snapshot is missing or torn.
    """
    if before == after:
        return ()
    pairs = _differing(store, before, after, "")
    return _changes((path, _stored(store, old), _stored(store, new)) for path, old, new in pairs)


def changes_to_starter(store: Store, starter: Path, after: str) -> tuple[FileChange, ...]:
    """Changes from a task's starter files to a snapshot: what the first step did.

    An empty snapshot is that of an imported log, which kept no files; it shows no change.
    """
    files = {path: entry for path, entry in walk(store, after) if entry.kind is Kind.FILE}
    if not files:
        return ()
    known = {str(path.relative_to(starter)): path for path in starter.rglob("*") if path.is_file()}
    sides = (
        (name, known[name].read_bytes() if name in known else None, _stored(store, files.get(name)))
        for name in sorted(files.keys() | known.keys())
    )
    differing = [side for side in sides if side[1] != side[2]]
    changes = zip(_changes(iter(differing)), differing, strict=False)
    return tuple(change.model_copy(update={"after": _text(after)}) for change, (_, _, after) in changes)


def _changes(sides: Iterator[tuple[str, bytes | None, bytes | None]]) -> tuple[FileChange, ...]:
    return tuple(_change(*side) for _, side in zip(range(MOST_FILES), sides, strict=False))


def _differing(
    store: Store, before: str | None, after: str | None, above: str
) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    old = get_listing(store, before) if before else {}
    new = get_listing(store, after) if after else {}
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        folders = [entry.content if entry and entry.kind is Kind.FOLDER else None for entry in (was, now)]
        if any(folders):
            yield from _differing(store, folders[0], folders[1], f"{above}{name}/")
        if any(entry and entry.kind is Kind.FILE for entry in (was, now)) and _content(was) != _content(now):
            yield f"{above}{name}", was, now


def _content(entry: Entry | None) -> str | None:
    return entry.content if entry and entry.kind is Kind.FILE else None


def _stored(store: Store, entry: Entry | None) -> bytes | None:
    if entry is None or entry.kind is not Kind.FILE:
        return None
    return store.get_object(entry.content) if entry.size <= LARGEST_TEXT else b"\0"


def _change(path: str, before: bytes | None, after: bytes | None) -> FileChange:
    kind: Literal["added", "changed", "removed"] = (
        "added" if before is None else "removed" if after is None else "changed"
    )
    return FileChange(path=path, kind=kind, diff=_diff(path, before or b"", after or b""))


def _text(content: bytes | None) -> str | None:
    content = content or b""
    return None if b"\0" in content or len(content) > LONGEST_COMPARED else content.decode("utf-8", "replace")


def _diff(path: str, before: bytes, after: bytes) -> str:
    if b"\0" in before or b"\0" in after or len(before) + len(after) > 2 * LARGEST_TEXT:
        return ""
    old, new = (side.decode("utf-8", "replace").splitlines() for side in (before, after))
    return "\n".join(unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""))
