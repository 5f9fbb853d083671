"""What of this process's Python a sandbox shows: interpreter and libraries, without our own packages."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import site
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from environment.errors import SandboxError
from environment.sandbox.base import Mount

OWN_PACKAGES = ("agent", "deployments", "environment", "evaluation", "flows", "foundation", "tasks_catalog")
SYSTEM_ROOT = Path("/usr")
SITE_ALIAS = "/opt/site-packages"
"""Where the real folder of libraries lies when a view of it, without our packages, takes its place."""


@dataclass(frozen=True)
class PythonView:
    """What is to be shown, and what the command has to be told.

    Attributes:
        mounts: Read-only, in the order they are laid.
        bin: The folder of ``python``.
        path: Folders of libraries that Python does not find by itself, in its order.
    """

    mounts: tuple[Mount, ...]
    bin: str
    path: tuple[str, ...] = ()


def python_view(packages: Sequence[str] | None = None) -> PythonView:
    """The view of this process's Python.

    Args:
        packages: The only distributions to show, with all they require; ``None`` shows all libraries.

    Raises:
        SandboxError: A package is not installed.
    """
    return _python_view(None if packages is None else tuple(packages))


@cache
def _python_view(packages: tuple[str, ...] | None) -> PythonView:
    roots = _interpreter_roots()
    shown = [root for root in roots if not root.is_relative_to(SYSTEM_ROOT)]
    bin_folder, named = _bin_folder(roots)
    mounts = [_same(root) for root in shown] + _interpreter_links(roots) + _shared_library(roots) + named
    found = _site_folders(roots)
    added = _added_folders(found)
    mounts += [_same(folder) for folder in added if not _is_visible(folder, roots)]
    if packages is None:
        for folder in (*found, *added):
            mounts += _without_own_packages(folder)
    else:
        mounts += _only(packages, (*found, *added))
    return PythonView(mounts=tuple(mounts), bin=bin_folder, path=tuple(_ahead(added, found)))


def _same(path: Path) -> Mount:
    return Mount(source=path, target=str(path))


def _interpreter_roots() -> list[Path]:
    """The prefixes of the interpreter and of the virtual environment, outermost first."""
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    prefixes |= {prefix.resolve() for prefix in prefixes}
    return sorted(
        prefix for prefix in prefixes if not any(other != prefix and prefix.is_relative_to(other) for other in prefixes)
    )


def _interpreter_links(roots: Sequence[Path]) -> list[Mount]:
    """The interpreter's file under each name by which a chain of links outside the roots reaches it."""
    mounts, link = [], Path(sys.executable)
    while link.is_symlink():
        link = link.parent / link.readlink()
        if not _is_visible(Path(os.path.normpath(link)), roots):
            mounts.append(Mount(source=link.resolve(), target=os.path.normpath(link)))
    return mounts


def _shared_library(roots: Sequence[Path]) -> list[Mount]:
    """The interpreter's own library at the path it was built with, which a copied interpreter still refers to."""
    folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    if not sysconfig.get_config_var("Py_ENABLE_SHARED") or not folder or not name:
        return []
    library = Path(folder, name)
    return [_same(library)] if library.is_file() and not _is_visible(library, roots) else []


def _bin_folder(roots: Sequence[Path]) -> tuple[str, list[Mount]]:
    """A folder where ``python`` is this interpreter, and how it is laid where there is none."""
    executable = Path(sys.executable)
    for folder in (executable.parent, executable.resolve().parent):
        python = folder / "python"
        if _is_visible(folder, roots) and python.exists() and python.samefile(executable):
            return str(folder), []
    target = f"/opt/python/{sys.platform}"
    # A link, not the file: Python looks for its library beside the file that the link leads to.
    return target, [Mount(source=_skeleton({"python": str(executable.resolve())}, {}), target=target)]


def _site_folders(roots: Sequence[Path]) -> list[Path]:
    """Every visible folder of libraries, of this Python and of others under /usr."""
    folders = {Path(entry) for entry in (*sys.path, *site.getsitepackages())}
    folders |= {path for pattern in ("python3*/site-packages", "python3*/dist-packages") for path in _system(pattern)}
    folders |= {Path(entry) for root in roots for entry in root.glob("lib/python3*/site-packages")}
    return sorted(
        folder
        for folder in folders
        if folder.name in {"site-packages", "dist-packages"} and folder.is_dir() and _is_visible(folder, roots)
    )


def _is_visible(path: Path, roots: Sequence[Path]) -> bool:
    return any(path.is_relative_to(root) for root in (*roots, SYSTEM_ROOT))


