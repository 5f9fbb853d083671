"""What code of others needs and this Python does not have, found by reading it: nothing of it runs.

Libraries that are not installed, names and keywords that the installed ones have dropped, helpers of MLE-bench that the
package standing in for it lacks.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from tasks_catalog.library.foreign.beside import beside, modules_of
from tasks_catalog.library.foreign.mlebench_grading import STAND_IN

_LOOKED_INTO = ("numpy", "pandas", "scipy", "sklearn")
"""Libraries that are quick to load, and whose names and keywords come and go."""
_DISTRIBUTIONS = {
    "PIL": "pillow",
    "absl": "absl-py",
    "bson": "pymongo",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "Levenshtein": "levenshtein",
    "lyft_dataset_sdk": "lyft_dataset_sdk",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
"""Under which name what is imported can be installed, where it is another."""
_ENGINES = ("fastparquet", "openpyxl", "pyarrow", "python_calamine", "xlrd")
"""Libraries that pandas is told to read and write with, by a keyword."""
_MEND = "mend that line in the imported folder, or install an older one"
_PACKERS = {"compress", "extract"}
"""Helpers of MLE-bench that need a library for archives of one kind, ``.7z``."""


def lacking(script: Path, *also: Path) -> list[str]:
    """What a script and the modules beside it need and do not find, each in words.

    Args:
        script: The script.
        also: Folders in which it finds modules as well.
    """
    found: list[str] = []
    for file, module in modules_of(script, *also):
        if isinstance(module, ast.Module):
            found += [f"{file.name} {what}" for what in _Reader(file, module, also).faults()]
        else:
            found.append(f"{file.name} is no Python of today: {module}")
    return list(dict.fromkeys(found))


def without_function(script: Path, name: str) -> list[str]:
    """That a script does not give the function by which it is called, in words; nothing where it may."""
    try:
        module = ast.parse(script.read_bytes())
    except (SyntaxError, ValueError):
        return []
    is_given = any(_may_give(node, name) for node in ast.walk(module))
    return [] if is_given else [f"{script.name} defines no {name}, by which it is called"]


def _may_give(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name == name
    if isinstance(node, ast.alias):
        return (node.asname or node.name) in (name, "*")
    return isinstance(node, ast.Name) and node.id == name


class _Reader:
    """One file of others."""

    def __init__(self, file: Path, module: ast.Module, also: tuple[Path, ...]) -> None:
        self._folders = (file.parent, *also)
        self._module = module
        self._bound: dict[str, object] = {}
        self._packs = False

    def faults(self) -> Iterator[str]:
        """What it lacks, in words."""
        for node in ast.walk(self._module):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._imported(alias.name, alias.asname or alias.name.partition(".")[0])
            elif isinstance(node, ast.ImportFrom):
                yield from self._imported_from(node)
        for node in ast.walk(self._module):
            if isinstance(node, ast.Attribute):
                yield from self._attribute(node)
            elif isinstance(node, ast.Call):
                yield from self._keywords(node)
                yield from self._engine(node)
                yield from self._change_of_a_copy(node)
        if self._packs and not _is_installed("py7zr") and any(map(_names_7z, ast.walk(self._module))):
            yield _missing("py7zr")

    def _imported(self, name: str, bound: str) -> Iterator[str]:
        package = name.partition(".")[0]
        if self._is_beside(package):
            return
        if not _is_installed(package):
            yield _missing(package)
        elif package in _LOOKED_INTO:
            self._bound[bound] = _module(name if bound != package else package)

    def _imported_from(self, node: ast.ImportFrom) -> Iterator[str]:
        name = node.module or ""
        if node.level:
            for part in [name] if name else [alias.name for alias in node.names]:
                if not self._is_beside(part.partition(".")[0]):
                    yield f"imports .{part}, which does not lie beside it"
            return
        package = name.partition(".")[0]
        if self._is_beside(package):
            return
        self._packs |= name == "mlebench.utils" and not _PACKERS.isdisjoint(alias.name for alias in node.names)
        if not _is_installed(package):
            yield _missing(package)
        elif package == "mlebench" and not _is_whole(package):
            yield from _not_stood_in(name, [alias.name for alias in node.names])
        elif package in _LOOKED_INTO:
            module = _module(name)
            for alias in node.names:
                value = getattr(module, alias.name, None) if module else None
                if value is None and (module is None or _module(f"{name}.{alias.name}") is None):
                    yield f"imports {alias.name} from {name}, which {_version(package)} does not have: {_MEND}"
                elif value is not None:
                    self._bound[alias.asname or alias.name] = value

    def _is_beside(self, name: str) -> bool:
        """Whether a module lies beside the file; it is read in turn."""
        if beside(name, *self._folders):
            return True
        return any((folder / name / "__init__.py").is_file() for folder in self._folders)

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        if not isinstance(node.value, ast.Name):
            return
        owner = self._bound.get(node.value.id)
        if not isinstance(owner, ModuleType) or hasattr(owner, node.attr):
            return
        name = f"{owner.__name__}.{node.attr}"
        if _module(name) is None:
            yield f"uses {name}, which {_version(name.partition('.')[0])} does not have: {_MEND}"

    def _keywords(self, node: ast.Call) -> Iterator[str]:
        called = self._called(node.func)
        if called is None:
            return
        try:
            parameters = inspect.signature(called).parameters.values()
        except (TypeError, ValueError):
            return
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
            return
        known = {parameter.name for parameter in parameters}
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg not in known:
                package = str(getattr(called, "__module__", "")).partition(".")[0]
                name = getattr(called, "__name__", "it")
                yield f"calls {name} with {keyword.arg!r}, which {_version(package)} does not take: {_MEND}"

    def _engine(self, node: ast.Call) -> Iterator[str]:
        for keyword in node.keywords:
            named = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            if keyword.arg == "engine" and named in _ENGINES and not _is_installed(str(named)):
                yield _missing(str(named))

    def _change_of_a_copy(self, node: ast.Call) -> Iterator[str]:
        """``table["x"].fillna(0, inplace=True)``, which changes the table up to pandas 2 only."""
        match node.func:
            case ast.Attribute(value=ast.Subscript(value=ast.Name(id=table), slice=ast.Constant(value=str(column)))):
                inplace = any(keyword.arg == "inplace" for keyword in node.keywords)
                if inplace and not version("pandas").startswith(("1.", "2.")):
                    yield (
                        f"changes {table}[{column!r}] in place, which pandas {version('pandas')} does to a copy:"
                        " pip install 'pandas<3'"
                    )

    def _called(self, func: ast.expr) -> Callable[..., object] | None:
        value: object = None
        if isinstance(func, ast.Name):
            value = self._bound.get(func.id)
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            value = getattr(self._bound.get(func.value.id), func.attr, None)
        package = str(getattr(value, "__module__", "")).partition(".")[0]
        return value if inspect.isfunction(value) and package in _LOOKED_INTO else None


def versions() -> str:
    """The versions of the libraries that code of others is most likely too old for."""
    found = []
    for name in ("pandas", "numpy", "scikit-learn"):
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join(found)


def _names_7z(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).endswith(".7z")


def _is_installed(package: str) -> bool:
    if package in sys.stdlib_module_names or package == "mlebench":
        return True
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _is_whole(package: str) -> bool:
    """Whether MLE-bench itself is installed, not only what stands in for it."""
    found = find_spec(package)
    return found is not None and not Path(found.origin or STAND_IN).is_relative_to(STAND_IN)


def _missing(package: str) -> str:
    return f"needs {package}, which is not installed: pip install {_DISTRIBUTIONS.get(package, package)}"


def _not_stood_in(module: str, names: Iterable[str]) -> Iterator[str]:
    """The names of MLE-bench that the package standing in for it does not have."""
    path = STAND_IN.joinpath(*module.split("."))
    file = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
    defined: set[str] = set()
    if file.is_file():
        for node in ast.parse(file.read_bytes()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined.add(node.name)
            elif isinstance(node, ast.ImportFrom):
                defined.update(alias.name for alias in node.names)
    for name in names:
        if name not in defined and not (path / name).exists() and not (path / f"{name}.py").is_file():
            yield f"needs {name} of {module}, which only MLE-bench itself has: install it from its repository"


def _module(name: str) -> ModuleType | None:
    with suppress(ImportError):
        return importlib.import_module(name)
    return None


def _version(package: str) -> str:
    version = getattr(sys.modules.get(package), "__version__", "")
    return f"{package} {version}".strip()
