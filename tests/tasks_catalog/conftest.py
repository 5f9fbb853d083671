"""A folder of files fetched by hand."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """Empty, for a test to lay files into as their source gives them."""
    folder = tmp_path / "raw"
    folder.mkdir()
    return folder
