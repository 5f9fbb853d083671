"""Warnings of the log, which Python prints where nobody has said where to."""

from __future__ import annotations

import logging

from foundation.text import printable


class _PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def tell_plainly() -> None:
    """Have warnings, which may bear an agent's words, drive no terminal."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_PlainFormatter())
