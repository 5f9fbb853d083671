"""Runs another's ``prepare.py`` where its files were fetched by hand: ``kaggle`` and ``wget`` copy from that folder.

``python -m tasks_catalog.library.foreign.fetched RAW SCRIPT`` runs the script, which finds the two on its path, is
given the files under their addresses as well, and is answered "y" where it asks whether the data's rules were accepted:
who fetched the files has done so.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from tasks_catalog.library.foreign import served

_YES = "y\n" * 100


def run(raw: Path, script: str) -> int:
    """Run the script in the current folder; its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        for name in _STAND_INS:
            stand_in = Path(folder) / name
            stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {_MODULE} {name} "$@"\n', encoding="utf-8")
            stand_in.chmod(0o755)
        path = os.pathsep.join((folder, os.environ.get("PATH", os.defpath)))
        variables = {**os.environ, "PATH": path, _RAW: str(raw.resolve())}
        command = [sys.executable, "-m", served.__name__, str(raw.resolve()), script]
        return subprocess.run(command, env=variables, input=_YES, text=True, check=False).returncode


def kaggle(arguments: Sequence[str], raw: Path) -> None:
    """``kaggle competitions|datasets download [-c] NAME [-f FILE] [-p FOLDER]``.

    Without ``-f``, a competition comes as one archive of its name, as from Kaggle.
    """
    parser = argparse.ArgumentParser("kaggle")
    parser.add_argument("kind")
    parser.add_argument("verb", choices=["download"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("-c", "-d", "--competition", "--dataset", dest="named")
    parser.add_argument("-f", "--file")
    parser.add_argument("-p", "--path", type=Path, default=Path())
    parser.add_argument("--unzip", action="store_true")
    asked, _ = parser.parse_known_args(arguments)
    name = (asked.named or "".join(asked.names[:1])).rpartition("/")[2]
    asked.path.mkdir(parents=True, exist_ok=True)
    if asked.file:
        _copy(raw, asked.file, asked.path)
    elif asked.unzip:
        shutil.copytree(raw, asked.path, dirs_exist_ok=True)
    elif not served.found(raw, f"{name}.zip"):
        _pack(raw, asked.path / f"{name}.zip")
    else:
        _copy(raw, f"{name}.zip", asked.path)


def wget(arguments: Sequence[str], raw: Path) -> None:
    """``wget URL… [-O FILE] [-P FOLDER]``."""
    parser = argparse.ArgumentParser("wget")
    parser.add_argument("urls", nargs="+")
    parser.add_argument("-O", "--output-document", type=Path)
    parser.add_argument("-P", "--directory-prefix", type=Path, default=Path())
    asked, _ = parser.parse_known_args(arguments)
    for url in asked.urls:
        name = Path(urlsplit(url).path).name
        _copy(raw, name, asked.directory_prefix, asked.output_document)


def _copy(raw: Path, name: str, folder: Path, file: Path | None = None) -> None:
    found = served.found(raw, name) or served.found(raw, f"{name}.zip")
    if found is None:
        sys.exit(f"{name} is not among the files fetched by hand in {raw}")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(found, file or folder / found.name)


def _pack(raw: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(raw.rglob("*")):
            if path.is_file():
                packed.write(path, path.relative_to(raw))


_STAND_INS: dict[str, Callable[[Sequence[str], Path], None]] = {"kaggle": kaggle, "wget": wget}
_MODULE = "tasks_catalog.library.foreign.fetched"
_RAW = "MLAB_FETCHED"

if __name__ == "__main__":
    if sys.argv[1] in _STAND_INS:
        _STAND_INS[sys.argv[1]](sys.argv[2:], Path(os.environ[_RAW]))
    else:
        sys.exit(run(Path(sys.argv[1]), sys.argv[2]))
