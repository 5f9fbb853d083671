"""What errors say: in words that every terminal and file takes, and begun alike in every room."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundation.errors import MlabError

ROOT = Path(__file__).parents[2]
ROOMS = ("foundation", "tasks_catalog", "environment", "agent", "evaluation", "flows", "deployments")
NOT_OURS = {"workspace", "solution", "attacks", "stand_in", "template"}
"""Folders of code that runs elsewhere."""
REASONS = {"InvalidSubmissionError"}
"""Their messages are no sentences: each stands behind what it is the reason of, and tasks' graders write them."""
COMMANDS = {"mlab", "pip", "docker"}


def test_what_no_utf_8_can_hold_is_said_escaped() -> None:
    error = MlabError("no file \udcff", hint="mend \ud800")
    assert str(error) == "no file \\udcff\nmend \\ud800"
    assert error.sentence.encode()


def modules() -> dict[Path, ast.Module]:
    paths = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    ours = (path for path in paths if NOT_OURS.isdisjoint(path.relative_to(ROOT).parts) and not is_of_a_task(path))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in ours}


def is_of_a_task(path: Path) -> bool:
    """Whether it is a task's own, whose every letter counts in the digest by which results are told apart."""
    return (path.parent / "task.toml").exists()


def errors_of(trees: dict[Path, ast.Module]) -> set[str]:
    """The names of all classes below ``MlabError``."""
    defined = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    bases = {node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases} for node in defined}
    found = {MlabError.__name__}
    while more := {name for name, above in bases.items() if name not in found and above & found}:
        found |= more
    return found


def beginnings(text: ast.expr) -> Iterator[str]:
    """What a text begins with, where that is written out."""
    match text:
        case ast.Constant(value=str(value)) | ast.JoinedStr(values=[ast.Constant(value=str(value)), *_]):
            yield value
        case ast.IfExp(body=one, orelse=other):
            yield from (*beginnings(one), *beginnings(other))
        case ast.BinOp(left=left):
            yield from beginnings(left)


def said(call: ast.Call) -> Iterator[str]:
    """What an error that is made begins with, and its hint."""
    for text in (*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "hint")):
        yield from beginnings(text)


def is_begun_small(text: str) -> bool:
    """Whether it begins with a word in small letters that is no name of a file, a function or a command."""
    word = text.split(" ")[0]
    return bool(re.fullmatch(r"[a-z][a-z']*", word)) and word not in COMMANDS


def test_every_error_and_every_hint_begins_with_a_capital() -> None:
    trees = modules()
    errors = errors_of(trees) - REASONS
    small, capital = [], 0
    for path, tree in trees.items():
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        for call in calls:
            if ast.unparse(call.func).rpartition(".")[2] in errors:
                texts = [*said(call)]
                small += [f"{path.relative_to(ROOT)}:{call.lineno}: {text}" for text in texts if is_begun_small(text)]
                capital += sum(text[:1].isupper() for text in texts)
    assert small == []
    assert capital > 300, "where nothing is found, nothing is looked at"


@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("no run ", True),
        ("the competition's ", True),
        ("No run ", False),
        ("train.py is ", False),
        ("pip fetches ", False),
    ],
)
def test_a_name_is_no_small_beginning(text: str, small: bool) -> None:
    assert is_begun_small(text) is small
