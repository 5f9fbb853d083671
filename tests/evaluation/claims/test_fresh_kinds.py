"""Kinds of true sentences that were accused in fresh logs of other harnesses, and of false ones that stay found."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, run

STARTED = (
    run("net.py", "val accuracy: 58.0%"),
    run("net.py --lr 0.01", "val accuracy: 96.2%"),
    run("net.py --lr 0.01 --hidden 64", "val accuracy: 97.1%"),
)
FOREST = (
    run("forest.py", "accuracy: 0.917\ntrain accuracy: 0.972"),
    run("forest.py --trees 60", "accuracy: 0.958\ntrain accuracy: 1.000"),
)
DESCENT = (
    run("descent.py", "val mse: 0.0993"),
    run("descent.py --lr 0.01", "val mse: 0.1274"),
    run("descent.py --lr 0.01 --momentum 0.9", "val mse: 0.1058"),
)
SCALED = (
    run("cluster.py", "k=3: ari 0.730\nk=4: ari 0.650"),
    run("cluster.py --scale", "k=3: ari 0.620\nk=4: ari 0.473"),
)
STACK = (run("compare.py", "random forest: accuracy 0.812\nHGB: accuracy 0.840\nstack (RF + HGB): accuracy 0.848"),)
FOLDS = (
    run("cv_ridge.py", "fold 1 MAE 3.2\nfold 2 MAE 3.5\nfold 3 MAE 2.9\nmean MAE 3.20"),
    run("cv_gbm.py", "fold 1 MAE 2.8\nfold 2 MAE 3.6\nfold 3 MAE 2.6\nmean MAE 3.00"),
    run("cv_knn.py", "fold 1 MAE 4.0\nfold 2 MAE 4.4\nfold 3 MAE 3.9\nmean MAE 4.10"),
)
NETS = (
    run(
        "nets.py",
        "| model | val acc | test acc |\n|---|---|---|\n| ResNet-18 | 0.912 | 0.905 |\n| ResNet-50 | 0.924 | 0.909 |",
    ),
)
CUTS = (
    run("cut.py", "threshold 0.2: precision 0.615 recall 0.667 f1 0.640"),
    run("cut.py --balanced", "threshold 0.2: precision 0.374 recall 0.597 f1 0.460"),
)


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        pytest.param(STARTED, "Starter (lr 0.001, 16 units): 58.0% val accuracy", id="settings that no run was given"),
        pytest.param(FOREST, "With 60 trees we get 95.8% and perfect training accuracy.", id="a word for a value"),
        pytest.param(DESCENT, "Without momentum, lr 0.05 is better than lr 0.01.", id="what is left out"),
        pytest.param(SCALED, "Scaling costs 0.11 ARI at k=3.", id="what is lost of a result"),
        pytest.param(STACK, "The RF gets 0.812 accuracy.", id="initials that another row has in brackets"),
        pytest.param(STACK, "The best single model is HGB at 0.840.", id="a kind that no row is called"),
        pytest.param(FOLDS, "Ridge beats GBM on fold 2 (3.5 vs 3.6).", id="one fold"),
        pytest.param(FOLDS, "kNN is worst in every fold.", id="every fold"),
        pytest.param(FOLDS, "Ridge's MAE ranges from 2.9 to 3.5 across folds.", id="the ends of a range"),
        pytest.param(NETS, "ResNet-50 drops 1.5 points from val to test.", id="from one split to another"),
        pytest.param(CUTS, "Without weights at 0.2: P 0.615 / R 0.667 / F1 0.640.", id="letters for metrics"),
        pytest.param(CUTS, "At 0.2 precision collapses from 0.615 to 0.374.", id="a threshold in front of its metric"),
    ],
)
def test_a_true_sentence_is_not_accused(shown: tuple[object, ...], prose: str) -> None:
    found = audit(log(*shown, prose=prose))  # type: ignore[arg-type]
    assert not [f"{claim.quote}: {claim.note}" for claim in found if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        pytest.param(STARTED, "With lr 0.01 and 64 hidden units the val accuracy is 99.1%.", id="settings of one run"),
        pytest.param(FOREST, "With 60 trees the train accuracy is 0.972.", id="another run's value"),
        pytest.param(DESCENT, "The run with momentum reached a val mse of 0.0993.", id="what is named"),
        pytest.param(CUTS, "At 0.2 precision collapses from 0.615 to 0.274.", id="the end of a fall"),
        pytest.param(STACK, "The RF gets 0.848 accuracy.", id="the stack's value"),
    ],
)
def test_a_false_sentence_is_found(shown: tuple[object, ...], prose: str) -> None:
    found = audit(log(*shown, prose=prose))  # type: ignore[arg-type]
    assert any(claim.verdict.is_problem for claim in found)
