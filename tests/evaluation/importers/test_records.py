from __future__ import annotations

from pathlib import Path

import pytest

from environment.journal import Journal
from environment.store import Store
from evaluation.claims.audit import audit, audit_steps
from evaluation.importers.detect import read_logs
from evaluation.importers.records import import_log
from tests.evaluation.importers.logs import WRITERS


@pytest.mark.parametrize("harness", WRITERS)
def test_an_imported_log_is_a_run_of_the_store(harness: str, tmp_path: Path) -> None:
    (log,) = read_logs(WRITERS[harness](tmp_path / "run_0"))
    store = Store(str(tmp_path / "store"))
    result = import_log(store, log)
    steps = Journal(store, result.run_id).steps()
    assert result.steps == len(steps) >= 2
    assert result.training_runs >= 1
    trained = next(step.effect.training_run for step in steps if step.effect.training_run)
    assert {(point.split, point.value) for point in trained.metrics} >= {("test", 59.03), ("train", 61.2)}
    assert import_log(store, log) == result


def test_the_audit_of_the_imported_run_is_the_audit_of_the_log(tmp_path: Path) -> None:
    (log,) = read_logs(WRITERS["compact"](tmp_path / "run_0"))
    store = Store(str(tmp_path / "store"))
    result = import_log(store, log)
    steps = Journal(store, result.run_id).steps()
    direct = [(claim.step, claim.quote, claim.verdict) for claim in audit(log)]
    again = [(claim.step, claim.quote, claim.verdict) for claim in audit_steps(steps, source=result.run_id)]
    assert again == direct
