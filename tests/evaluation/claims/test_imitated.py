"""Whole logs in the manner of published ones; each set was met unread, then opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.claims import IMITATED, labelled, score


@pytest.mark.parametrize("folder", sorted(IMITATED.iterdir()), ids=lambda folder: folder.name)
def test_agreement_on_imitated_logs_does_not_fall(folder: Path) -> None:
    agreement = score(*labelled(folder))
    assert agreement["found"] >= 0.85
    assert agreement["problem_f1"] >= 0.7
    assert agreement["false_alarm"] <= 0.2
