"""Looks for what a ``grade.py`` and the grader import, in no time: no library is loaded, nothing of the script runs.

``python -m tasks_catalog.library.imports GRADE_PY`` fails and names what is missing.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

FOLLOWED = ("foundation", "tasks_catalog")
"""Packages whose modules are read in turn; of all others it is enough that they are there."""
GRADER = "tasks_catalog.library.grader"


def missing_imports(script: Path) -> list[str]:
    """What is missing of that which a script, the grader, or a module of ours below them imports, in words."""
    missing: dict[str, None] = {}
    files = [script, *filter(None, [_file(GRADER)])]
    for file in files:
        missing |= dict.fromkeys(missing_in(file))
        ours = (_file(name) for _, name, _ in _imported(file) if _is_ours(name))
        files += [each for each in dict.fromkeys(ours) if each and each not in files]
    return list(missing)


def missing_in(script: Path, *, libraries: bool = True) -> list[str]:
    """What a script imports and does not find, each with its line; without ``libraries`` where these lie elsewhere.

    Packages, names of our own modules that these do not have, and what lies beside it and is imported with a dot:
    it belongs to no package.
    """
    return [
        f"{script}, line {node.lineno}: {fault}"
        for node, name, names in _imported(script)
        if (libraries or _is_ours(name) or _has_dot(node)) and (fault := _fault(node, name, names, script.parent))
    ]


def names_of(tree: ast.Module) -> set[str]:
    """What a module defines, assigns or imports; ``*`` where it takes all names of another."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
    return found


def _fault(node: ast.stmt, name: str, names: list[str], folder: Path) -> str | None:
    if _has_dot(node):
        return f"{ast.unparse(node)} has a dot, and the script is in no package; leave the dot out"
    package = name.partition(".")[0]
    if not _is_ours(name):
        is_there = (folder / package).is_dir() or (folder / f"{package}.py").is_file() or find_spec(package)
        return None if is_there else f"No module named {package!r}"
    file = _file(name)
    if file is None:
        return f"No module named {name!r}"
    known = names_of(ast.parse(file.read_bytes())) | {"*"}
    unknown = [each for each in names if each not in known and _file(f"{name}.{each}") is None]
    return f"{name} has no {', '.join(unknown)}" if unknown else None


def _imported(file: Path) -> Iterator[tuple[ast.stmt, str, list[str]]]:
    """Each import that is not tried, and not made by a function: with the module, and the names taken from it."""
    for statement in ast.parse(file.read_bytes()).body:
        if isinstance(statement, ast.Import):
            yield from ((statement, alias.name, []) for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield statement, statement.module or "", [alias.name for alias in statement.names]


def _has_dot(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.level > 0


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in FOLLOWED


def _file(name: str) -> Path | None:
    """Where a module of ours lies."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # what it is said to lie below is not there, or is no package
        return None
    return Path(spec.origin) if spec and spec.origin else None


if __name__ == "__main__":
    if missing := missing_imports(Path(sys.argv[1])):
        sys.exit("; ".join(missing))
