"""Helpers of a competition's ``prepare.py`` and ``grade.py``."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Any

import pandas as pd


def extract(archive: Path, destination: Path, recursive: bool = False) -> None:
    """Unpack an archive, and with ``recursive`` the archives in it."""
    shutil.unpack_archive(archive, destination)
    if recursive:
        for inner in Path(destination).rglob("*.zip"):
            shutil.unpack_archive(inner, inner.with_suffix(""))


def read_csv(*args: Any, **options: Any) -> pd.DataFrame:
    """A table."""
    return pd.read_csv(*args, **options)


def get_logger(name: str) -> logging.Logger:
    """The logger of that name."""
    return logging.getLogger(name)
