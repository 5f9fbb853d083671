"""What of Python is shown, also where this project is installed like any other package."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest

from environment.errors import SandboxError
from environment.sandbox import Sandbox
from environment.sandbox.base import Command, Limits
from environment.sandbox.python_view import OWN_PACKAGES, own_folders, python_view

PROJECT = Path(__file__).parents[3]

_INSIDE = """
import importlib, json, os
found = {}
for name in %r:
    try:
        found[name] = importlib.import_module(name).__name__
    except ImportError:
        pass
for folder, below, files in os.walk("/"):
    below[:] = [name for name in below if os.path.join(folder, name) not in ("/usr", "/proc")]
    if "grade.py" in files or (files and "tasks_catalog" in folder):
        found[folder] = files
import packaging, neighbour
print(json.dumps([found, packaging.__file__]))
"""

_HARNESS = """
import sys, tempfile
from pathlib import Path
import environment
from environment.sandbox import Command, Limits, open_sandbox
assert "site-packages" in environment.__file__, environment.__file__
with tempfile.TemporaryDirectory() as folder:
    command = Command(["python", "-c", sys.argv[1]], workspace=Path(folder), limits=Limits(timeout=120))
    done = open_sandbox("bubblewrap", label="test").run(command)
print(done.output.decode())
sys.exit(done.exit_code)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a virtual environment into which this project is installed, not linked."""
    folder = tmp_path_factory.mktemp("venv")
    folder.chmod(0o755)  # as a root's environment must be, for the command runs as another user
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    libraries = next(folder.glob("lib/python3*/site-packages"))
    skip = shutil.ignore_patterns("__pycache__")
    for name in OWN_PACKAGES:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, libraries / name, ignore=skip)
    for name in ("packaging", "neighbour"):
        (libraries / name).mkdir()
        (libraries / name / "__init__.py").touch()
    (libraries / "all-else.pth").write_text("\n".join(site.getsitepackages()))
    return folder / "bin" / "python"


def test_an_installed_project_is_invisible(installed: Path, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = [str(installed), "-c", _HARNESS, _INSIDE % (OWN_PACKAGES,)]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found, library = json.loads(done.stdout)
    assert found == {}
    assert library == str(next(installed.parents[1].glob("lib/python3*/site-packages/packaging/__init__.py")))
    views = list((tmp_path / ".cache/mlab/site-views").iterdir())
    assert len(views) == 2  # the links, and the empty folder that hides what they leave out


_TARGET_HARNESS = """
import sys, tempfile
from pathlib import Path
from environment.sandbox import Command, Limits, open_sandbox
with tempfile.TemporaryDirectory() as folder:
    for packages in (None, ["added"]):
        code, limits = ["python", "-c", sys.argv[1]], Limits(timeout=120)
        command = Command(code, workspace=Path(folder), limits=limits, packages=packages)
        done = open_sandbox("bubblewrap", label="test").run(command)
        print(done.output.decode(), end="")
"""


def test_libraries_on_pythonpath_are_shown_without_ours(tmp_path: Path) -> None:
    """As ``pip install --target`` lays them: packages and their metadata in a folder of any name."""
    libraries = tmp_path / "libraries"
    for name in OWN_PACKAGES:
        shutil.copytree(PROJECT / name, libraries / name, ignore=shutil.ignore_patterns("__pycache__"))
    (libraries / "added").mkdir()
    (libraries / "added/__init__.py").touch()
    metadata = libraries / "added-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (metadata / "RECORD").write_text("added/__init__.py,,\n")
    code = "import added, sys\ntry:\n import tasks_catalog\nexcept ImportError:\n print(added.__file__)"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(libraries)}
    command = [sys.executable, "-c", _TARGET_HARNESS, code]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [str(libraries / "added/__init__.py")] * 2, done.stdout + done.stderr


def test_own_folders_are_found() -> None:
    assert PROJECT / "environment" in own_folders()


def test_a_package_brings_what_it_requires(bubblewrap: Sandbox, tmp_path: Path) -> None:
    code = "import sklearn, scipy, joblib, threadpoolctl, numpy; print(sklearn.__version__)"
    done = bubblewrap.run(
        Command(["python", "-c", code], workspace=tmp_path, limits=Limits(timeout=120), packages=["scikit-learn"])
    )
    assert done.output.decode().strip() == importlib.metadata.version("scikit-learn")


def test_no_package_at_all_leaves_the_standard_library(bubblewrap: Sandbox, tmp_path: Path) -> None:
    code = "import json, sqlite3, ssl\ntry:\n import numpy\nexcept ImportError:\n print('alone')"
    done = bubblewrap.run(Command(["python", "-c", code], workspace=tmp_path, limits=Limits(timeout=60), packages=[]))
    assert done.output == b"alone\n"


def test_a_missing_package_is_named() -> None:
    with pytest.raises(SandboxError, match="no-such-package"):
        python_view(["no-such-package"])
