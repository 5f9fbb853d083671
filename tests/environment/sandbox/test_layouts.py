"""Wherever Python lies and however it is reached, scripts get it with its libraries and without our packages."""

from __future__ import annotations

import json
import os
import shutil
import site
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
BASE = Path(sys.base_prefix)
MINOR = f"python{sys.version_info.major}.{sys.version_info.minor}"

_HARNESS = """
import sys, tempfile
from pathlib import Path
from environment.sandbox import Command, Limits, open_sandbox
with tempfile.TemporaryDirectory() as folder:
    command = Command(["python", "-c", sys.argv[1]], workspace=Path(folder), limits=Limits(timeout=120))
    done = open_sandbox("bubblewrap", label="test").run(command)
print(done.output.decode())
sys.exit(done.exit_code)
"""

_INSIDE = """
import importlib.util, json, sys
import numpy, sqlite3, ssl
ours = [name for name in ("environment", "tasks_catalog") if importlib.util.find_spec(name)]
print(json.dumps([list(sys.version_info[:3]), numpy.__version__, ours]))
"""


def _call(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True)


def _uv_venv(folder: Path) -> Path:
    uv = shutil.which("uv", path=Path(sys.executable).parent)
    if uv is None:
        pytest.skip("uv is not installed")
    _call(uv, "venv", "--no-python-downloads", "--python", sys.executable, folder / "venv")
    return folder / "venv/bin/python"


def _venv(folder: Path) -> Path:
    _call(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    return folder / "venv/bin/python3"


def _venv_behind_a_link(folder: Path) -> Path:
    python = _venv(folder)
    (folder / "link").symlink_to(python.parents[1])
    return folder / "link/bin" / python.name


def _links_to_links(folder: Path) -> Path:
    """Another folder and another name, twice; beside it, something else is called ``python``."""
    for name in ("near", "far"):
        (folder / name).mkdir()
    (folder / "far/one").symlink_to(BASE / "bin" / MINOR)
    (folder / "near/other").symlink_to("../far/one")
    (folder / "near/python").symlink_to("/bin/false")
    return folder / "near/other"


def _system_packages(folder: Path) -> Path:
    system = Path("/usr/bin") / MINOR
    if not system.exists():
        pytest.skip(f"the system has no {MINOR}")
    _call(system, "-m", "venv", "--without-pip", "--system-site-packages", folder / "venv")
    return folder / "venv/bin/python"


def _conda(folder: Path) -> Path:
    """A whole prefix of its own: no ``pyvenv.cfg``, and only one name of the interpreter is a file."""
    prefix, skip = folder / "prefix", shutil.ignore_patterns("__pycache__", "test", "site-packages", "config-*")
    shutil.copytree(BASE / "lib" / MINOR, prefix / "lib" / MINOR, ignore=skip)
    (prefix / "lib" / MINOR / "site-packages").mkdir(exist_ok=True)
    (prefix / "bin").mkdir()
    shutil.copy2((BASE / "bin" / MINOR).resolve(), prefix / "bin" / MINOR)
    (prefix / "bin/python").symlink_to(MINOR)
    return prefix / "bin/python"


def _without_the_name(folder: Path) -> Path:
    """As ``make altinstall`` leaves it: no file is called ``python``."""
    python = _conda(folder)
    python.unlink()
    return python.with_name(MINOR)


LAYOUTS = (_uv_venv, _venv, _venv_behind_a_link, _links_to_links, _system_packages, _conda, _without_the_name)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__.strip("_"))
def test_a_script_finds_python(layout: Callable[[Path], Path], tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)  # the command runs as another user
    python = layout(tmp_path)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([*site.getsitepackages(), str(PROJECT)]),
    }
    command = [str(python), "-c", _HARNESS, _INSIDE]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    version, numpy, ours = json.loads(done.stdout)
    assert version[:2] == list(sys.version_info[:2])
    assert numpy
    assert not ours
