"""What a person is told whose log is of no known format: which there are, and how to write one that is read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from evaluation.importers.registry import IMPORTERS

_TEXTS = (".md", ".txt", ".tex", ".rst", ".html", ".csv", ".tsv")
_NAMED_TEXTS = 3
_NEUTRAL = """\
  {"log": 1, "task": "cifar10", "agent": "mine"}
  {"say": "I run the starter."}
  {"do": "python train.py", "saw": "test accuracy: 0.512", "exit": 0}
  {"say": "The test accuracy is 51.2 %."}
  {"end": "completed"}
"""
"""A log that anybody can write."""


def known_formats(asked: str | None) -> str:
    """What is read, and how any other log is converted.

    Args:
        asked: The one format that was asked, where somebody named it.
    """
    if asked:
        return f"Only {asked} was asked; without --format each format is."
    return (
        f"`mlab list importers` names the {len(IMPORTERS.listing())} formats that are read. "
        "Any other can be written as the neutral log, in a file NAME.jsonl:\n"
        f"{_NEUTRAL}"
        "A line each, in the order of the log: what the agent wrote (`say`), each command (`do`) with all that it "
        "printed (`saw`). docs/importing.md has all its fields."
    )


def about_texts(files: Iterable[PurePath]) -> str:
    """That notes, tables and printed chats by themselves tell nothing of what was run, where there are such files."""
    texts = sorted(file.name for file in files if file.suffix.lower() in _TEXTS)
    if not texts:
        return ""
    named = ", ".join(texts[:_NAMED_TEXTS]) + (" …" if len(texts) > _NAMED_TEXTS else "")
    return (
        f"Notes, tables and chats as text ({named}) show no run that they could be held against. Where the tool "
        "exports its chats as JSON, too, export that (VS Code: Chat: Export Chat…, to a file *.json). "
        "In a neutral log a table can be what a command `saw`, and a text what was said (`say`).\n"
    )
