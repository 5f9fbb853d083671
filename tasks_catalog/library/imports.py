"""Looks for the libraries that a ``grade.py`` and the grader need, in no time: none is loaded.

``python -m tasks_catalog.library.imports GRADE_PY`` fails and names them where some are missing.
"""

from __future__ import annotations

import ast
import sys
from importlib.util import find_spec
from pathlib import Path

FOLLOWED = ("foundation", "tasks_catalog")
"""Packages whose modules are read in turn; of all others it is enough that they are there."""
GRADER = "tasks_catalog.library.grader"


def missing_imports(script: Path) -> list[str]:
    """The packages that are missing of those which a script, the grader, or a module of ours below them imports."""
    sys.path.insert(0, str(script.parent))  # beside a grader may lie modules of its own
    missing, seen, wanted = set(), set(), {GRADER, *_imported(script)}
    while wanted:
        name = wanted.pop()
        seen.add(name)
        package = name.partition(".")[0]
        if package not in FOLLOWED:
            if find_spec(package) is None:
                missing.add(package)
        elif (spec := find_spec(name)) and spec.origin:
            wanted |= _imported(Path(spec.origin)) - seen
    return sorted(missing)


def _imported(file: Path) -> set[str]:
    names: set[str] = set()
    for statement in ast.parse(file.read_bytes()).body:
        if isinstance(statement, ast.Import):
            names.update(alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            names.add(statement.module)
    return names


if __name__ == "__main__":
    if missing := missing_imports(Path(sys.argv[1])):
        sys.exit(f"No module named {', '.join(map(repr, missing))}")
