"""Whose a number is, by where names and numbers stand: values that are told of another run are contradicted."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, shell

RUNS = (
    shell("python train.py --model ridge", "val_rmse: 31.57"),
    shell("python train.py --model forest", "val_rmse: 27.12"),
    shell("python train.py --model boosting", "val_rmse: 24.85"),
)
WORDINGS = [
    "Validation RMSE is {a} for the ridge and {b} for the forest.",
    "The forest ({b}) has a lower validation RMSE than the ridge ({a}).",
    "At {b} validation RMSE the forest is ahead of the ridge, which only got {a}.",
    "We ran the ridge and the forest, and they reached a validation RMSE of {a} and {b} respectively.",
    "Switching from the ridge to the forest moved the validation RMSE from {a} to {b}.",
    "Validation RMSE {a} → {b} after replacing the ridge with the forest.",
    "The forest improves on the ridge: validation RMSE goes from {a} to {b}.",
    "| model | validation RMSE |\n|---|---|\n| ridge | {a} |\n| forest | {b} |",
]


def verdicts(prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*RUNS, prose=prose))}


@pytest.mark.parametrize("wording", WORDINGS)
def test_two_values_are_those_of_the_two_that_are_named(wording: str) -> None:
    assert "contradicted" not in verdicts(wording.format(a="31.57", b="27.12"))
    assert "supported" in verdicts(wording.format(a="31.57", b="27.12"))
    assert "contradicted" in verdicts(wording.format(a="27.12", b="31.57"))


@pytest.mark.parametrize(
    "wording",
    [
        "The forest finished without errors and reached a validation RMSE of {b}.",
        "Achieved a validation RMSE of {b} using the forest.",
        "Training the forest took a while, and gave us {b} validation RMSE at the end.",
    ],
)
def test_a_value_is_that_of_the_only_one_that_is_named(wording: str) -> None:
    assert "contradicted" not in verdicts(wording.format(b="27.12"))
    assert "contradicted" in verdicts(wording.format(b="24.85"))


@pytest.mark.parametrize(
    "prose",
    [
        "The forest was no better than boosting, so we are back at a validation RMSE of 24.85.",
        "Unlike the forest, this reaches a validation RMSE of 24.85.",
        "The forest did not help; validation RMSE is 24.85.",
        "Since the forest was slow, I reverted; the validation RMSE is 24.85.",
        "The ridge against the forest: validation RMSE lower by 14 % (31.57 before, 27.12 after).",
        "The ridge and the forest were slow; the validation RMSE went from 27.12 to 24.85.",
    ],
)
def test_what_is_left_open_is_no_accusation(prose: str) -> None:
    assert "contradicted" not in verdicts(prose)
