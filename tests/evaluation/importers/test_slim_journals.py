"""Journals of AIDE's kind: code that was left out to save room, when nodes began, and settings beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs


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


def test_a_journal_took_from_its_first_node_to_the_end_of_the_last_one_s_run(tmp_path: Path) -> None:
    began = 1_767_225_600.0
    nodes: list[dict[str, Any]] = [
        {"step": n, "code": "train()", "ctime": began + 60 * n, "exec_time": 12.5, "_term_out": [], "metric": None}
        for n in range(3)
    ]
    (tmp_path / "journal.json").write_text(json.dumps({"nodes": nodes}))
    (tmp_path / "config.yaml").write_text("exp_name: cifar10\n")
    notes: list[str] = []
    (log,) = read_logs(tmp_path, asked=Asked(on_note=notes.append))
    assert (log.task, log.seconds, notes) == ("cifar10", 132.5, [])
