"""Warnings of the log, which Python prints where nobody has said where to."""

from __future__ import annotations

import logging
import warnings

from foundation.text import printable


class _PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def tell_plainly() -> None:
    """Have warnings, which may bear an agent's words, drive no terminal."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_PlainFormatter())


def tell_of_no_leftovers() -> None:
    """Say nothing of what an error cut short, once that is told: Python finds coroutines nobody awaited as it ends."""
    warnings.simplefilter("ignore", RuntimeWarning)
