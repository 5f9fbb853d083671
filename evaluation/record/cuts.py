"""What a harness writes in the place of what it leaves out of an observation or of an action."""

from __future__ import annotations

import re

_CUT = re.compile(
    r"\.\.\. ?\[trimmed\]|\[(?:output |text |content )?(?:trimmed|truncated|omitted|cut)\b[^\]\n]*\]"
    r"|<(?:truncated|trimmed)[^>\n]*>|<response clipped>|<persisted-output>|<elided_chars>|<tool_output_masked>"
    r"|\[\.{2,3} ?(?:[\w,]+ ){0,4}(?:truncated|omitted|elided)\b|\(ctrl\+\w to (?:expand|see all)\)"
    r"|\[old tool (?:result|output)[^\]\n]* cleared\b|\btool truncated output\b"
    r"|\b(?:output|result)(?: of your call to \S+)? (?:was |is )?too (?:large|long)\b"
    r"|\bfull (?:output|result)(?: saved to| available at)?: "
    r"|(?<=\d) more (?:bytes|characters|chars|lines|tokens)\b(?! (?:above|below))"  # so says a window on a file
    r"|\b(?:outputs?|content|bytes|characters|lines|chars|tokens) (?:(?:was|were|is|are|has been|have been) )?"
    r"(?:truncated|trimmed|omitted|elided)\b",
    re.IGNORECASE,
)
_OMITTED = re.compile(r"\[output omitted[^\]]*\]")


def is_cut(text: str) -> bool:
    """Whether part of a text was left out."""
    return bool(_CUT.search(text))


def is_left_out(text: str) -> bool:
    """Whether a text only tells that something was left out: a file that the agent was given, what a tool was asked."""
    return bool(_OMITTED.fullmatch(text))
