"""Chat histories as aider writes them: who speaks in each line, and the edits that stand in what the model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

from foundation.records import Record

BEGUN = "# aider chat started at "
_SPENT = re.compile(r"> Tokens: [\d.,kM]+ sent")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HARD_BREAK = "  "
"""Ends every line of the user and of aider itself, as Markdown has it; not where somebody's editor stripped them."""
_QUOTED_BLOCK = r"<{5,} ?SEARCH.*?^>{5,} ?(?:REPLACE|UPDATED)[ \t]*$"
_FILE = r"[*`]*(?:[#\w./\\~@+-]|(?<=\w) (?=[\w./-]+\.\w))+[*`:]*"
_BLOCK = re.compile(
    rf"(?:^(?P<before>{_FILE})\n)?"
    rf"^(?P<fence>`{{3,}}|~{{3,}})[^\n]*\n(?:(?P<within>{_FILE})\n)?"
    rf"(?P<patch>{_QUOTED_BLOCK}(?:\n+{_QUOTED_BLOCK})*)\n*(?:^(?P=fence)[ \t]*$)?",
    re.MULTILINE | re.DOTALL,
)
_LISTING = re.compile(
    rf"^(?P<file>{_FILE})\n(?P<fence>`{{3,}})[^\n]*\n(?P<content>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_MARKS = "*`#: "


class Speaker(StrEnum):
    """Who wrote a passage of a chat."""

    BEGIN = "begin"
    USER = "user"
    AIDER = "aider"
    MODEL = "model"


class Passage(Record):
    """Lines of one speaker, without the marks that say whose they are."""

    speaker: Speaker
    text: str


class FileEdit(Record):
    """A change that the model wrote out: to which file, and its text."""

    file: str
    patch: str


def passages(written: str) -> Iterator[Passage]:
    """A chat, passage by passage; what the user wrote in several messages is several."""
    for (speaker, _), lines in groupby(_spoken(written.splitlines()), key=lambda line: line[:2]):
        text = "\n".join(line for *_, line in lines).strip()
        if text:
            yield Passage(speaker=speaker, text=text)


def _spoken(lines: Sequence[str]) -> Iterator[tuple[Speaker, bool, str]]:
    """Each line with its speaker, and whether it is an empty one behind a message of the user's.

    A model, too, writes headings and quotes; its own have no hard break behind them, and stand behind its words.
    """
    has_breaks = any(line.startswith(("#### ", "> ")) and line.endswith(_HARD_BREAK) for line in lines)
    speaker, fence, broken_off = Speaker.BEGIN, "", False
    for line in lines:
        bare, of_aider = line.removeprefix("> "), line.startswith(("> ", ">\n")) or line.rstrip() == ">"
        is_models = has_breaks and speaker is Speaker.MODEL and not line.endswith(_HARD_BREAK)
        if line.startswith(BEGUN):
            speaker, fence = Speaker.BEGIN, ""
        elif _SPENT.match(line):
            speaker, fence = Speaker.AIDER, ""
        elif fence or (is_models and line.strip()):
            speaker = Speaker.MODEL
        elif bare.startswith("##### /") and of_aider:
            speaker, bare = Speaker.USER, bare.removeprefix("##### ")
        elif line.startswith("#### ") or line.rstrip() == "####":
            speaker, bare = Speaker.USER, line[5:]
        elif of_aider:
            speaker = Speaker.AIDER
        elif line.strip() and not broken_off:
            speaker = Speaker.MODEL
        broken_off = speaker is Speaker.AIDER and bool(line.strip()) and not line.endswith(_HARD_BREAK)
        if speaker is Speaker.MODEL:
            fence = _fence_after(line, fence)
        yield speaker, speaker is Speaker.USER and not line.strip(), line if speaker is Speaker.MODEL else bare.rstrip()


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open behind a line; none where there is none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if line.strip() == fence else fence


def edits_in(said: str, applied: Iterable[str] = ()) -> tuple[list[FileEdit], str]:
    """The edits in a model's answer.

    Args:
        said: The answer.
        applied: Files that it was taken to have written whole; their listings are edits, too.

    Returns:
        The edits, and the answer without them.
    """
    edits: list[FileEdit] = []

    def changed(found: re.Match[str]) -> str:
        file = (found["within"] or found["before"] or (edits[-1].file if edits else "")).strip(_MARKS)
        edits.append(FileEdit(file=file, patch=found["patch"]))
        return ""

    def listed(found: re.Match[str]) -> str:
        file = found["file"].strip(_MARKS)
        if file not in whole:
            return found.group()
        edits.append(FileEdit(file=file, patch=found["content"]))
        return ""

    prose = _BLOCK.sub(changed, said)
    whole = set(applied) - {edit.file for edit in edits}
    return edits, _LISTING.sub(listed, prose).strip()