def _added_folders(found: Sequence[Path]) -> list[Path]:
    """Folders of installed libraries that ``PYTHONPATH``, the user's own site or a ``.pth`` file adds to the others."""
    entries = dict.fromkeys(Path(entry).absolute() for entry in sys.path if entry)
    return [folder for folder in entries if folder not in found and any(folder.glob("*.dist-info"))]


def _system(pattern: str) -> Iterable[Path]:
    for base in ("lib", "lib64", "local/lib"):
        yield from (SYSTEM_ROOT / base).glob(pattern)


def own_folders() -> list[Path]:
    """Where our packages lie on this host."""
    specs = (importlib.util.find_spec(name) for name in OWN_PACKAGES)
    return [Path(location) for spec in specs if spec for location in spec.submodule_search_locations or ()]


def _without_own_packages(folder: Path) -> list[Mount]:
    """Nothing for a folder without our packages; else links to all the rest laid over it.

    An empty folder over each of our packages would still be importable, as a namespace package.
    """
    own = [path.name for path in own_folders() if path.parent == folder]
    if not own:
        return []
    alias = f"{SITE_ALIAS}/{folder.parent.name}"
    hidden = [*own, *(name for name in _own_metadata() if (folder / name).exists())]
    links = {entry.name: f"{alias}/{entry.name}" for entry in folder.iterdir() if entry.name not in hidden}
    return [
        Mount(source=folder, target=alias),
        *(Mount(source=_skeleton({}, {}), target=f"{alias}/{name}") for name in hidden),
        Mount(source=_skeleton(links, {}), target=str(folder)),
    ]


def _own_metadata() -> set[str]:
    """Names of the ``.dist-info`` folders that installed our packages."""
    providers = importlib.metadata.packages_distributions()
    names = {name for package in OWN_PACKAGES for name in providers.get(package, ())}
    files = (file for name in names for file in importlib.metadata.files(name) or ())
    return {file.parts[0] for file in files if file.parts[0].endswith(".dist-info")}


def _ahead(added: Sequence[Path], found: Sequence[Path]) -> Iterator[str]:
    """Those of the added folders that come before Python's own; a ``.pth`` file adds its own behind, inside as well."""
    for entry in (Path(entry).absolute() for entry in sys.path if entry):
        if entry in found:
            return
        if entry in added:
            yield str(entry)


def _only(packages: Sequence[str], folders: Sequence[Path]) -> list[Mount]:
    """Every folder of libraries emptied, and the packages' own entries laid into theirs."""
    entries = [entry for distribution in _with_requirements(packages) for entry in _entries(distribution)]
    mounts = []
    for folder in folders:
        here = {entry.name: entry for entry in entries if entry.parent == folder}
        mounts.append(Mount(source=_skeleton({}, {n: e.is_dir() for n, e in here.items()}), target=str(folder)))
        mounts += [_same(entry) for entry in here.values()]
    return mounts


def _with_requirements(packages: Sequence[str]) -> list[importlib.metadata.Distribution]:
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: dict[str, importlib.metadata.Distribution] = {}
    wanted = list(packages)
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError as error:
            raise SandboxError(f"The package {name!r} is not installed in {sys.prefix}") from error
        found[name] = distribution
        for requirement in map(Requirement, distribution.requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                wanted.append(requirement.name)
    return list(found.values())


def _entries(distribution: importlib.metadata.Distribution) -> set[Path]:
    """The files and folders of a distribution directly in its folder of libraries."""
    first = {file.parts[0] for file in distribution.files or () if file.parts[0] not in {"..", "__pycache__"}}
    return {Path(str(distribution.locate_file(name))) for name in first}


def _skeleton(links: dict[str, str], mount_points: dict[str, bool]) -> Path:
    """A folder of symbolic links and empty mount points (true: folder), made once and kept in the user's cache."""
    from platformdirs import user_cache_path

    content = repr((sorted(links.items()), sorted(mount_points.items())))
    folder = user_cache_path("mlab") / "site-views" / hashlib.sha256(content.encode()).hexdigest()[:16]
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent))
    draft.chmod(0o755)
    for name, target in links.items():
        (draft / name).symlink_to(target)
    for name, is_folder in mount_points.items():
        (draft / name).mkdir() if is_folder else (draft / name).touch()
    try:
        draft.rename(folder)
    except OSError:  # another process made the same one first
        for entry in draft.iterdir():
            entry.rmdir() if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        draft.rmdir()
    return folder
