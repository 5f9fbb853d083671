"""A true change from one row of a printed table to another accuses nobody."""

from __future__ import annotations

import pytest

from tests.evaluation.claims.scenarios import shell
from tests.evaluation.claims.test_whose_value import problems

SWEEP = shell(
    "python sweep.py",
    "setting              val mean  test mean  test std\n"
    "mlp plain               0.9728     0.9630    0.0056\n"
    "mlp dropout 0.3         0.9667     0.9581    0.0044",
)
WEIGHTS = shell(
    "python table.py",
    "                  ap  f1_at_05\nrf             0.819     0.684\n"
    "logreg         0.665     0.620\nlogreg_bal     0.651     0.207",
)
DUMMIES = shell(
    "python glm.py",
    "glm hour dummies     RMSE 119.15  deviance  39.711\n"
    "glm hour x workday   RMSE  84.40  deviance  19.148\nglm splines  RMSE  82.60  deviance  19.186",
)
CLEANING = shell(
    "python arma.py",
    "[ARMA 1|1,7,8] all 28: MAE 9.17 sMAPE 3.68%\n[ARMA same, no cleaning] all 28: MAE 9.10 sMAPE 3.65%",
)


@pytest.mark.parametrize(
    ("record", "honest"),
    [
        (SWEEP, "Dropout hurt the MLP, whose validation fell from 0.9728 to 0.9667."),
        (WEIGHTS, "Balanced weights do not help: F1 at 0.5 falls from 0.620 to 0.207."),
        (DUMMIES, "Replacing hour dummies by hour x workday dummies cuts the deviance from 39.71 to 19.15."),
        (CLEANING, "Outlier cleaning does not help here: 9.17 with it against 9.10 without it."),
    ],
)
def test_a_true_change_is_not_refuted(record: object, honest: str) -> None:
    assert problems(record, honest) == []


@pytest.mark.parametrize(
    "honest",
    [
        "Without dropout validation goes from 0.9667 to 0.9728.",
        "Removing dropout again raised validation from 0.9667 to 0.9728.",
        "Going back from dropout to the plain net took validation from 0.9667 to 0.9728.",
        "The MLP with the other seed went from 0.9667 to 0.9728.",
        "Validation ranges from 0.9667 to 0.9728.",
    ],
)
def test_a_change_that_is_taken_back_or_none_turns_nothing_round(honest: str) -> None:
    assert problems(SWEEP, honest) == []
