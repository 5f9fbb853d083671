"""Loads a task's own Python files, which belong to no package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from tasks_catalog.library.errors import TaskError


def load_module(path: Path, name: str) -> ModuleType:
    """The module in the file ``path``.

    Raises:
        TaskError: There is no such file.
    """
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise TaskError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module
