"""Rows of tables in LaTeX, as cells between bars."""

from __future__ import annotations

import re

_ROW = re.compile(
    r"^(?P<cells>[^\n]*[^\\]&[^\n]*?)\\\\(?:\[[^\]]*\])?\s*(?:\\(?:[hc]line|(?:top|mid|bottom)rule)\b.*)?$"
)
_RULE = re.compile(r"^\s*\\(?:hline|(?:top|mid|bottom)rule|c(?:mid)?line|midrule|cmidrule)\b[^&]*$")
_CELL = re.compile(r"(?<!\\)&")
_DRESS = re.compile(
    r"\\(?:textbf|textit|underline|emph|mathbf|bm|texttt|textsc|mathrm|textcolor\{\w+\})\s*\{([^{}]*)\}"
)
_LONGEST = 2_000
_SIGNS = (("\\pm", "±"), ("\\%", "%"), ("\\_", "_"), ("\\&", "&"), ("$", ""), ("\\uparrow", ""), ("\\downarrow", ""))


def with_bars(line: str) -> str:
    """A row as ``| BERT | 0.83 | 0.91 |``, a rule as dashes; any other line as it is."""
    if "\\" not in line or len(line) > _LONGEST:
        return line
    if _RULE.match(line):
        return "---"
    row = _ROW.match(line) if "\\\\" in line else None
    return f"| {' | '.join(map(_plain, _CELL.split(row['cells'])))} |" if row else line


def _plain(cell: str) -> str:
    bare = _DRESS.sub(r"\1", _DRESS.sub(r"\1", cell))
    for sign, plain in _SIGNS:
        bare = bare.replace(sign, plain)
    return bare.strip()
