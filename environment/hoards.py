"""Tells code that carries a table: answers computed beforehand, in what looks like a program."""

from __future__ import annotations

import ast
import zlib

from foundation.sizes import KiB

LARGEST = 256 * KiB
"""Bytes of code that are read; a longer file is no program that anyone wrote."""
LITERALS = 16 * KiB
"""Bytes of numbers and texts in the code, about, docstrings aside, from which they are a table."""
PACKED = 0.5
"""Written code is compressed by zlib to about a third of it; digits of packed data to no less than this."""
_ENOUGH = 8 * KiB
"""Below that many bytes compression says nothing."""


def hoard_in(code: bytes) -> str:
    """What of a file looks like a table; empty where nothing does."""
    if len(code) > LARGEST:
        return f"more than {LARGEST // KiB} KiB of code"
    if _literals(code) > LITERALS:
        return f"literals of more than {LITERALS // KiB} KiB"
    if len(code) > _ENOUGH and len(zlib.compress(code)) > PACKED * len(code):
        return "text as dense as packed data"
    return ""


def _literals(code: bytes) -> int:
    """Bytes that constants take in the code; of what does not parse, nothing is known."""
    try:
        module = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    documented = {
        id(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return sum(
        _size(node.value) for node in ast.walk(module) if isinstance(node, ast.Constant) and id(node) not in documented
    )


def _size(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    return value.bit_length() // 4 + 1 if isinstance(value, int) else 8
