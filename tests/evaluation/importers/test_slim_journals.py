"""Journals of AIDE's kind from which the code was left out to save room."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import read_logs


@pytest.mark.parametrize("left", [{}, {"code": ""}, {"code": None}], ids=["no key", "empty", "null"])
def test_nothing_follows_from_code_that_is_not_shown(left: dict[str, Any], tmp_path: Path) -> None:
    analysis = "I trained a ResNet with dropout and reached a validation accuracy of 0.71. Added mixup augmentation."
    node = {"step": 0, "plan": "Train.", "analysis": analysis, "metric": {"value": 0.71, "maximize": True}, **left}
    nodes = [{**node, "_term_out": ["Validation accuracy: 0.71\n"], "exc_type": None}]
    (tmp_path / "journal.json").write_text(json.dumps({"nodes": nodes}))
    (log,) = read_logs(tmp_path / "journal.json")
    verdicts = [claim.verdict for claim in audit(log)]
    assert Verdict.SUPPORTED in verdicts
    assert not any(verdict.is_problem for verdict in verdicts)
