"""What the wheel holds: every file of the rooms, for a task's folder or a template may be of any kind."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from environment.sandbox.python_view import OWN_PACKAGES

PROJECT = Path(__file__).parents[1]


def _files(*folders: str) -> set[str]:
    """Tracked files, and those that git would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("this is no git checkout")
    return {name for name in listed.stdout.split("\0") if name and (PROJECT / name).exists()}


def test_it_holds_every_file_of_the_rooms(tmp_path: Path) -> None:
    source = tmp_path / "source"  # in a folder that was built in before, deleted files live on
    for name in _files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(PROJECT / name, source / name)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == _files(*OWN_PACKAGES)
