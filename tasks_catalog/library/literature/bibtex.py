"""BibTeX: entries read from what a program wrote, and written from records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tasks_catalog.library.errors import InvalidSubmissionError

VENUE = {"inproceedings": "booktitle", "article": "journal", "misc": "howpublished"}
"""Which field says where something was published, by kind of entry."""
TYPE = "type"
"""The kind of an entry, told beside its fields."""
_HEAD = re.compile(r"@\s*(\w+)\s*\{\s*([^\s,{}]+)\s*,")
_FIELD = re.compile(r"\s*(\w+)\s*=\s*")
_BARE = re.compile(r"\w+")

Entry = Mapping[str, str]


def fields_of(paper: Mapping[str, object]) -> dict[str, str]:
    """The fields of a paper's entry, its kind under ``type``."""
    kind, authors = str(paper["kind"]), paper["authors"]
    assert isinstance(authors, list | tuple)
    return {
        TYPE: kind,
        "author": " and ".join(map(str, authors)),
        "title": str(paper["title"]),
        "year": str(paper["year"]),
        VENUE[kind]: str(paper["venue"]),
    }


def written(key: str, fields: Entry) -> str:
    """An entry as BibTeX."""
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if name != TYPE)
    return f"@{fields[TYPE]}{{{key},\n{lines}}}\n"


def read_entries(text: str) -> dict[str, dict[str, str]]:
    """Entries by key, each with its fields and its kind; values without outer braces, inner ones and extra spaces.

    Raises:
        InvalidSubmissionError: It is no BibTeX, or a key stands twice; which one, is not told.
    """
    entries: dict[str, dict[str, str]] = {}
    position = 0
    while (start := text.find("@", position)) >= 0:
        head = _HEAD.match(text, start)
        if head is None:
            raise InvalidSubmissionError(f"entry {len(entries) + 1} of the bibliography does not begin as BibTeX does")
        if head[2] in entries:
            raise InvalidSubmissionError(f"entry {len(entries) + 1} of the bibliography has the key of an earlier one")
        fields, position = _fields(text, head.end(), len(entries) + 1)
        entries[head[2]] = {TYPE: head[1].lower(), **fields}
    return entries


def _fields(text: str, position: int, number: int) -> tuple[dict[str, str], int]:
    """The fields that begin at a position, and where the entry ends."""
    fields: dict[str, str] = {}
    while (field := _FIELD.match(text, position)) is not None:
        value, position = _value(text, field.end(), number)
        fields[field[1].lower()] = " ".join(value.replace("{", "").replace("}", "").split())
        position = _past(text, position, ",")
    position = _past(text, position, "}", needed=True, number=number)
    return fields, position


def _value(text: str, position: int, number: int) -> tuple[str, int]:
    bare = _BARE.match(text, position)
    if bare is not None:
        return bare[0], bare.end()
    closing = {"{": "}", '"': '"'}.get(text[position : position + 1])
    if closing is None:
        raise _broken(number)
    depth = 0
    for place in _places(text, position + 1):
        if depth == 0 and text[place] == closing:
            return text[position + 1 : place], place + 1
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth < 0:
            break
    raise _broken(number)


def _places(text: str, position: int) -> Iterator[int]:
    """Where braces and quotation marks stand."""
    return (found.start() for found in re.compile(r'[{}"]').finditer(text, position))


def _past(text: str, position: int, mark: str, *, needed: bool = False, number: int = 0) -> int:
    rest = re.compile(rf"\s*{re.escape(mark)}").match(text, position)
    if rest is None and needed:
        raise _broken(number)
    return position if rest is None else rest.end()


def _broken(number: int) -> InvalidSubmissionError:
    return InvalidSubmissionError(f"entry {number} of the bibliography is no BibTeX: a field or its end is missing")
