"""A script of others and the modules that it finds beside it, read and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def modules_of(script: Path, *also: Path) -> Iterator[tuple[Path, ast.Module | SyntaxError | ValueError]]:
    """A script, then what it imports and so on, each file once: parsed, or why it is no Python of today.

    Args:
        script: The script.
        also: Folders in which it finds modules as well.

    Raises:
        OSError: A file cannot be read.
    """
    pending, seen = [script], set[Path]()
    while pending:
        file = pending.pop()
        if file in seen:
            continue
        seen.add(file)
        try:
            module = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError) as error:
            yield file, error
            continue
        yield file, module
        found = (beside(name, file.parent, *also) for name in _imports(module))
        pending += [each for each in found if each is not None]


def beside(name: str, *folders: Path) -> Path | None:
    """The module of that name in the first folder that has it."""
    files = (folder / f"{name}.py" for folder in folders)
    return next((file for file in files if file.is_file()), None)


def _imports(module: ast.Module) -> list[str]:
    """The first parts of the names of all modules that are imported, in order."""
    names: list[str] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module] if node.module else [alias.name for alias in node.names]
    return [name.partition(".")[0] for name in names]
