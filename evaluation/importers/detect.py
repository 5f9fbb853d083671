"""Finds the logs under a path and reads each in its own format, one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from evaluation.importers.errors import LogError
from evaluation.importers.importer import JSON_SUFFIXES, Found
from evaluation.importers.mlagentbench import is_mlagentbench
from evaluation.importers.parsing import check_json_lines, mapping
from evaluation.importers.registry import IMPORTERS
from evaluation.record.log import RunLog

_SUFFIXES = (*JSON_SUFFIXES, ".eval")
_SKIPPED = ("traces", "node_modules", ".git", "tool_logs")


def read_logs(path: Path, on_error: Callable[[LogError], None] | None = None) -> Iterator[RunLog]:
    """Read every log under a path.

    Args:
        path: A log file, a log folder, or a folder that holds many, at any depth.
        on_error: Called for each log that cannot be read, and the next one is read; without it the
            first such log ends the reading. In a folder, JSON that is no log is passed over; what is no JSON is told.

    Raises:
        LogError: Nothing to read there, or a log is broken.
    """
    if not _is_there(path):
        raise LogError(path, "does not exist")
    if not path.is_file() and not path.is_dir():
        raise LogError(path, "is neither a file nor a folder", hint="Logs are read from regular files.")
    found = False
    for at in _places(path):
        try:
            for log in _read(at, _source(at, path), alone=at == path):
                found = True
                yield log
        except LogError as error:
            found = True
            if on_error is None:
                raise
            on_error(error)
    if not found:
        raise LogError(path, "holds no log that can be read", hint=_known())


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no file can have
        return False


def _places(path: Path) -> Iterator[Path]:
    """Files and run folders that may be logs, in order of their names."""
    if path.is_file() or is_mlagentbench(path):
        yield path
        return
    for child in _children(path):
        if child.is_dir() and child.name not in _SKIPPED and not child.is_symlink():
            yield from _places(child)
        elif child.suffix in _SUFFIXES and child.is_file():
            yield child


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise LogError(folder, f"cannot be read: {error.strerror or error}") from error


def _source(at: Path, root: Path) -> str:
    """A log's name: its place below the folder that was asked for, with that folder's own name."""
    if at == root:
        return at.as_posix()
    return (Path(root.name) / at.relative_to(root)).as_posix()


def _read(path: Path, source: str, *, alone: bool) -> Iterator[RunLog]:
    if path.suffix == ".jsonl" and not alone:
        check_json_lines(path)
        return
    found = Found(path, source)
    for importer in IMPORTERS.everything().values():
        if importer.recognises(found):
            yield from importer.read(found)
            return
    must_be_one = alone or path.suffix == ".traj" or path.name == "journal.json"
    if must_be_one or _broken_part(found.json):
        raise LogError(path, "is no log of a known format", place=_broken_part(found.json), hint=_known())


def _known() -> str:
    return f"Known are {', '.join(importer.help for importer in IMPORTERS.listing())}."


def _broken_part(data: object) -> str:
    """The part that only logs have, in JSON of no known format: what has one is a broken log."""
    keys = mapping(data).keys()
    if "trajectory" in keys:
        return "trajectory"
    return "steps" if "steps" in keys and not keys.isdisjoint({"source", "task_text"}) else ""
