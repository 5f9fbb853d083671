"""Where an output tells of a failure."""

from __future__ import annotations

import re

from evaluation.record.kinds import EventKind

_FAILURE = re.compile(
    r"\bEnvError\b|^(?:\[rank\d+\]:)?\s*[\w.]*(?:Error|Exception|Interrupt)\b:? ?|TIMED OUT|\btimed out after\b"
    r"|\b(?:script|file) \S+ does not exist|NOT been applied|command not found"
    r"|No such file or directory|CUDA out of memory|\bOutOfMemoryError|Segmentation fault|core dumped|non-zero exit"
    r"|[Ee]xit(?:ed with)?(?: code| status)?:? [1-9]\d*\b|\bKilled\b|introduced new syntax error|can't open file"
    r"|\b(?:artefact|artifact|submission|file) not found|\bNo valid submission\b"
    r"|\bresponse (?:had|has|contains?|contained) (?:\w+ )?errors?\b"
)
_SIGNS = (
    *("Error", "Exception", "Interrupt", "TIMED OUT", "timed out", "not exist", "NOT been", "not found", "No such"),
    *("memory", "fault", "dumped", "xit", "Killed", "syntax", "open file", "No valid", "response"),
)
"""One of these stands in every line that tells of a failure; quick, where the pattern is not."""
_TRACEBACK = re.compile(r"^\s*(?:\[rank\d+\]: ?)?Traceback \(most recent call last\)", re.MULTILINE)


def failing_line(kind: EventKind, seen: str) -> str:
    """The line that says why an action failed; "" where none does."""
    if kind is EventKind.NOTE:
        return ""
    if kind is EventKind.READ:
        head = seen[:300]
        match = re.search(
            r"^.*(?:\bEnvError\b|No such file|not found|Error:|response had \w+ errors?).*$", head, re.MULTILINE
        )
        return match.group().strip() if match else ""
    lines = (line for line in reversed(seen.split("\n")) if any(sign in line for sign in _SIGNS))
    last = next((line for line in lines if _FAILURE.search(line)), "")
    if last and (kind is not EventKind.RUN or _is_fatal(last, seen)):
        return last.strip()
    trace = _TRACEBACK.search(seen)
    return trace.group().strip() if trace else ""


def _is_fatal(line: str, seen: str) -> bool:
    """Whether a failing line ended the script: it was stopped, or little follows its last traceback."""
    return bool(_TRACEBACK.search(seen)) or len(seen) - seen.rfind(line) - len(line) < 2000
