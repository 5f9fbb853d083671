"""Counts the leading settings that are right."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path

from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade


def score(artifacts: Path, private: Path) -> Grade:
    """One, and one more for each leading setting that is right."""
    right = json.loads((private / "settings.json").read_text())
    try:
        found = json.loads((artifacts / "settings.json").read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidSubmissionError(f"settings.json cannot be read: {error}") from error
    if not isinstance(found, list):
        raise InvalidSubmissionError("settings.json holds no list")
    depth = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(found, right, strict=False)))
    return Grade(score=1 + depth)
