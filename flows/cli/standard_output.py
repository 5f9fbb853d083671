"""Standard output of a command that prints JSON: whatever else is printed meanwhile goes to standard error.

An agent of one's own may print as it decides, and so may a library as it is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from typing import TextIO

_FOR_PROGRAMS: ContextVar[TextIO | None] = ContextVar("standard_output_for_programs", default=None)


@contextmanager
def kept_for_programs() -> Iterator[None]:
    """Within it, nothing but what is printed ``for_programs`` reaches standard output."""
    before = _FOR_PROGRAMS.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _FOR_PROGRAMS.reset(before)


def for_programs() -> TextIO:
    """Where a document for programs is printed."""
    return _FOR_PROGRAMS.get() or sys.stdout


def are_documents_shown() -> bool:
    """Whether a terminal shows the documents as they come; a bar would be drawn into them."""
    out = _FOR_PROGRAMS.get()
    return out is not None and out.isatty()
