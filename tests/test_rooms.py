"""The import rule between the rooms."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
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


def imports_of(path: Path, *, inside: bool = True) -> set[str]:
    """Every module that a file imports at the top, and inside functions as well where that is asked."""
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if inside else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
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


FLOORS = {
    "tasks_catalog": (("library",), ("catalog",)),
    "environment": (
        ("records", "gpus"),
        ("store",),
        ("snapshots",),
        ("journal", "metrics", "sandbox"),
        ("training", "workspace", "patches", "gateway"),
        ("mlflow", "repl"),
        ("actions",),
    ),
    "agent": (("answers", "models"), ("prompts",), ("skills",), ("adversaries", "research", "tree", "tuner")),
    "evaluation": (("language",), ("record",), ("claims",), ("importers", "statistics"), ("process",), ("report",)),
    "flows": (("services",), ("run",), ("grading",), ("sweep",), ("deploying",), ("cli",)),
}
"""The inner rooms of each room, floor by floor from the ground: none imports a floor above its own."""


@pytest.mark.parametrize("room", FLOORS)
def test_no_arrow_runs_back_up_between_inner_rooms(room: str) -> None:
    floor_of = {inner: floor for floor, inners in enumerate(FLOORS[room]) for inner in inners}
    for path in modules_of(room):
        inner = path.relative_to(ROOT / room).parts[0].removesuffix(".py")
        for module in imports_of(path):
            target = f"{module}.".split(".")[1]
            if module.startswith(f"{room}.") and target in floor_of and inner in floor_of:
                assert floor_of[target] <= floor_of[inner], f"{path.relative_to(ROOT)} imports {module}, a floor above"


@pytest.mark.parametrize("room", FLOORS)
def test_every_inner_room_has_a_floor(room: str) -> None:
    folders = {path.parent.name for path in (ROOT / room).glob("*/__init__.py")}
    assert folders <= {inner for inners in FLOORS[room] for inner in inners}


def test_no_circle_of_imports() -> None:
    paths = [path for room in ROOMS for path in modules_of(room)]
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths}
    known = set(names.values())
    graph = {
        name: {_nearest(module, known) for module in imports_of(path, inside=False)} for path, name in names.items()
    }
    TopologicalSorter({name: found & known - {name} for name, found in graph.items()}).prepare()


def _nearest(module: str, known: set[str]) -> str:
    """The module that ``from package import name`` loads: the name where it is a module, else the package."""
    return module if module in known else module.rpartition(".")[0]


def test_no_module_repeats_its_folder_s_name() -> None:
    repeated = [path for room in ROOMS for path in modules_of(room) if path.stem == path.parent.name]
    assert not repeated, [str(path.relative_to(ROOT)) for path in repeated]
