"""Reads one JSON object as language models write it, without ever guessing a value.

Beyond JSON it takes what has a single meaning: single and triple quotes, line breaks inside strings,
a backslash before a letter that needs none (``6\\CLRS``, ``\\d``: kept as it stands), ``True``/``False``/
``None``, a trailing comma, and a missing last brace after a complete value. Whatever could be read in
two ways (an unescaped quote, a missing comma, a string that never ends, ``\\_`` or ``\\x``, a key given twice
with different values) is an error that says where.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from pydantic import JsonValue

_DEEPEST = 50
_QUOTES = ('"""', "'''", '"', "'")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"[A-Za-z]+")
_WORDS: dict[str, JsonValue] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_MEANS_MORE_IN_PYTHON = frozenset("xNUuav")
_HIGH_SURROGATE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
_LOW_SURROGATE = re.compile(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_UNICODE = re.compile(r"[0-9a-fA-F]{4}")


class NotAnObjectError(ValueError):
    """The text at hand is no object that can be read in one way; the message says what stands where."""


@dataclass(frozen=True)
class ReadObject:
    """An object, where it ended, and whether its last brace was missing."""

    value: dict[str, JsonValue]
    end: int
    closed: bool


def read_object(text: str, start: int = 0) -> ReadObject:
    """The object that begins at ``text[start]``; what follows it is left alone.

    Raises:
        NotAnObjectError: There is none, or it has no single meaning.
    """
    reader = _Reader(text, start)
    if not text.startswith("{", start):
        raise NotAnObjectError(f"expected an object in braces, found {reader.here()}")
    value = reader.object()
    return ReadObject(value, reader.position, reader.closed)


class _Reader:
    """A recursive-descent reader; ``position`` is the next character to read."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.closed = True
        self.depth = 0

    def here(self) -> str:
        """What stands at the position, for a message."""
        rest = self.text[self.position : self.position + 40].split("\n")[0]
        return repr(rest) if rest.strip() else "the end of the text" if not self._more() else "a line break"

    def object(self) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        self.position += 1
        while not self._closing("}"):
            key = self._key()
            value = self.value(f"the value of {key!r}")
            if key in found and found[key] != value:
                raise NotAnObjectError(f"the key {key!r} is given twice with different values")
            found[key] = value
            self._separator("}", f"the value of {key!r}")
        return found

    def array(self, what: str) -> list[JsonValue]:
        found: list[JsonValue] = []
        self.position += 1
        while not self._closing("]"):
            found.append(self.value(what))
            self._separator("]", what)
        return found

    def value(self, what: str) -> JsonValue:
        self._skip_space()
        character = self.text[self.position : self.position + 1]
        if character in ("{", "["):
            return self._nested(character, what)
        if character in _QUOTES:
            return self.string(what)
        if number := _NUMBER.match(self.text, self.position):
            return self._number(number, what)
        word = _WORD.match(self.text, self.position)
        if word and word[0] in _WORDS:
            self.position = word.end()
            return _WORDS[word[0]]
        raise NotAnObjectError(f"{what} is missing or not quoted: {self.here()}")

    def _nested(self, opening: str, what: str) -> JsonValue:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotAnObjectError(f"{what} is nested too deeply")
        value: JsonValue = self.object() if opening == "{" else self.array(what)
        self.depth -= 1
        return value

    def _number(self, number: re.Match[str], what: str) -> int | float:
        value = float(number[0])
        if not math.isfinite(value):
            raise NotAnObjectError(f"{what} is too large: {number[0][:20]}")
        self.position = number.end()
        return int(number[0]) if number[0].lstrip("-").isdigit() else value

    def string(self, what: str) -> str:
        quote = next(q for q in _QUOTES if self.text.startswith(q, self.position))
        if quote in ('"""', "'''") and self._is_empty_string(quote):
            quote = quote[0]
        self.position += len(quote)
        parts: list[str] = []
        while not self.text.startswith(quote, self.position):
            if not self._more():
                raise NotAnObjectError(f"{what} never ends: its closing {quote} is missing")
            if self.text[self.position] == "\\":
                parts.append(self._escape(what))
            else:
                parts.append(self.text[self.position])
                self.position += 1
        self.position += len(quote)
        return "".join(parts)

    def _is_empty_string(self, quote: str) -> bool:
        """Whether three quotes open no text of several lines: no three of them close it."""
        return self.text.find(quote, self.position + 3) < 0

    def _escape(self, what: str) -> str:
        character = self.text[self.position + 1 : self.position + 2]
        if character == "u" and (digits := _UNICODE.match(self.text, self.position + 2)):
            return self._unicode(digits[0])
        self.position += 2
        if character in _ESCAPES:
            return _ESCAPES[character]
        if character.isascii() and character.isalpha() and character not in _MEANS_MORE_IN_PYTHON:
            return f"\\{character}"
        raise NotAnObjectError(f"{what} holds \\{character}, which JSON does not have; write \\\\ for a backslash")

    def _unicode(self, digits: str) -> str:
        """One escape, or the two of a surrogate pair."""
        literal = f"\\u{digits}"
        low = self.text[self.position + 6 : self.position + 12]
        if _HIGH_SURROGATE.fullmatch(literal) and _LOW_SURROGATE.fullmatch(low):
            literal += low
        elif _HIGH_SURROGATE.fullmatch(literal) or _LOW_SURROGATE.fullmatch(literal):
            raise NotAnObjectError(f"{literal} is half a character")
        self.position += len(literal)
        return str(json.loads(f'"{literal}"'))

    def _key(self) -> str:
        if self.text[self.position] not in _QUOTES:
            raise NotAnObjectError(f"expected a quoted key, found {self.here()}")
        key = self.string("a key")
        self._skip_space()
        if not self.text.startswith(":", self.position):
            raise NotAnObjectError(f"after the key {key!r} a colon is missing; found {self.here()}")
        self.position += 1
        return key

    def _separator(self, closing: str, what: str) -> None:
        """A comma, or nothing where the container closes or the text ends."""
        self._skip_space()
        if self.text.startswith(",", self.position):
            self.position += 1
        elif self._more() and not self.text.startswith(closing, self.position):
            hint = "is a comma missing, or a quote inside a value not escaped?"
            raise NotAnObjectError(f"after {what} comes {self.here()}: {hint}")

    def _closing(self, closing: str) -> bool:
        self._skip_space()
        if not self._more():
            self.closed = False
            return True
        if self.text.startswith(closing, self.position):
            self.position += 1
            return True
        return False

    def _skip_space(self) -> None:
        while self._more() and self.text[self.position].isspace():
            self.position += 1

    def _more(self) -> bool:
        return self.position < len(self.text)
