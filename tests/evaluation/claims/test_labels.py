"""The labelled claims, where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.audit import audit_path
from evaluation.importers.detect import read_logs
from evaluation.record.log import RunLog
from tests.benchmarks.claims.scoring import score

LABELS = Path(__file__).parents[4] / "shared" / "claims"
pytestmark = pytest.mark.skipif(not (LABELS / "dev.jsonl").is_file(), reason="the labelled claims are not here")


def test_agreement_with_the_labels_does_not_fall() -> None:
    labels = [json.loads(line) for line in (LABELS / "dev.jsonl").read_text().splitlines()]
    logs: dict[str, RunLog] = {log.source: log for log in read_logs(LABELS / "runs")}
    claims = list(audit_path(LABELS / "runs"))
    for claim in claims:
        assert claim.quote in logs[claim.source].steps[claim.step].prose[claim.field]
        if claim.evidence is not None and claim.evidence_step is not None:
            seen = logs[claim.source].steps[claim.evidence_step].exchanges[0].observation
            assert claim.evidence_step < claim.step
            assert claim.evidence in seen
    agreement = score(labels, [claim.line() for claim in claims])
    assert agreement["found"] >= 0.8
    assert agreement["precision"] >= 0.75
    assert agreement["problem_f1"] >= 0.6
    assert agreement["false_alarm"] <= 0.1
