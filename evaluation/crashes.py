"""Says how a submitted program failed, in one of a bounded number of ways and without a value of its inputs.

What a program prints on inputs that its author has not seen could carry them out. So could the name of an
exception, its message, or a made-up traceback: what is told is one of Python's own exceptions, and a line
that a submitted file really has.
"""

from __future__ import annotations

import builtins
import re
from pathlib import Path

from environment.sandbox.base import WORKSPACE, Execution, Limits
from environment.sandbox.limit_hit import limit_hit

KINDS = frozenset(
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
)
_TRACEBACK = "Traceback (most recent call last):"
_PLACE = re.compile(rf'^  File "{WORKSPACE}/([^"\n]+)", line ([0-9]{{1,9}})\b', re.MULTILINE)
_KIND = re.compile(r"^([A-Za-z_]\w*)(?::|$)", re.MULTILINE)
_TAIL = 20_000
"""Bytes from the end in which the last traceback is looked for."""


def ending_of(done: Execution, submitted: Path, limits: Limits) -> str:
    """How a run ended, or nothing where it ended well.

    Args:
        done: The run, with all that it printed.
        submitted: The submitted files.
        limits: What it might use.
    """
    if done.killed_by is not None:
        return f"was killed: {limit_hit(done.killed_by, limits)}"
    if done.exit_code == 0:
        return ""
    crash = _crash(done.output[-_TAIL:].decode(errors="replace"), submitted)
    return f"ended with exit code {done.exit_code}{crash}"


def _crash(printed: str, submitted: Path) -> str:
    _, found, traceback = printed.rpartition(_TRACEBACK)
    if not found:
        return ""
    kinds = [kind for kind in _KIND.findall(traceback) if kind in KINDS]
    kind = kinds[-1] if kinds else "an exception of its own"
    files = {str(path.relative_to(submitted)): path for path in submitted.rglob("*") if path.is_file()}
    places = [(name, int(line)) for name, line in _PLACE.findall(traceback) if name in files]
    if not places:
        return f" ({kind})"
    name, line = places[-1]
    is_there = 1 <= line <= files[name].read_bytes().count(b"\n") + 1
    return f" ({kind}, {name}, line {line})" if is_there else f" ({kind}, {name})"
