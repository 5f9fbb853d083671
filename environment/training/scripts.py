"""What a script says about itself: its settings, and how it differs from the starter's."""

from __future__ import annotations

import ast
from difflib import unified_diff
from pathlib import Path

_MAX_SETTINGS = 100
_MAX_VALUE = 250
_MAX_LINES = 20_000
"""Above this ``difflib`` takes minutes; the script itself is in the workspace's snapshot."""


def constants(source: bytes) -> dict[str, str]:
    """The settings of a script: names bound once at its top level to a plain number, text or truth value.

    Returns:
        Names and values as text, at most ``_MAX_SETTINGS``; empty for a script that does not parse.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, str] = {}
    rebound: set[str] = set()
    for statement in module.body:
        for name, value in _bindings(statement):
            if name in found or value is None:
                rebound.add(name)
            else:
                found[name] = value
    kept = [(name, value) for name, value in found.items() if name not in rebound and not name.startswith("_")]
    return dict(kept[:_MAX_SETTINGS])


def _bindings(statement: ast.stmt) -> list[tuple[str, str | None]]:
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets, value = [statement.target], statement.value
    else:
        return []
    text = _plain(value)
    return [(target.id, text) for target in targets if isinstance(target, ast.Name)]


def _plain(value: ast.expr) -> str | None:
    negative = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)
    constant = value.operand if isinstance(value, ast.UnaryOp) and negative else value
    if not isinstance(constant, ast.Constant) or not isinstance(constant.value, bool | int | float | str):
        return None
    try:
        text = str(constant.value)
    except ValueError:  # an integer of more digits than Python prints
        return None
    if len(text) > _MAX_VALUE or "\n" in text:
        return None
    return f"-{text}" if negative else text


def diff_against(starter: Path, name: str, source: bytes) -> str:
    """A unified diff of a script against the starter's version of it; of a new file, all its lines.

    Empty where nothing differs, and where the script is no text or too long to compare.
    """
    is_new = not starter.is_file()
    before = b"" if is_new else starter.read_bytes()
    if b"\0" in source or b"\0" in before:
        return ""
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, source))
    if len(old) + len(new) > _MAX_LINES:
        return ""
    return "\n".join(unified_diff(old, new, "/dev/null" if is_new else f"a/{name}", f"b/{name}", lineterm=""))


def imported_names(source: bytes) -> list[str]:
    """The top-level modules that a script imports, at most ``_MAX_SETTINGS``; none of one that does not parse."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return list(dict.fromkeys(name.partition(".")[0] for name in names))[:_MAX_SETTINGS]
