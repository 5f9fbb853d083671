"""Sessions of Claude Code as PostTrainBench writes them out for people (``solve_parsed.txt``).

Each message of ``stream-json`` has a heading, what stands in it is indented, and texts of several lines stand there as
they are. A transcript is made such messages again; where a tool's text looks like another argument of it, it is cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from evaluation.importers.agents.claude_code import Session, log_of
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import load_text
from evaluation.record.log import RunLog

_HEAD = 1 << 16
_MESSAGE = re.compile(
    r"^(?P<who>Session start|System event|Assistant|User|Result|Unhandled event) (?:—|type) (?P<what>[^\n|]*)"
    r"(?:\| (?P<time>\S+))?$",
    re.MULTILINE,
)
_PART = re.compile(r"^  (?:Tool (?P<side>call|result) — (?P<tool>[^\n]*) \((?P<id>[^)\n]+)\)|\[(?P<kind>\w+) block\])$")
_MODEL = re.compile(r"^  Model: (.+)$", re.MULTILINE)
_ARGUMENT = re.compile(r'^  "(?P<name>\w+)": (?P<value>.*?)(?=,?\n  "\w+": |,?\n\}\s*\Z)', re.MULTILINE | re.DOTALL)
_SHELL, _CODE = "$ ", "python "
_OF_TOOL = " " * 4


def _recognises(found: Found) -> bool:
    head = "" if found.is_folder else load_text(found.path, _HEAD)
    return "\n  Tool call — " in head and any(each["who"] == "Assistant" for each in _MESSAGE.finditer(head))


def _read(found: Found) -> Iterator[RunLog]:
    """A session; its task is told by the folder, since all of them work in folders of one name."""
    log = log_of(found, _lines(load_text(found.path)), Session(tells_errors=False))
    yield log.model_copy(update={"task": found.path.parent.name or found.stem})


def _lines(transcript: str) -> Iterator[dict[str, Any]]:
    """The messages, as ``stream-json`` has them."""
    begun = list(_MESSAGE.finditer(transcript))
    model: str | None = None
    ends = [*(each.start() for each in begun[1:]), len(transcript)]
    for each, end in zip(begun, ends, strict=True):
        body = transcript[each.end() : end].strip("\n")
        if each["who"] == "Session start":
            named = _MODEL.search(body)
            model = named[1] if named else None
        elif each["who"] == "Result":
            yield {"type": "result", "subtype": each["what"].strip(), **_arguments(_dedented(body, "  "))}
        elif each["who"] in ("Assistant", "User"):
            kind = each["who"].lower()
            message = {"role": kind, "model": model, "id": each["what"].strip(), "content": list(_blocks(body))}
            yield {"type": kind, "timestamp": each["time"], "message": message}


def _blocks(body: str) -> Iterator[dict[str, Any]]:
    part: re.Match[str] | None = None
    held: list[str] = []
    for line in body.splitlines():
        begun = _PART.match(line)
        is_text_again = part is not None and line[:2] == "  " and line[2:4].strip() != ""
        if begun or is_text_again:
            yield from _block(part, held)
            part, held = begun, []
        held += [] if begun else [line]
    yield from _block(part, held)


def _block(part: re.Match[str] | None, lines: list[str]) -> Iterator[dict[str, Any]]:
    if part is None:
        yield {"type": "text", "text": _dedented("\n".join(lines), "  ").strip()}
        return
    content = _dedented("\n".join(lines), _OF_TOOL)
    if part["side"] == "call":
        yield {"type": "tool_use", "id": part["id"], "name": part["tool"], "input": _given(content)}
    elif part["side"] == "result":
        yield {"type": "tool_result", "tool_use_id": part["id"], "content": content.strip("\n")}
    else:
        yield {"type": part["kind"], **_arguments(content)}


def _given(content: str) -> dict[str, Any]:
    """What a tool was given; a command or code alone stands there by itself."""
    for sign, name in ((_SHELL, "command"), (_CODE, "code")):
        if content.startswith(sign):
            return {name: content.removeprefix(sign).strip()}
    return _arguments(content)


def _arguments(content: str) -> dict[str, Any]:
    return {each["name"]: _value(each["value"]) for each in _ARGUMENT.finditer(content)}


def _value(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return written


def _dedented(text: str, indent: str) -> str:
    return "\n".join(line.removeprefix(indent) for line in text.splitlines())


CLAUDE_TRANSCRIPTS = Importer(recognises=_recognises, read=_read, suffixes=(".txt",))
"""The format, as the registry names it."""
