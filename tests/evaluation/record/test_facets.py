"""Values of other horizons, ranks or classes on one line are never held against each other."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run

HORIZONS = (
    "[ridge] h1 MAE 5.56  h28 MAE 12.62  | all 28: MAE 9.54\n[lasso] h1 MAE 4.81  h28 MAE 12.88  | all 28: MAE 8.90"
)
TABLE = (
    "model     h1 mae  h28 mae\n"
    "ridge      5.56    12.62\n"
    "lasso      4.81    12.88"
)  # fmt: skip


def metrics(output: str) -> list[str]:
    rows = RunModel.of(log(run("train.py", output), prose="Done.")).before(1).values
    return [row.metric for row in rows if not row.derived_from]


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (HORIZONS, ["h1 mae", "h28 mae", "mae"]),
        (TABLE, ["h1 mae", "h28 mae"]),
        ("class 0 f1: 0.81  class 1 f1: 0.62", ["0 f1", "1 f1"]),
        ("fold 1 accuracy: 0.81  fold 2 accuracy: 0.84", ["accuracy"]),
        ("svm accuracy: 0.81  cnn accuracy: 0.84", ["accuracy"]),
        ("train mae: 0.81  val mae: 0.84", ["mae"]),
    ],
)
def test_a_number_in_the_name_tells_the_values_of_a_line_apart(output: str, expected: list[str]) -> None:
    assert sorted(set(metrics(output))) == sorted(expected)


def test_what_is_best_of_all_is_not_beaten_by_one_horizon() -> None:
    honest = log(run("train.py", HORIZONS), prose="lasso is the best model, with a MAE of 8.90.")
    assert [claim for claim in audit(honest) if claim.verdict.is_problem] == []
    false = log(run("train.py", HORIZONS), prose="ridge is the best model, with a MAE of 9.54.")
    assert [claim for claim in audit(false) if claim.verdict.is_problem]
