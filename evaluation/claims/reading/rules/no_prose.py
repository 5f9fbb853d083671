"""What stands in a text and is no prose: code, records, formulas and sums."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)(?P<language>[^\n`]*)$", re.MULTILINE)
_RECORD = re.compile(
    r"\{[^{}]*(?P<q>['\"])[\w ]+(?P=q)\s*:[^{}]*\}|^\s*\"[\w ]+\"\s*:.*$|\{[\w.\[\]]+:[^}\s]*\}", re.MULTILINE
)
_FORMULA = re.compile(r"\$[^$\n]*[\\^_=][^$\n]*\$|\\\(.*?\\\)|\\\[.*?\\\]|https?://\S+|<\w+>[^<\n]*</\w+>", re.DOTALL)
_SUM = re.compile(
    r"(?<![\d.,(])(?<![\d)%][-−+*/×÷])(?<![\d)%] [-−+*/×÷] )\(*+\d[\d.,]*+%?\)*+"
    r"(?:\s*[-−+*/×÷]\s*\(*+\d[\d.,]*+%?\)*+)++\s*[=≈]\s*-?\d[\d.,]*\d\b(?:\s?%)?"
)
"""Arithmetic with what it comes to."""
_CODE = re.compile(
    r"^[ \t]*(?:(?:import|from) [\w.]+(?: import .*)?|(?:def|class|for|while|if|elif|else|with"
    r"|try|except)\b.*:|return\b.*"
    r"|print\(.*|[\w.\[\]'\"]+(?:, ?\w+)* (?:=|\+=|-=) (?!\d[\d.]*%).*|@\w+.*|end_of_edit"
    r"|[)\]}]+,?|#!.*|edit \d+:\d+.*)$",
    re.MULTILINE,
)


def without_code(prose: str) -> str:
    """The prose with blanks in place of code, records and formulas."""
    text = _without_fences(prose)
    for pattern in (_RECORD, _RECORD, _FORMULA, _SUM, _CODE):  # a record within a record is one, too
        text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _without_fences(prose: str) -> str:
    """What stands between fences is code; after a fence that nothing closes, all the rest of the text."""
    fences = list(_FENCE.finditer(prose))
    text, at = prose, 0
    while at < len(fences):
        end = next((n for n in range(at + 1, len(fences)) if not fences[n]["language"].strip()), None)
        begin, stop = fences[at].start(), fences[end].end() if end is not None else len(prose)
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:stop]) + text[stop:]
        at = end + 1 if end is not None else len(fences)
    return text
