"""Helpers of a competition's ``prepare.py`` and ``grade.py``."""

from __future__ import annotations

import json
import logging
import shutil
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

_ARCHIVES = {".zip", ".tar", ".gz", ".tgz", ".7z", ".rar"}


def is_compressed(fpath: Path) -> bool:
    """Whether a file's name is that of an archive."""
    return Path(fpath).suffix in _ARCHIVES


def compress(src: Path, compressed: Path, exist_ok: bool = False) -> None:
    """Pack all files below a folder into a zip or 7z archive."""
    assert src.is_dir(), f"{src} is no folder"
    assert exist_ok or not compressed.exists(), f"{compressed} exists already"
    files = [path for path in src.rglob("*") if path.is_file()]
    if compressed.suffix == ".zip":
        with zipfile.ZipFile(compressed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path, arcname=path.relative_to(src))
    elif compressed.suffix == ".7z":
        import py7zr

        with py7zr.SevenZipFile(compressed, "w") as archive:
            for path in files:
                archive.write(path, arcname=str(path.relative_to(src)))
    else:
        raise NotImplementedError(f"archives like {compressed.name} are not made here")


def extract(compressed: Path, dst: Path, recursive: bool = False, already_extracted: set[Path] | None = None) -> None:
    """Unpack an archive, and with ``recursive`` the archives that come out of it."""
    done = already_extracted if already_extracted is not None else set()
    assert compressed.is_file(), f"{compressed} is not there"
    if compressed.suffix == ".zip":
        with zipfile.ZipFile(compressed) as archive:
            archive.extractall(dst)
    elif compressed.suffix == ".7z":
        import py7zr

        with py7zr.SevenZipFile(compressed) as archive:
            archive.extractall(dst)
    elif tarfile.is_tarfile(compressed):
        shutil.unpack_archive(compressed, dst, filter="data")
    else:
        raise NotImplementedError(f"archives like {compressed.name} are not unpacked here")
    done.add(compressed)
    if recursive:
        for inner in sorted(path for path in set(Path(dst).iterdir()) - done if is_compressed(path)):
            extract(inner, inner.parent, recursive=True, already_extracted=done)


def is_empty(dir: Path) -> bool:  # noqa: A002
    """Whether a folder holds nothing."""
    return not any(dir.iterdir())


def read_csv(*args: Any, **options: Any) -> pd.DataFrame:
    """A table with exact numbers; an empty file is an empty table."""
    try:
        return pd.read_csv(*args, **{"float_precision": "round_trip", **options})
    except pd.errors.EmptyDataError:
        return pd.DataFrame()


def read_jsonl(file_path: str, skip_commented_out_lines: bool = False) -> list[dict[str, Any]]:
    """The objects of JSON lines."""
    lines = map(str.strip, Path(file_path).read_text(encoding="utf-8").splitlines())
    kept = (line for line in lines if not (skip_commented_out_lines and (not line or line.startswith(("#", "//")))))
    return [json.loads(line) for line in kept]


def load_answers(path_to_answers: Path) -> Any:
    """Answers as a table, or as the objects of JSON lines."""
    if path_to_answers.suffix == ".csv":
        return read_csv(path_to_answers)
    if path_to_answers.suffix == ".jsonl":
        return read_jsonl(str(path_to_answers))
    raise ValueError(f"answers like {path_to_answers.name} are not read")


def load_yaml(fpath: Path) -> dict[str, Any]:
    """A YAML document."""
    import yaml

    return dict(yaml.safe_load(fpath.read_text(encoding="utf-8")))


def get_logger(name: str, level: int = logging.INFO, filename: Path | None = None) -> logging.Logger:
    """The logger of that name."""
    logging.basicConfig(level=level, filename=filename)
    return logging.getLogger(name)


def get_timestamp() -> str:
    """The time now, fit for file names."""
    return time.strftime("%Y-%m-%dT%H-%M-%S-%Z", time.gmtime())
