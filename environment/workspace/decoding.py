"""The text of a file that a script or an agent wrote."""

from __future__ import annotations

import codecs

from environment.errors import ActionError
from foundation.sizes import MiB
from foundation.text import shown

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


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
