"""What a harness writes in the place of what it leaves out of an observation or of an action."""

from __future__ import annotations

import re

_CUT = re.compile(
    r"\.\.\. ?\[trimmed\]|\[(?:output |text |content )?(?:trimmed|truncated|omitted|cut)\b[^\]\n]*\]"
    r"|<(?:truncated|trimmed)[^>\n]*>"
    r"|<response clipped>|<persisted-output>|<elided_chars>|\bOutput too large\b"
    r"|\[\.{3} ?(?:[\w,]+ ){0,4}(?:truncated|omitted|elided)\b|\.{3} ?\[\d+ (?:characters|lines|tokens) truncated\]"
    r"|…\d+ (?:tokens|chars|characters|lines) truncated…|\(ctrl\+\w to (?:expand|see all)\)"
    r"|\b(?:outputs?|characters|lines|chars|tokens) (?:was |were |is |are )?(?:truncated|trimmed|omitted|elided)\b",
    re.IGNORECASE,
)
_OMITTED = re.compile(r"\[output omitted[^\]]*\]")


def is_cut(text: str) -> bool:
    """Whether part of a text was left out."""
    return bool(_CUT.search(text))


def is_left_out(text: str) -> bool:
    """Whether a text is all that a harness tells of a file that the agent was given."""
    return bool(_OMITTED.fullmatch(text))
