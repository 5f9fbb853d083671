"""Text between files, scripts and agents: decoding, safe display, and cutting what is too long."""

from __future__ import annotations

import codecs
import json

from environment.errors import ActionError
from tasks_catalog.spec import MiB

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

HIDING = r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
"""Characters that hide or reorder the text around them, for a class of a regular expression."""


def decode(data: bytes, name: str) -> str:
    """The text of a file, in UTF-8, in UTF-16 or UTF-32 with a byte order mark, or else in Latin-1.

    Raises:
        ActionError: The file holds no text.
    """
    encoding = next((known for mark, known in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        if any(not (character.isprintable() or character.isspace()) for character in text[: 1 * MiB]):
            raise ActionError(
                f"{shown(name)} is a binary file ({len(data):,} bytes), not text.",
                hint="Read it in a script with the library for its format.",
            ) from error
        return text


def shown(name: str, limit: int = 200) -> str:
    """A file name as it may stand in a line of text: unprintable characters escaped, long names cut."""
    text = name if name and name.isprintable() else json.dumps(name, ensure_ascii=True)
    return text if len(text) <= limit else f"{text[: limit // 2]}…{text[-limit // 2 :]}"


def encodable(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 file or JSON document can hold, written as ``\\ud800``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def cut_middle(text: str, limit: int) -> str:
    """At most about ``limit`` characters: the beginning and the end, with a note of what is gone between.

    The cut falls on line breaks, unless the lines are too long for it.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    head_end = text.rfind("\n", half // 2, half) + 1 or half
    tail_start = text.find("\n", len(text) - half, len(text) - half // 2) + 1 or len(text) - half
    gone = text[head_end:tail_start]
    lines = gone.count("\n")
    what = f"{lines:,} lines ({len(gone):,} characters)" if lines else f"{len(gone):,} characters of a line"
    head, tail = text[:head_end].rstrip("\n"), text[tail_start:]
    return f"{head}\n[… {what} cut here …]\n{tail}"


def lines_of(text: str) -> list[str]:
    """The lines of a text, counted as Python counts them in its error messages."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines
