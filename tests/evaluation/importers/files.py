"""Writes the files of made-up logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def written(folder: Path, name: str, content: object) -> Path:
    """A JSON document, with the folders above it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def written_lines(folder: Path, name: str, lines: list[dict[str, Any]]) -> Path:
    """One JSON object a line, with the folders above it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
