"""Whether a ``grade.py`` can be called, seen in its text before any run: nothing of it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tasks_catalog.library.errors import BrokenTaskError

SCORE = "score"
_MOST = 3
"""Arguments that the grader gives: artifacts, private, trials."""


def check_grade_script(script: Path) -> None:
    """Look for a function ``score`` that takes what it is given.

    Raises:
        BrokenTaskError: There is none, or the script is no Python.
    """
    try:
        tree = ast.parse(script.read_bytes(), filename=str(script))
    except (SyntaxError, ValueError) as error:  # ValueError: of a null byte
        place = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise BrokenTaskError(f"{script}{place}: {said}", hint="Mend it; no run can be graded before.") from None
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    if not set(_names(tree)) & {SCORE, "*"}:
        own = ", ".join(each.name for each in functions) or "no function"
        raise BrokenTaskError(
            f"{script} has no function {SCORE}(artifacts, private); it defines {own}",
            hint=f"The grader calls {SCORE}, which returns a Grade.",
        )
    for each in functions:
        if each.name == SCORE and not _takes_folders(each.args):
            raise BrokenTaskError(
                f"{script}, line {each.lineno}: {SCORE}({ast.unparse(each.args)}) cannot be called",
                hint=f"It is called as {SCORE}(artifacts, private), with trials behind them where the task has any.",
            )


def _takes_folders(args: ast.arguments) -> bool:
    """Whether a function can be called with one to three folders by their place."""
    places = len(args.posonlyargs) + len(args.args)
    is_asked_by_name = any(default is None for default in args.kw_defaults)
    return (places > 0 or args.vararg is not None) and places - len(args.defaults) <= _MOST and not is_asked_by_name


def _names(tree: ast.Module) -> Iterator[str]:
    """What a module defines, assigns or imports; ``*`` where it takes all names of another."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
