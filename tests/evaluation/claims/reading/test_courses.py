"""How the values of the one thing that a sentence names went over its epochs."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, shell


def trained(*accuracies: float) -> str:
    return "\n".join(f"epoch {n} val_accuracy: {value:.4f}" for n, value in enumerate(accuracies, 1))


RUNS = (
    shell("python train.py --model ridge", trained(0.6101, 0.6212, 0.6304, 0.6388, 0.6412, 0.6490)),
    shell("python train.py --model forest", trained(0.7012, 0.7123, 0.7344, 0.7201, 0.7105, 0.6980)),
)


def verdicts(prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*RUNS, prose=prose))}


@pytest.mark.parametrize(
    "wording",
    [
        "With the {} the validation accuracy improves steadily over the epochs.",
        "The validation accuracy of the {} got better epoch after epoch.",
    ],
)
def test_a_steady_course_is_that_of_the_one_that_is_named(wording: str) -> None:
    assert verdicts(wording.format("ridge")) == {"supported"}
    assert verdicts(wording.format("forest")) == {"contradicted"}


def test_the_best_epoch_is_held_against_the_others_of_its_run() -> None:
    wording = "The {} has its best validation accuracy at epoch {}."
    assert verdicts(wording.format("forest", 3)) == {"supported"}
    assert verdicts(wording.format("forest", 2)) == {"contradicted"}
    assert verdicts(wording.format("ridge", 3)) == {"contradicted"}


def test_a_value_of_another_epoch_is_none_of_the_one_named() -> None:
    assert verdicts("At epoch 3 the validation accuracy of the forest is 0.7344.") == {"supported"}
    assert verdicts("At epoch 3 the validation accuracy of the forest is 0.6980.") == {"contradicted"}
    assert verdicts("The epoch-3 weights of the forest give a validation accuracy of 0.6980.") == {"contradicted"}


@pytest.mark.parametrize(
    "prose",
    [
        "There isn't a single epoch of the ridge where validation accuracy gets worse.",
        "I keep epoch 3 of the forest: its validation accuracy stood at 0.7344 there and deteriorated afterwards.",
        "The forest: best validation accuracy 0.7344 at epoch 3, then 0.6980.",
    ],
)
def test_a_true_course_is_no_accusation(prose: str) -> None:
    assert "contradicted" not in verdicts(prose)
