"""What a shell's or container's limits on memory, processes and open files are called where they end something."""

from __future__ import annotations

import errno
import re
import resource

from flows.errors import FlowError, UsageError
from foundation.text import clipped

_OPEN_FILES = frozenset({errno.EMFILE, errno.ENFILE})
_TOO_MANY = _OPEN_FILES | {errno.EAGAIN}
"""Open files, or processes."""
_LIMITS = "the limits of this shell or container; `ulimit -a` lists the shell's."
_NO_MEMORY = re.compile(r".*(?:can't start new thread|failed to map segment|[Cc]annot allocate memory).*")
"""The line in which Python says that it can make no thread, or the loader that a library finds no room."""
_SHOWN = 300
LEAST_OPEN_FILES = 40
LEAST_ADDRESS_SPACE = 2**30
"""Bytes; with fewer, threads of libraries that a run loads end without a word, and what waits for them never ends."""


def require_room() -> None:
    """Refuse to begin where this shell's limits let no run come to its end.

    Raises:
        UsageError: Too few files may be open, or too little memory be reserved.
    """
    open_files, address_space = (resource.getrlimit(which)[0] for which in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS))
    if 0 <= open_files < LEAST_OPEN_FILES:  # no limit is -1
        raise UsageError(
            f"Only {open_files} files may be open here, and a run needs {LEAST_OPEN_FILES}.",
            hint=f"Raise `ulimit -n`, one of {_LIMITS}",
        )
    if 0 <= address_space < LEAST_ADDRESS_SPACE:
        raise UsageError(
            f"Only {address_space >> 20} MiB of memory may be reserved here, "
            f"and a run needs {LEAST_ADDRESS_SPACE >> 20} MiB.",
            hint=f"Raise `ulimit -v`, one of {_LIMITS}",
        )


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
