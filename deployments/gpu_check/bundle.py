"""``python -m deployments.gpu_check.bundle FOLDER``: all that a machine without a network needs for the check.

The folder gets this package as a wheel, wheels of what it needs besides, data of the tasks, and ``check.py``.
Made where the package is installed with all its extras; used on a machine of another Python as well.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECK = Path(__file__).with_name("check.py")
REPOSITORY = Path(__file__).parents[2]
DISTRIBUTION = "mlagentbench-prefect"
EXTRAS = ("torch", "llama", "pictures")
PLATFORMS = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014", "manylinux_2_5", "manylinux1")
MLAB = (sys.executable, "-m", "flows")
MIB = 1024**2


def main() -> None:
    """Make the bundle, in parts of the size asked for."""
    parser = argparse.ArgumentParser(prog="python -m deployments.gpu_check.bundle", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default="3.12", help="the Python of the other machine")
    parser.add_argument("--machine", default="x86_64")
    parser.add_argument(
        "--there", type=Path, help="names of packages that are there already, one a line or as pip freeze prints them"
    )
    parser.add_argument(
        "--part", type=float, default=0, help="MiB of a part, where the way there takes no more at once"
    )
    arguments = parser.parse_args()
    there = names_in(arguments.there) if arguments.there else set[str]()
    wheels = arguments.folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    build(wheels)
    wanted = [f"{name}=={version(name)}" for name in needed(DISTRIBUTION, EXTRAS, there, arguments.python)]
    fetch(wanted, wheels, arguments.python, arguments.machine)
    shutil.copy(CHECK, arguments.folder)
    fetch_data(arguments.folder)
    if arguments.part:
        pack(arguments.folder, round(arguments.part * MIB))


def names_in(file: Path) -> set[str]:
    """The packages that a list names."""
    lines = (line.split("==")[0].split()[0] for line in file.read_text().splitlines() if line.strip())
    return {canonicalize_name(name) for name in lines}


def needed(distribution: str, extras: Iterable[str], there: set[str], python: str) -> list[str]:
    """Names of all that a distribution needs, directly or not, less what is there already."""
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    found: set[str] = set()
    pending = [(distribution, tuple(extras))]
    while pending:
        name, wanted = pending.pop()
        for text in requires(name) or ():
            requirement = Requirement(text)
            key = canonicalize_name(requirement.name)
            holds = requirement.marker is None or any(
                requirement.marker.evaluate({**environment, "extra": extra}) for extra in ("", *wanted)
            )
            if not holds or key in there or key in found or not installed(key):
                continue
            found.add(key)
            pending.append((key, tuple(requirement.extras)))
    return sorted(found)


def installed(name: str) -> bool:
    """Whether this environment has a package, and so its version is known."""
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def build(wheels: Path) -> None:
    """Make this package's wheel from a copy, so that nothing is left in the repository."""
    with tempfile.TemporaryDirectory() as copy:
        ignored = shutil.ignore_patterns(".*", "build", "tests", "__pycache__")
        source = shutil.copytree(REPOSITORY, Path(copy, "source"), ignore=ignored)
        pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(source))


def fetch(wanted: Sequence[str], folder: Path, python: str, machine: str) -> None:
    """Download wheels for another machine."""
    platforms = [f"--platform={platform}_{machine}" for platform in PLATFORMS]
    target = ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}", *platforms]
    pip("download", "--quiet", "--no-deps", *target, "--dest", str(folder), *wanted)


def fetch_data(folder: Path) -> None:
    """Bring the data of those tasks that fetch it, made or raw, whichever is less; the others make theirs there."""
    listed = subprocess.run([*MLAB, "tasks", "--json"], capture_output=True, check=True).stdout
    for task in json.loads(listed):
        if not (task["resources"]["gpus"] and task["variants"]["mini"]["download_mib"]):
            continue
        with tempfile.TemporaryDirectory(dir=folder) as home:
            environment = {**os.environ, "MLAB_HOME": home}
            subprocess.run([*MLAB, "prepare", task["name"]], env=environment, check=True)
            less = min((Path(home, name) for name in ("data", "downloads")), key=size_of)
            shutil.copytree(less, folder / "home" / less.name, dirs_exist_ok=True)


def size_of(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def pack(folder: Path, size: int) -> None:
    """Pack all into one archive, cut into parts; on the other machine: ``cat part-* | tar x``.

    Wheels and raw data are compressed already.
    """
    archive = folder / "archive"
    with tarfile.open(archive, "w") as packed:
        for path in sorted(folder.iterdir()):
            if path != archive:
                packed.add(path, path.name)
    with archive.open("rb") as whole:
        for number, start in enumerate(range(0, archive.stat().st_size, size), 1):
            whole.seek(start)
            (folder / f"part-{number:02}").write_bytes(whole.read(size))
            print(f"part-{number:02}")
    archive.unlink()


def pip(*arguments: str) -> None:
    """Run pip of this environment."""
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)


if __name__ == "__main__":
    main()
