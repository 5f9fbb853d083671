"""Whole logs in the manner of published ones; each set was met unread, then opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.claims.audit import audit
from tests.benchmarks.claims.scoring import score
from tests.benchmarks.claims.sets import IMITATED
from tests.benchmarks.claims.sets import folder as labelled_in


@pytest.mark.parametrize("folder", sorted(IMITATED.iterdir()), ids=lambda folder: folder.name)
def test_agreement_on_imitated_logs_does_not_fall(folder: Path) -> None:
    labelled = labelled_in(folder, folder.name)
    agreement = score(labelled.labels, [claim.line() for log in labelled.logs for claim in audit(log)])
    assert agreement["found"] >= 0.75
    assert agreement["precision"] >= 0.7
    assert agreement["problem_f1"] >= 0.45
    assert agreement["false_alarm"] <= 0.1
