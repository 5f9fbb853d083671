"""Every claim type is whole, and the judges see no prose."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import evaluation.claims.judging as judging
import evaluation.claims.types as types
from evaluation.claims.reading.prompt import prompt_for
from evaluation.claims.registry import TYPES
from evaluation.claims.types.base import Assertion
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log
from tests.evaluation.claims.worlds.regression import REGRESSION

JUDGES = sorted(
    path for room in (judging, types) for path in Path(next(iter(room.__path__))).glob("*.py") if path.stem != "base"
)
_OF_PROSE = ("evaluation.claims.reading", "evaluation.language.numbers")
DOCS = Path(__file__).parents[3] / "docs" / "claims.md"


def test_every_module_of_types_is_registered() -> None:
    modules = {path.stem for path in Path(next(iter(types.__path__))).glob("*.py")} - {"__init__", "base"}
    assert {each.name() for each in TYPES} == modules


@pytest.mark.parametrize("each", TYPES, ids=lambda each: each.name())
def test_a_type_has_a_judge_a_schema_and_a_line_in_prompt_and_docs(each: type[Assertion]) -> None:
    made = log(*REGRESSION.exchanges, prose="Done.")
    prompt = prompt_for("Done.", "thought", RunModel.of(made).before(len(made.steps) - 1))
    assert each.judge.__module__ == f"evaluation.claims.types.{each.name()}"
    assert each.line() in prompt
    assert f'{{"type": "{each.name()}"' in prompt
    assert f"| `{each.name()}` | {each.line()} |" in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", JUDGES, ids=lambda path: path.stem)
def test_a_judge_reads_no_prose(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert "re" not in imported
    assert not [name for name in imported if name.startswith(_OF_PROSE)]
    assert not [
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in {"quote", "prose"}
    ]
