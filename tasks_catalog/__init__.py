"""What is asked: one folder a task, ``catalog`` to find them, and ``library``, of which they are made."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_MOVED = frozenset({"errors", "grade", "prepare", "spec", "submissions", "trials"})
"""Modules of the library that tasks of people's own import by the name they had before there was a library."""


class _FormerNames(MetaPathFinder, Loader):
    """Finds ``tasks_catalog.grade`` where it lies now; both names are one module."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        return ModuleSpec(fullname, self) if package == __name__ and name in _MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        package, _, name = module.__name__.rpartition(".")
        sys.modules[module.__name__] = import_module(f"{package}.library.{name}")


sys.meta_path.append(_FormerNames())
