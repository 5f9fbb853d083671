"""Files that a grader of others reads beside itself and does not find, seen by reading it: nothing of it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_READS = {"genfromtxt", "listdir", "load", "loadtxt", "open"}
"""What reads a file or a folder, besides all that begins with ``read_``."""


def missing_files(script: Path) -> list[str]:
    """The names of what it reads beside itself and is not there, each once."""
    try:
        module = ast.parse(script.read_bytes())
    except (SyntaxError, ValueError):
        return []
    named = dict.fromkeys(name for node in ast.walk(module) if isinstance(node, ast.Call) for name in _read_by(node))
    return [name for name in named if not (script.parent / name).exists()]


def _read_by(call: ast.Call) -> Iterator[str]:
    """``read_csv(os.path.join(os.path.dirname(__file__), "answer.csv"))``."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if not call.args or not (name in _READS or name.startswith("read_")) or (name == "open" and _writes(call)):
        return
    match call.args[0]:
        case ast.Call(func=ast.Attribute(attr="join"), args=[folder, *parts]) if _is_own(folder):
            names = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if names and len(names) == len(parts) and not names[0].startswith(".."):
                yield "/".join(names)


def _is_own(folder: ast.expr) -> bool:
    """Whether an expression is the folder that the script lies in."""
    return ast.unparse(folder).removeprefix("os.path.") in ("dirname(__file__)", "dirname(os.path.abspath(__file__))")


def _writes(call: ast.Call) -> bool:
    modes = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return any(not isinstance(mode, ast.Constant) or not str(mode.value).startswith("r") for mode in modes)
