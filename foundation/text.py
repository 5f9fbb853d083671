"""Text between files, scripts and agents: safe display, and cutting what is too long."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable

HIDING = r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
"""Characters that hide or reorder the text around them, for a class of a regular expression."""
CONTROL = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{HIDING}]")
"""Control characters but tab and newline, and those that reorder or hide text."""

_ZEROS_AMONG = 2_000


def shown(name: str, limit: int = 200) -> str:
    """A file name as it may stand in a line of text: unprintable characters escaped, long names cut."""
    text = name if name and name.isprintable() else json.dumps(name, ensure_ascii=True)
    return text if len(text) <= limit else f"{text[: limit // 2]}…{text[-limit // 2 :]}"


def visible(text: str) -> str:
    """The text with every character that drives a terminal, or hides or reorders text, as a sign; lines stay lines."""
    return CONTROL.sub(_sign, text.replace("\r\n", "\n"))


def printable(text: str) -> str:
    """The text with every character escaped that drives a terminal or that none can show."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), encodable(text))


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"\\u{code:04x}"


def known_names(typed: str, names: Iterable[str], *, intro: str = "Known") -> str:
    """A hint on a name that there is not: the one that was probably meant, then all that there are."""
    return f"{meant(typed, names := list(names))}{intro}: {', '.join(names)}."


def meant(typed: str, names: Iterable[str]) -> str:
    """A question after the name that looks most like the typed one, with a space behind it; "" where none does."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in names}
    close = get_close_matches(typed.lower(), by_lower, n=1)
    return f"Did you mean {by_lower[close[0]]}? " if close else ""


def text_of(output: bytes) -> str:
    """What a program printed: in UTF-8, or in UTF-16 as by its byte order mark or its zero bytes; never fails."""
    if output.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return output.decode("utf-16", "replace")
    head = output[:_ZEROS_AMONG]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if len(zeros) > 1 and zeros.count(0) * 5 > len(zeros) * 4 and head.count(0) == zeros.count(0):
            return output.decode(encoding, "replace")
    return output.decode("utf-8", "replace")


def clipped(text: str, limit: int) -> str:
    """At most ``limit`` characters: the beginning, with an ellipsis for the rest."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def begun(text: str, limit: int) -> str:
    """As ``clipped``, behind a whole word where that leaves half of it."""
    cut = clipped(text, limit)
    at = cut.rfind(" ", limit // 2)
    return cut if cut == text or at < 0 else f"{cut[:at]} …"


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
