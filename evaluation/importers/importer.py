"""What a reader of one format of logs is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluation.importers.parsing import load_json
from evaluation.record.log import RunLog


@dataclass(frozen=True)
class Found:
    """A file or folder that may hold logs.

    Attributes:
        path: Where it lies.
        source: What its log is called.
    """

    path: Path
    source: str

    @cached_property
    def json(self) -> Any:
        """What a JSON file holds; ``None`` for a folder and for other kinds of files.

        Raises:
            LogError: It cannot be read or is no JSON.
        """
        if self.path.is_dir() or self.path.suffix not in JSON_SUFFIXES:
            return None
        return load_json(self.path)


JSON_SUFFIXES = (".traj", ".json", ".jsonl")


@dataclass(frozen=True)
class Importer:
    """One format.

    Attributes:
        recognises: Whether a file or folder is of this format.
        read: The runs in one that is.
    """

    recognises: Callable[[Found], bool]
    read: Callable[[Found], Iterator[RunLog]]
