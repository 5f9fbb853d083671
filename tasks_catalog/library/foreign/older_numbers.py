"""Code of others that makes a number of an array or a column of one value, as numpy 2.3 and pandas 2 let it."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_KINDS = {"int": int, "float": float}
_MADE = "number_of_one_value"
"""What ``int`` and ``float`` become where they are called: a built-in, so that modules need not import it."""


def allow_older_numbers(folder: Path) -> None:
    """From now on, ``int(…)`` and ``float(…)`` in modules loaded from a folder take an array or column of one value.

    The calls themselves are exchanged, in memory: the two stay types in every other place (``astype(int)``), and no
    other code of this process sees a difference.
    """
    setattr(builtins, _MADE, _number)
    sys.meta_path[:] = [_Finder(folder), *(finder for finder in sys.meta_path if not isinstance(finder, _Finder))]


def _number(kind: Any, value: Any) -> Any:
    one = kind in _KINDS.values() and getattr(value, "size", None) == 1 and getattr(value, "ndim", 0) > 0
    return kind(value.item() if one else value)


class _Finder(MetaPathFinder):
    """Finds the modules of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        if not Path(spec.loader.path).is_relative_to(self._folder):
            return None
        spec.loader = _Loader(fullname, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Compiles a module with its calls exchanged, and keeps nothing beside it that could pass for its own."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        module = _Exchanged().visit(ast.parse(self.get_data(path), path))
        return compile(module, path, "exec", dont_inherit=True)


class _Exchanged(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _KINDS:
                if not isinstance(value, ast.Starred):
                    made = ast.Call(func=ast.Name(id=_MADE, ctx=ast.Load()), args=[node.func, value], keywords=[])
                    return ast.fix_missing_locations(ast.copy_location(made, node))
        return node
