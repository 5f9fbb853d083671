"""What a shell's or container's limits on memory, processes and open files are called where they end something."""

from __future__ import annotations

import errno
import re

from flows.errors import FlowError
from foundation.text import clipped

_OPEN_FILES = frozenset({errno.EMFILE, errno.ENFILE})
_TOO_MANY = _OPEN_FILES | {errno.EAGAIN}
"""Open files, or processes."""
_LIMITS = "the limits of this shell or container; `ulimit -a` lists the shell's."
_NO_MEMORY = re.compile(r".*(?:can't start new thread|failed to map segment|[Cc]annot allocate memory).*")
"""The line in which Python says that it can make no thread, or the loader that a library finds no room."""
_SHOWN = 300


def meaning_limit(error: object) -> FlowError | None:
    """A limit of the shell in words, where that is what an error of the system or of a library means."""
    if isinstance(error, MemoryError):
        return _no_memory(str(error) or "no memory is left")
    if isinstance(error, RuntimeError | ImportError) and (found := _NO_MEMORY.search(str(error))):
        return _no_memory(found.group().strip())  # numpy writes a page around it
    if not isinstance(error, OSError):
        return None
    if error.errno == errno.ENOMEM:
        return _no_memory(str(error.strerror))
    if error.errno in _TOO_MANY:
        which = "`ulimit -n` says how many files may be open." if error.errno in _OPEN_FILES else ""
        said = f"{error.strerror}: a limit of this shell or container is reached."
        return FlowError(said, hint=f"Raise {_LIMITS} {which}".strip())
    return None


def _no_memory(said: str) -> FlowError:
    return FlowError(
        f"Memory or threads are too few here: {clipped(said, _SHOWN)}", hint=f"Free some memory, or raise {_LIMITS}"
    )
