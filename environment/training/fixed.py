"""Finds values that a script prints or logs though nothing computes them: they stand in its code.

Read off the code alone, without running it. A name counts as fixed where all that it is ever bound to is
fixed; calls are folded for the few builtins that only rewrite a number. Who hides a constant behind a real
computation (adding zero times something) is not found.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from environment.records import MetricPoint

Fixed: TypeAlias = float | int | str | bool
_Values: TypeAlias = tuple[Fixed, ...]
"""All values an expression may have; an empty tuple where it is computed."""

_MOST = 64
_DEPTH = 8
_REWRITES: dict[str, Callable[..., Fixed]] = {"float": float, "int": int, "str": str, "round": round, "abs": abs}
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WRITERS = {"print", "write", "info", "warning", "debug", "log"}
_LOGGERS = {"log_metric", "log_metrics", "dump", "dumps", "writerow", "add_scalar"}


class FixedValues:
    """What the code of a script and of its own modules gives out as it stands.

    Args:
        sources: The code of each; one that does not parse is left out.
    """

    def __init__(self, sources: Iterable[bytes]) -> None:
        self._whole: set[str] = set()
        self._ends: list[tuple[list[str], list[str]]] = []
        self._logged: set[float] = set()
        for source in sources:
            try:
                self._read(ast.parse(source))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue

    def mark(self, points: Iterable[MetricPoint]) -> Iterator[MetricPoint]:
        """The points, those marked that no computation is behind."""
        for point in points:
            yield point.model_copy(update={"fixed": True}) if self._holds(point) else point

    def _holds(self, point: MetricPoint) -> bool:
        if point.source != "stdout":
            return point.value in self._logged
        line = point.text
        if line.strip() in self._whole:
            return True
        for begins, ends in self._ends:
            start = max((len(text) for text in begins if line.startswith(text)), default=0)
            end = len(line) - max((len(text) for text in ends if line.endswith(text)), default=0)
            if (start or not begins) and (end < len(line) or not ends) and _stands_in(point, start, end):
                return True
        return False

    def _read(self, module: ast.Module) -> None:
        names = _bindings(module)
        for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name in _WRITERS:
                self._take(call, names)
            elif name in _LOGGERS:
                self._logged |= set(_numbers(call, names))

    def _take(self, call: ast.Call, names: _Names) -> None:
        """Take note of what a call prints as it stands."""
        found = _ends(call.args, names)
        if found is None:
            return
        begins, ends = ([str(text) for text in side if str(text).strip()] for side in found)
        if not found[1] and _is_fixed(call.args, names):
            self._whole |= {line.strip() for line in begins}
        elif len(self._ends) < _MOST:
            self._ends.append((begins, ends))


def _stands_in(point: MetricPoint, start: int, end: int) -> bool:
    """Whether every place of the line that has the point's value lies before ``start`` or after ``end``."""
    places = [number.span() for number in _NUMBER.finditer(point.text) if float(number[0]) == point.value]
    return bool(places) and all(high <= start or low >= end for low, high in places)


_Names: TypeAlias = dict[str, list[ast.expr | None]]
"""What each name is bound to in all of the code; ``None`` where that is no plain expression."""


def _bindings(module: ast.Module) -> _Names:
    names: _Names = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _bind(names, target, [node.value])
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            _bind(names, node.target, [node.value])
        elif isinstance(node, ast.For | ast.comprehension):
            items = node.iter.elts if isinstance(node.iter, ast.List | ast.Tuple | ast.Set) else [None]
            _bind(names, node.target, items)
        elif isinstance(node, ast.AugAssign | ast.NamedExpr | ast.withitem):
            bound = node.optional_vars if isinstance(node, ast.withitem) else node.target
            _bind(names, bound, [None])
        elif isinstance(node, ast.arg):
            names.setdefault(node.arg, []).append(None)
        elif isinstance(node, ast.alias):
            names.setdefault(node.asname or node.name, []).append(None)
    return names


def _bind(names: _Names, target: ast.expr | None, values: Sequence[ast.expr | None]) -> None:
    if isinstance(target, ast.Name):
        names.setdefault(target.id, []).extend(values)
    elif isinstance(target, ast.Tuple | ast.List):
        for n, part in enumerate(target.elts):
            rows = [value.elts for value in values if isinstance(value, ast.Tuple | ast.List)]
            whole = len(rows) == len(values) and all(len(row) == len(target.elts) for row in rows)
            _bind(names, part, [row[n] for row in rows] if whole else [None])


def _fold(value: ast.expr | None, names: _Names, depth: int = 0) -> _Values:
    """All values of an expression that nothing computes; none where something may."""
    if depth > _DEPTH:
        return ()
    match value:
        case ast.Constant(value=float() | int() | str() | bool() as fixed):
            return (fixed,)
        case ast.Name(id=name):
            parts = [_fold(bound, names, depth + 1) for bound in names.get(name, [None])]
            return tuple(itertools.chain(*parts))[:_MOST] if all(parts) else ()
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return tuple(-fixed for fixed in _fold(operand, names, depth + 1) if not isinstance(fixed, str))
        case ast.Call(func=ast.Name(id=name), args=[first, *rest]) if name in _REWRITES:
            return _rewritten(name, [_fold(part, names, depth + 1) for part in (first, *rest)])
        case ast.JoinedStr(values=parts):
            return _joined([_part(part, names, depth + 1) for part in parts])
    return ()


def _rewritten(name: str, arguments: Sequence[_Values]) -> _Values:
    try:
        return tuple(_REWRITES[name](*chosen) for chosen in itertools.islice(itertools.product(*arguments), _MOST))
    except (TypeError, ValueError, OverflowError):
        return ()


def _part(part: ast.expr, names: _Names, depth: int) -> _Values:
    """A part of an f-string."""
    if not isinstance(part, ast.FormattedValue):
        return _fold(part, names, depth)
    form = _fold(part.format_spec, names, depth) if part.format_spec else ("",)
    try:
        return tuple(format(value, str(form[0])) for value in _fold(part.value, names, depth)) if form else ()
    except (TypeError, ValueError):
        return ()


def _joined(parts: Sequence[_Values]) -> _Values:
    if not all(parts):
        return ()
    return tuple("".join(map(str, chosen)) for chosen in itertools.islice(itertools.product(*parts), _MOST))


def _is_fixed(arguments: Sequence[ast.expr], names: _Names) -> bool:
    return bool(arguments) and all(_fold(argument, names) for argument in arguments)


def _ends(arguments: Sequence[ast.expr], names: _Names) -> tuple[_Values, _Values] | None:
    """How a line that a call prints begins and ends, before and after all that is computed; ``None`` for neither.

    Of a call that computes nothing, all its lines are beginnings.
    """
    pieces: list[_Values] = []
    for n, argument in enumerate(arguments):
        parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
        pieces += [*([(" ",)] if n else []), *(_part(part, names, 0) for part in parts)]
    if all(pieces):
        return tuple(line for text in _joined(pieces) for line in str(text).splitlines()), ()
    before = list(itertools.takewhile(bool, pieces))
    after = list(itertools.takewhile(bool, reversed(pieces)))[::-1]
    return (_joined(before), _joined(after)) if before or after else None


def _numbers(call: ast.Call, names: _Names) -> Iterator[float]:
    """The fixed numbers that a call logs."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        for value in argument.values if isinstance(argument, ast.Dict) else [argument]:
            for fixed in _fold(value, names):
                if not isinstance(fixed, str):
                    yield float(fixed)
