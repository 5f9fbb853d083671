"""The action that ``docs/changing.md`` adds works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from environment.actions.registry import ACTIONS
from foundation.plugins import BuiltIn
from tests.environment.bench import make_bench

PAGE = Path(__file__).parents[3] / "docs" / "changing.md"


def test_the_documented_action_is_offered_and_carried_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    (tmp_path / "documented_action.py").write_text(code.group(1))
    monkeypatch.syspath_prepend(tmp_path)
    added = {"Count Lines": BuiltIn("documented_action:COUNT_LINES", "counts")}
    monkeypatch.setattr(ACTIONS, "built_in", {**ACTIONS.built_in, **added})
    bench = make_bench(tmp_path)
    (bench.root / "a.txt").write_text("one\ntwo\n")
    assert "Count Lines" in [spec.name for spec in bench.environment.actions()]
    assert bench.text("Count Lines", file_name="a.txt") == "2"
