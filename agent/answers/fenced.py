"""Long arguments as fenced blocks below an Action Input, so that code need not be escaped.

Action: Write File
Action Input: {"file_name": "train.py"}
content:
```python
print("as it is")
```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

_OPENING = re.compile(r"\s*(?:[*_`]*(?P<key>\w+)[*_`]*:[*_]*[ \t]*\n[ \t]*)?(?P<fence>`{3,}|~{3,})[^\n`]*\n")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_NEXT_ENTRY = re.compile(r"^[ \t>#*_]*(?:Observation|Action|Thought)\b", re.MULTILINE)


class BlockError(ValueError):
    """A block cannot be read in one way; the message says why."""


@dataclass
class Blocks:
    """What was read: values by argument, and where the text after them begins."""

    values: dict[str, JsonValue] = field(default_factory=dict)
    end: int = 0


def read_blocks(
    text: str, start: int, known: Collection[str], given: Collection[str], missing: Sequence[str]
) -> Blocks:
    """The fenced blocks that follow at ``text[start]``.

    Args:
        text: The whole answer.
        start: The end of the JSON object.
        known: The arguments of the action.
        given: Those that the object has.
        missing: The required ones that it lacks; a block without a name is the only one of them.

    Raises:
        BlockError: A block does not end, an argument is given twice, or the text holds the fence itself.
    """
    found = Blocks(end=start)
    while opening := _OPENING.match(text, found.end):
        lacking = [name for name in missing if name not in found.values]
        key = opening["key"] or (lacking[0] if len(lacking) == 1 else None)
        if key is None or key not in known:
            break
        if key in given or key in found.values:
            raise BlockError(f"{key!r} is given twice")
        fence = opening["fence"]
        closing = re.compile(rf"^[ \t]*{fence}[ \t]*$", re.MULTILINE).search(text, opening.end())
        if closing is None:
            raise BlockError(f"the block of {key!r} has no closing {fence} on a line of its own")
        found.values[key] = text[opening.end() : closing.start()]
        found.end = closing.end()
    if found.values:
        _refuse_early_end(text[found.end :])
    return found


def _refuse_early_end(rest: str) -> None:
    """Refuse text with a further fence: the block before it may have ended at a fence of its own."""
    after = _NEXT_ENTRY.search(rest)
    if _FENCE.search(rest[: after.start()] if after else rest):
        raise BlockError("a block holds a line like its own fence; open and close it with a longer one (````)")


def in_blocks(args: Mapping[str, JsonValue]) -> tuple[dict[str, JsonValue], str]:
    """Arguments of one line, and those of several as blocks below them."""
    long = {name: value for name, value in args.items() if isinstance(value, str) and "\n" in value.rstrip("\n")}
    short = {name: value for name, value in args.items() if name not in long}
    return short, "".join(f"\n{_block(name, value)}" for name, value in long.items())


def _block(name: str, value: str) -> str:
    fences = [len(found[1]) for found in _FENCE.finditer(value)]
    fence = "`" * max(3, *(size + 1 for size in fences), 3)
    return f"{name}:\n{fence}\n{value}{'' if value.endswith(chr(10)) else chr(10)}{fence}"
