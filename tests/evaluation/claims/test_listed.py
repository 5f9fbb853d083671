"""Scripts that print the values of single seeds beside their mean: the mean is the result."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run

SHOWN = run(
    "models.py",
    "ols          val rmse  53.84 ± 3.53  seeds [54.10 53.87 53.55]\n"
    "huber        val rmse  54.06 ± 3.42  seeds [54.18 54.18 53.82]\n"
    "svr tuned    val rmse  53.12 ± 3.67  seeds [53.02 53.26 53.08]\n"
    "extra trees  val rmse  54.93 ± 3.00  seeds [56.90 55.11 52.78]",
)


def test_single_seeds_are_on_record_under_their_row_and_are_no_final_values() -> None:
    record = RunModel.of(log(SHOWN, prose="Done.")).before(1)
    assert [row.value for row in record.finals if row.metric == "rmse"] == [53.84, 54.06, 53.12, 54.93]
    assert {row.label for row in record.values if row.value in (53.55, 54.93)} == {"ols 3 of 3 seeds", "extra trees"}


@pytest.mark.parametrize(
    "prose",
    [
        "The tuned SVR is best with a validation RMSE of 53.12.",
        "Extra trees are the worst of the four.",
        "The validation RMSE of extra trees is 54.93, with single seeds from 52.78 to 56.90.",
        "OLS beats Huber by 0.22.",
    ],
)
def test_what_is_true_of_the_means_is_not_denied_for_a_seed(prose: str) -> None:
    assert not [claim for claim in audit(log(SHOWN, prose=prose)) if claim.verdict.is_problem]


def test_the_result_of_another_row_is_denied() -> None:
    found = audit(log(SHOWN, prose="Extra trees have a validation RMSE of 53.12."))
    assert [claim.verdict.value for claim in found] == ["contradicted"]
