"""What a reader of one format of logs is, and what it is asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from evaluation.importers.packing import unpacked_name
from evaluation.importers.parsing import (
    GAP,
    begins_with_json,
    begins_with_line,
    json_lines,
    load_json,
    mappings,
    suffix_of,
)
from evaluation.record.log import RunLog

JSON_SUFFIXES = (".traj", ".json")
LINE_SUFFIXES = (".jsonl", ".ndjson")
SUFFIXES = (*JSON_SUFFIXES, *LINE_SUFFIXES)
"""Files of which every format is asked when a folder is read; any other is a log only where one format claims its
suffix, or somebody says so."""
_HEAD = 40
"""Lines by which a file of JSON lines is recognised."""


@dataclass(eq=False)
class Found:
    """A file or folder that may hold logs.

    Attributes:
        path: Where it lies.
        source: What its log is called.
        named: Somebody said that it is a log, whatever its name ends in.
        notes: What people should know of how it was read: lines that are left out, kinds of events nobody knows.
        used: Files and folders beside it that were read with it.
        torn: Numbers of its lines that are no JSON object.
        breaks_off: Its last line is torn.
    """

    path: Path
    source: str
    named: bool = False
    notes: list[str] = field(default_factory=list)
    used: list[Path] = field(default_factory=list)
    torn: list[int] = field(default_factory=list)
    breaks_off: bool = False

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.path.is_dir()

    @property
    def suffix(self) -> str:
        """What its name ends in, apart from how it is packed."""
        return suffix_of(self.path)

    @property
    def stem(self) -> str:
        """Its name without what it ends in."""
        return unpacked_name(self.path).removesuffix(self.suffix)

    @cached_property
    def json(self) -> Any:
        """What a JSON file holds; ``None`` for a folder, for JSON lines and for other kinds of files.

        Raises:
            LogError: It cannot be read or is no JSON.
        """
        if self.is_folder or self.has_lines:
            return None
        is_json = self.suffix in JSON_SUFFIXES or (self.named and begins_with_json(self.path))
        return load_json(self.path) if is_json else None

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The objects of a JSON file: those of its list, or the one that it is; none for other files."""
        return mappings(self.json if isinstance(self.json, list) else [self.json])

    @cached_property
    def head(self) -> list[dict[str, Any]]:
        """The first objects of a file of JSON lines; none for other files."""
        return list(islice(json_lines(self.path), _HEAD)) if self.has_lines else []

    @cached_property
    def has_lines(self) -> bool:
        """Whether it is a file of JSON lines, by its name or by what it holds."""
        if self.is_folder or self.suffix == ".eval":
            return False
        return self.suffix in LINE_SUFFIXES or begins_with_line(self.path)

    def lines(self, missed: Callable[[], object] | None = None) -> Iterator[dict[str, Any]]:
        """Every object of a file of JSON lines, one in memory at a time; lines that are none are noted.

        Args:
            missed: Called in front of what follows such lines: anything may have been done there.
        """
        torn = self.torn = list[int]()
        before = 0
        for line in json_lines(self.path, torn):
            if missed and len(torn) > before:
                missed()
            yield line
            before = len(torn)
        self.breaks_off = len(torn) > before
        if torn:
            shown = ", ".join(map(str, torn[:5])) + (", …" if len(torn) > 5 else "")
            self.notes.append(f"{len(torn)} of its lines are no JSON object and left out: {shown}")

    def all_lines(self) -> list[dict[str, Any]]:
        """Every object of a file of JSON lines at once, with ``GAP`` in front of what follows lines that are none."""
        found: list[dict[str, Any]] = []
        for line in self.lines(lambda: found.append(GAP)):
            found.append(line)
        return found

    def pass_over(self, kinds: Counter[str]) -> None:
        """Note kinds of events that the format's reader does not know."""
        if kinds:
            self.notes.append(f"kinds of events that are not known are left out: {tallied(kinds)}")


def tallied(kinds: Counter[str]) -> str:
    """The most common ten, each with how often it was met."""
    return ", ".join(f"{kind or 'without a kind'} ({count})" for kind, count in kinds.most_common(10))


@dataclass(frozen=True)
class Importer:
    """One format.

    Attributes:
        recognises: Whether a file or folder is of this format.
        read: The runs in one that is.
        has_marked_prose: Its logs say by themselves what is prose; else what the agent reports in its actions is found.
        suffixes: What names of its files alone end in: no other format is asked about them.
    """

    recognises: Callable[[Found], bool]
    read: Callable[[Found], Iterator[RunLog]]
    has_marked_prose: bool = False
    suffixes: tuple[str, ...] = ()
