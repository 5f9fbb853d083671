"""What becomes of signals to stop, and how long a run that ends before its time still tries to tell Prefect."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_OVER = 0
"""In place of a signal's number: the end of the pipe would not come while a copy of this process has it open."""
RETRIES_ONCE_STOPPED = 1
"""Two seconds a request instead of a quarter of an hour; nothing that a run needs to be resumed lies with Prefect."""


def _deaf() -> None:
    signal.set_wakeup_fd(-1)


# A copy of this process, which an agent may fork and end by a signal, would tell of that signal through our pipe.
os.register_at_fork(after_in_child=_deaf)


@contextmanager
def soon_given_up(heard_by: Callable[[], None]) -> Iterator[threading.Event]:
    """From the first signal to stop on, have Prefect's clients of this process give up soon; set by such a signal.

    Within a flow Prefect puts its own handler in the place of ours, and a signal can come while its client waits to
    try again: what is written to the wakeup descriptor tells of every signal, whoever handles it.

    Args:
        heard_by: Called once, from another thread.
    """
    heard, told = os.pipe()
    stopped = threading.Event()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(heard, stopped, heard_by), name="stop-signals", daemon=True)
    listener.start()
    try:
        yield stopped
    finally:
        signal.set_wakeup_fd(before)
        os.set_blocking(told, True)
        os.write(told, bytes([_OVER]))
        listener.join()
        os.close(told)
        os.close(heard)


def _listen(heard: int, stopped: threading.Event, heard_by: Callable[[], None]) -> None:
    numbers = b""
    while _OVER not in numbers:
        numbers = os.read(heard, 64)
        if not stopped.is_set() and any(number in TO_STOP for number in numbers):
            stopped.set()
            heard_by()
            give_up_soon()


@contextmanager
def unheard() -> Iterator[None]:
    """Hear no further signal to stop while the first one is obeyed: it would break off what keeps things whole."""
    if threading.current_thread() is not threading.main_thread():  # signals come elsewhere
        yield
        return
    with handled(TO_STOP, signal.SIG_IGN):
        yield


@contextmanager
def handled(numbers: Iterable[signal.Signals], handler: Callable[..., object] | signal.Handlers) -> Iterator[None]:
    """Have these signals handled so while the block lasts, and then as before."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def give_up_soon() -> None:
    """From now on, have Prefect's clients of this process give up soon."""
    from prefect.settings import get_current_settings

    get_current_settings().client.max_retries = RETRIES_ONCE_STOPPED
    # What can't be told any more is not told on standard error either, line by line.
    logging.raiseExceptions = False
