"""Scripts in which Codex calls its tools: JavaScript around ``tools.exec_command({cmd: "python train.py"})``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from evaluation.importers.parsing import text

SCRIPT = "exec"
"""The tool that runs them."""
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
    r"|(?P<word>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)|(?P<number>\d[\d_.eE]*)|(?P<sign>\S)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
_TOOL = "tools."
_BINDS = frozenset({"const", "let", "var"})


class ScriptCall(NamedTuple):
    """One tool that a script calls."""

    name: str
    args: object


def calls_in(script: str) -> list[ScriptCall]:
    """The tools that a script calls, in order; none where what it gives them can't be read without running it."""
    reader = _Reader(script)
    try:
        return list(reader.calls())
    except (ValueError, LookupError, RecursionError):
        return []


class _Reader:
    """Reads the literals of a script."""

    def __init__(self, script: str) -> None:
        self._tokens = [match for match in _TOKEN.finditer(script) if match.lastgroup]
        self._known: dict[str, Any] = {}
        self._at = 0

    def calls(self) -> Iterator[ScriptCall]:
        """The tools that are called with literals."""
        while self._at < len(self._tokens):
            word = self._next()
            if word in _BINDS:
                self._bind()
            elif word.startswith(_TOOL) and self._takes("("):
                yield ScriptCall(word.removeprefix(_TOOL), {} if self._takes(")") else self._value())

    def _bind(self) -> None:
        """Remember a name that stands for a literal; one that stands for anything else is not known."""
        name, begun = self._next(), self._at
        try:
            if self._takes("="):
                self._known[name] = self._value()
        except (ValueError, LookupError):
            self._known.pop(name, None)
            self._at = begun

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1].group()

    def _takes(self, sign: str) -> bool:
        taken = self._at < len(self._tokens) and self._tokens[self._at].group() == sign
        self._at += taken
        return taken

    def _value(self) -> Any:
        value = self._single()
        while self._takes("+"):
            value = text(value) + text(self._single())
        return value

    def _single(self) -> Any:
        token, written = self._tokens[self._at], self._next()
        if token.lastgroup == "text":
            return _unquoted(written)
        if token.lastgroup == "number":
            return json.loads(written.replace("_", ""))
        if written == "{":
            return dict(self._fields())
        if written == "[":
            return self._joined(list(self._items()))
        if written == "String.raw" and self._tokens[self._at].lastgroup == "text":
            return self._next()[1:-1]
        if written in _CONSTANTS:
            return _CONSTANTS[written]
        if written not in self._known:
            raise ValueError(f"{written} is known only when it runs")
        return self._known[written]

    def _fields(self) -> Iterator[tuple[str, Any]]:
        while not self._takes("}"):
            token, written = self._tokens[self._at], self._next()
            name = _unquoted(written) if token.lastgroup == "text" else written
            yield name, self._value() if self._takes(":") else self._known[name]
            self._takes(",")

    def _items(self) -> Iterator[Any]:
        while not self._takes("]"):
            yield self._value()
            self._takes(",")

    def _joined(self, items: list[Any]) -> Any:
        if not (self._takes(".") and self._takes("join") and self._takes("(")):
            return items
        between = "," if self._takes(")") else text(self._value())
        self._takes(")")
        return between.join(map(text, items))


def _unquoted(written: str) -> str:
    if written[0] == "`" and "${" in written:
        raise ValueError("a text that is put together only when it runs")
    return _ESCAPE.sub(_of_escape, written[1:-1])


def _of_escape(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _ESCAPED.get(found[3], found[3])
