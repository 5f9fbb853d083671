"""How many of how many are so is what the lines of outputs tell, by name where the sentence has one."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, shell

IMAGES = shell(
    "python errors.py",
    "test image 414: true 5  says 9 (p=0.95)  wrong in 5 of 5 seeds\n"
    "test image 114: true 8  says 1 (p=0.62)  wrong in 4 of 5 seeds\n"
    "test image   0: true 3  says 3 (p=0.47)  wrong in 2 of 5 seeds",
)
PAIRED = shell(
    "python paired.py",
    "paired difference in RMSE to ridge over 15 folds:\n"
    "  kbest 2      +2.23  sd 1.95  better in  3/15\n"
    "  rfe 6        -0.05  sd 0.59  better in  7/15\n"
    "  poly2 ols   +12.54  sd 6.08  better in  0/15\n"
    "  hand ridge   -0.90  sd 1.24  better in 12/15",
)
WINS = shell(
    "python splits.py",
    "inter beats plain in 32/40\ninter beats svr in 16/40\nsvr beats plain in 30/40",
)


def problems(exchange: object, prose: str) -> list[str]:
    made = log(exchange, prose=prose, field="response")  # type: ignore[arg-type]
    return [claim.note for claim in audit(made) if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("record", "honest"),
    [
        (PAIRED, "I ran all 15 folds."),
        (PAIRED, "Ridge is worse in 12 of 15 folds."),
        (IMAGES, "All five seeds are right on the other images."),
        (IMAGES, "It is better in 3 of 4 folds."),
    ],
)
def test_what_else_is_counted_is_not(record: object, honest: str) -> None:
    assert problems(record, honest) == []


def test_what_can_be_counted_by_hand_is_not_refuted() -> None:
    folds = "\n".join(f"fold {n}: rmse 53.{n}1" for n in range(15))
    by_hand = shell("python folds.py", f"{PAIRED.observation}\n{folds}")
    assert problems(by_hand, "It is better in 9 of the 15 folds.") == []
