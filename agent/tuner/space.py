"""Finds what can be tuned in a script: its top-level constants, and the values they may take."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from foundation.records import Record

Value = bool | int | float | str

_NUMBER = r"[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*\.\.\s*({_NUMBER})")
_CHOICES = re.compile(r"one of:\s*([^(]+)", re.IGNORECASE)
_LOG_WORD = re.compile(r"\blog\b", re.IGNORECASE)
_LOG_FROM = 20
"""Ratio of the bounds from which a range is searched on a logarithmic scale."""
_NOT_TUNED = re.compile(r"seed|random_state|valid|split|fold|test|path|file|dir|version|worker|device", re.IGNORECASE)
"""Names whose change would not be a better model but another experiment."""


class Knob(Record):
    """One constant of the script.

    Attributes:
        name: The variable.
        value: What the script has.
        line: 1-based line of the value.
        start: Byte offset of the value in its line.
        end: Byte offset after it.
        choices: The values it may take, where they are listed.
        low: Smallest value of a number.
        high: Largest value of a number.
        log: Whether it is searched on a logarithmic scale.
        stated: Whether the script itself says what values are allowed.
    """

    name: str
    value: Value
    line: int
    start: int
    end: int
    choices: tuple[Value, ...] = ()
    low: float = 0
    high: float = 0
    log: bool = False
    stated: bool = Field(default=False)


def find_knobs(script: str) -> list[Knob]:
    """The constants worth tuning.

    Where the script states the allowed values of any constant (a comment ``# 1..200`` or ``# one of: a, b``,
    a ``Literal`` annotation, or a tuple ``MODELS`` beside ``MODEL``), only such constants are tuned; else
    every number and truth value, in a range around its value, but no seed, split or path. A script that is
    not Python has none.
    """
    try:
        tree = ast.parse(script)
    except SyntaxError:
        return []
    comments = _comments(script)
    assignments = [a for statement in tree.body if (a := _assignment(statement)) is not None]
    tuples = {name: values for name, _, node in assignments if (values := _literals(node))}
    found = [
        knob
        for name, annotation, node in assignments
        if (knob := _knob(name, annotation, node, comments.get(node.end_lineno or node.lineno, ""), tuples))
    ]
    stated = [knob for knob in found if knob.stated]
    return stated or [knob for knob in found if not _NOT_TUNED.search(knob.name)]


def with_values(script: str, knobs: Sequence[Knob], values: Mapping[str, Value]) -> str:
    """The script with the values of its constants replaced; everything else stays byte for byte."""
    lines = script.encode().splitlines(keepends=True)
    for knob in sorted(knobs, key=lambda k: (k.line, k.start), reverse=True):
        line = lines[knob.line - 1]
        lines[knob.line - 1] = line[: knob.start] + repr(values[knob.name]).encode() + line[knob.end :]
    return b"".join(lines).decode()


def _assignment(statement: ast.stmt) -> tuple[str, ast.expr | None, ast.expr] | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, None, value
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
            return name, annotation, value
    return None


def _knob(
    name: str, annotation: ast.expr | None, node: ast.expr, comment: str, tuples: Mapping[str, tuple[Value, ...]]
) -> Knob | None:
    value = _literal(node)
    if value is None or node.lineno != node.end_lineno or node.end_col_offset is None:
        return None
    place = Knob(name=name, value=value, line=node.lineno, start=node.col_offset, end=node.end_col_offset)
    choices = _comment_choices(comment, value) or _annotated(annotation) or tuples.get(f"{name}S", ())
    if len(choices) > 1:
        return place.model_copy(update={"choices": choices, "stated": True})
    if isinstance(value, str):
        return None
    if isinstance(value, bool):
        return place.model_copy(update={"choices": (False, True)})
    return place.model_copy(update=_stated_range(comment) or _range_around(value)) if value or comment else None


def _literal(node: ast.expr) -> Value | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, bool | int | float | str) else None


def _literals(node: ast.expr) -> tuple[Value, ...]:
    if not isinstance(node, ast.Tuple | ast.List):
        return ()
    values = tuple(_literal(element) for element in node.elts)
    return tuple(v for v in values if v is not None) if None not in values else ()


def _annotated(annotation: ast.expr | None) -> tuple[Value, ...]:
    match annotation:
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple() as options):
            return _literals(options)
    return ()


def _comment_choices(comment: str, value: Value) -> tuple[Value, ...]:
    found = _CHOICES.search(comment)
    if not found:
        return ()
    words = [word.strip().strip("'\"`") for word in found[1].rstrip(". ").split(",")]
    if isinstance(value, str):
        return tuple(words)
    return tuple(v for word in words if (v := _parsed(word)) is not None)


def _parsed(word: str) -> Value | None:
    try:
        value = ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, bool | int | float) else None


def _stated_range(comment: str) -> dict[str, object] | None:
    found = _RANGE.search(comment)
    if not found:
        return None
    low, high = float(found[1]), float(found[2])
    if low >= high:
        return None
    return {
        "low": low,
        "high": high,
        "log": low > 0 and (_LOG_WORD.search(comment) is not None or high / low >= _LOG_FROM),
        "stated": True,
    }


def _range_around(value: float) -> dict[str, object]:
    """A quarter to four times an integer, a tenth to ten times a fraction (staying below 1 where it was)."""
    if isinstance(value, int):
        low, high = sorted((value / 4, value * 4.0))
        return {"low": max(1.0, low // 1) if value > 0 else low // 1, "high": high, "log": value > 0}
    low, high = sorted((value / 10, value * 10))
    return {"low": low, "high": min(high, 1.0) if 0 < value < 1 else high, "log": value > 0}


def _comments(script: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(script).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


Kind = Literal["choice", "int", "float"]


def kind_of(knob: Knob) -> Kind:
    """How the knob is searched."""
    if knob.choices:
        return "choice"
    whole = isinstance(knob.value, int) and float(knob.low).is_integer() and float(knob.high).is_integer()
    return "int" if whole else "float"
