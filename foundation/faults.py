"""Where code of a person's own failed (an agent, a task), told to who wrote it."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_ROOMS = ("agent", "environment", "evaluation", "flows", "foundation", "tasks_catalog")
_NOT_THEIRS = (
    *(_ROOT / room for room in _ROOMS),
    *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
)

_STOPS_BY_SIGNALS = "prefect"
"""Whose cancellations are exceptions of its own, raised in the midst of whatever runs."""


def is_fault(error: BaseException) -> bool:
    """Whether it is an error of their code, and no signal to stop that arrived while that code ran.

    Of code that must not end the process, so that ``SystemExit`` and its like are errors too.
    """
    is_a_stop = isinstance(error, KeyboardInterrupt) or type(error).__module__.split(".")[0] == _STOPS_BY_SIGNALS
    return isinstance(error, Exception) or not is_a_stop


def where_it_failed(error: BaseException) -> str:
    """File and line of the innermost frame outside this package and all libraries, or of the innermost one."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    theirs = [frame for frame in frames if _is_theirs(frame.filename)]
    for frame in reversed(theirs or frames):
        return f"{frame.filename}, line {frame.lineno}, in {frame.name}"
    return ""


def with_place(error: BaseException) -> str:
    """Kind, text and place of an error that nobody wrote for people."""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    place = where_it_failed(error)
    return (f"{type(error).__name__}: {said}" if said else type(error).__name__) + (f" ({place})" if place else "")


def traceback_of_theirs(error: BaseException) -> str:
    """The traceback from the first frame of the person's own code on; the whole one where none is theirs."""
    trace = error.__traceback__
    while trace is not None and not _is_theirs(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))


def _is_theirs(file: str) -> bool:
    return not file.startswith("<") and not any(map(Path(file).is_relative_to, _NOT_THEIRS))
