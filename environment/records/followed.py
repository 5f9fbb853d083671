"""What another agent's command line did, as its talk with the model tells it."""

from __future__ import annotations

from pydantic import Field

from foundation.records import Record
from foundation.storable import JsonObject, Text


class Followed(Record):
    """One command or edit.

    Attributes:
        said: What the model said before it.
        tool: The tool it called, by its own name; "" where the command line reads commands out of what is said.
        args: What it called the tool with.
        result: What came back.
    """

    said: Text = ""
    tool: Text = ""
    args: JsonObject = Field(default_factory=dict)
    result: Text = ""
