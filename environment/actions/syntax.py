"""A look at a Python file's syntax when it is saved: reported to the agent, never refused."""

from __future__ import annotations

import ast
import warnings

from foundation.sizes import MiB
from foundation.text import shown

_LARGEST = 1 * MiB


def syntax_note(name: str, content: str | bytes) -> str:
    """A sentence on the first syntax error of a Python file, on a new line; empty where there is none."""
    if not name.endswith(".py") or len(content) > _LARGEST:
        return ""
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(content, filename=name)
    except SyntaxError as error:
        line = f" at line {error.lineno}" if error.lineno else ""
        text = f": {shown(error.text.strip())}" if error.text else ""
        return f"\nNote: the file has a syntax error{line} ({error.msg}){text}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"\nNote: the file is no valid Python ({error or 'too deeply nested'})."
    return ""
