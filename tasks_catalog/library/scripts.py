"""Whether a task's ``grade.py`` and ``prepare.py`` can be called, seen in their text before any run: none is run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from tasks_catalog.library.errors import BrokenTaskError
from tasks_catalog.library.imports import missing_in, names_of
from tasks_catalog.library.spec import Task


@dataclass(frozen=True)
class _Function:
    """What a script must define.

    Attributes:
        name: Of the function.
        call: How it is called.
        most: Arguments it is given at most, by their place.
        hint: What to do where it is missing or takes something else.
    """

    name: str
    call: str
    most: int
    hint: str


_SCORE = _Function(
    "score",
    "score(artifacts, private)",
    3,
    "It is called as score(artifacts, private), with trials behind them where the task has any, and returns a Grade.",
)
_PREPARE = _Function(
    "prepare", "prepare(job)", 1, "It is called as prepare(job), and fills the folders job.public and job.private."
)
_DRAW = _Function(
    "draw",
    "draw(job)",
    1,
    "task.toml says drawn = true, so that draw(job) is called at each grade, and fills the folder job.exam.",
)


def check_scripts(task: Task) -> None:
    """Look for the functions that a task's scripts must define, and for what its grader imports of ours.

    Libraries may lie in a sandbox's image alone, where each run looks for them before its first step.

    Raises:
        BrokenTaskError: One is missing or cannot be called, a script is no Python, or imports what is not there.
    """
    _check_functions(task.grade_script, _SCORE)
    _check_functions(task.prepare_script, *([_PREPARE, _DRAW] if task.spec.drawn else [_PREPARE]))
    if missing := missing_in(task.grade_script, libraries=False):
        raise BrokenTaskError("; ".join(missing), hint="Mend the import: no run can be graded before.")


def _check_functions(script: Path, *wanted: _Function) -> None:
    tree = _parsed(script)
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    given = names_of(tree)
    for function in wanted:
        if not given & {function.name, "*"}:
            own = ", ".join(each.name for each in functions) or "no function"
            raise BrokenTaskError(f"{script} has no function {function.call}; it defines {own}", hint=function.hint)
        for each in functions:
            if each.name == function.name and not _takes(each.args, function.most):
                raise BrokenTaskError(
                    f"{script}, line {each.lineno}: {each.name}({ast.unparse(each.args)}) cannot be called",
                    hint=function.hint,
                )


def _parsed(script: Path) -> ast.Module:
    try:
        return ast.parse(script.read_bytes(), filename=str(script))
    except (SyntaxError, ValueError) as error:  # ValueError: of a null byte
        place = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise BrokenTaskError(f"{script}{place}: {said}", hint="Mend it; no run can be graded before.") from None


def _takes(args: ast.arguments, most: int) -> bool:
    """Whether a function can be called with one argument, or some more up to ``most``, by their place."""
    places = len(args.posonlyargs) + len(args.args)
    is_asked_by_name = any(default is None for default in args.kw_defaults)
    return (places > 0 or args.vararg is not None) and places - len(args.defaults) <= most and not is_asked_by_name
