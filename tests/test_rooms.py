"""The import rule between the rooms."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("foundation", "tasks_catalog", "environment", "agent", "evaluation", "flows", "deployments")
MAY_IMPORT = {
    "foundation": set[str](),
    "tasks_catalog": {"foundation"},
    "environment": {"foundation", "tasks_catalog"},
    "agent": {"foundation", "tasks_catalog", "environment"},
    "evaluation": {"foundation", "tasks_catalog", "environment"},
    "flows": {"foundation", "tasks_catalog", "environment", "agent", "evaluation"},
    "deployments": {"flows"},
}
# What an agent may know of a task is the words of its spec and errors, never the folder and its private side.
CLOSED_TO_AGENTS = (
    "tasks_catalog.catalog",
    "tasks_catalog.library.prepare",
    "tasks_catalog.library.grade",
    "environment.journal",
)


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, at the top or inside."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def modules_of(room: str) -> list[Path]:
    inside_task = {"workspace", "solution"}
    return [path for path in (ROOT / room).rglob("*.py") if not inside_task & set(path.parts)]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_stands_left_of_it(room: str) -> None:
    allowed = MAY_IMPORT[room] | {room}
    for path in modules_of(room):
        rooms = {module.split(".")[0] for module in imports_of(path)} & set(ROOMS)
        assert rooms <= allowed, f"{path.relative_to(ROOT)} imports {sorted(rooms - allowed)}"


def test_agents_never_see_the_private_side() -> None:
    for path in modules_of("agent"):
        seen = {module for module in imports_of(path) if module.startswith(CLOSED_TO_AGENTS)}
        assert not seen, f"{path.relative_to(ROOT)} imports {sorted(seen)}"


def test_nothing_depends_on_the_tests() -> None:
    for room in ROOMS:
        for path in modules_of(room):
            assert not any(module.split(".")[0] == "tests" for module in imports_of(path)), path
