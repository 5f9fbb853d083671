"""Scripts that measure several models in one output: which of them a sentence means is rarely said in full."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, run

COMPARED = """logistic regression: mean accuracy 0.8336 (std 0.0157)
random forest: mean accuracy 0.8129 (std 0.0179)
extra trees: mean accuracy 0.8022 (std 0.0166)
hist gradient boosting: mean accuracy 0.8196 (std 0.0154)"""
TUNED = """LR C=0.05: accuracy=0.8347
LR C=0.2: accuracy=0.8347
LR C=1.0: accuracy=0.8336
LR with interactions: accuracy=0.8269
HGB leaves=4: accuracy=0.8272
HGB leaves=8: accuracy=0.8250
HGB leaves=16: accuracy=0.8210"""
VOTED = """seed 0 lr: train accuracy 0.8396 validation accuracy 0.8347 time 1.0s
seed 0 hgb: train accuracy 0.8434 validation accuracy 0.8272 time 45.3s
seed 0 vote: train accuracy 0.8415 validation accuracy 0.8349 time 25.5s
seed 1 lr: train accuracy 0.8396 validation accuracy 0.8352 time 1.8s
seed 1 hgb: train accuracy 0.8446 validation accuracy 0.8234 time 101.3s
seed 1 vote: train accuracy 0.8425 validation accuracy 0.8347 time 78.6s"""
BASE = run("train.py", "train accuracy: 0.6342\nvalidation accuracy: 0.6180")
MODELS = (BASE, run("compare.py", COMPARED))
SETTINGS = (*MODELS, run("tune.py", f"{COMPARED}\n{TUNED}"))
SEEDS = (*SETTINGS, run("vote.py", f"{COMPARED}\n{VOTED}"))


def problems(*shown: object, prose: str) -> list[str]:
    """What is said against a prose."""
    found = audit(log(*shown, prose=prose))  # type: ignore[arg-type]
    return [f"{claim.verdict.value}: {claim.quote}: {claim.note}" for claim in found if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (MODELS, "4. Compare gradient boosting with the random forest. (not done)"),
        (MODELS, "5. Trained an ensemble of both models - not started yet"),
        (MODELS, "Logistic regression wins with 83.4 %, about 1.4 points above gradient boosting."),
        (MODELS, "All four models beat the baseline by around twenty points."),
        (SETTINGS, "Interactions lowered accuracy to 0.8269: directly confirmed by tune.py."),
        (SETTINGS, "HGB with 4 leaves is the best of the three boosting models in tune.py: directly confirmed."),
        (SETTINGS, "Smaller trees are better for boosting, which went up by 0.76 points to 82.7 %."),
        (SEEDS, "Gradient boosting needed over 45 seconds each time."),
        (SEEDS, "A soft vote of LR and boosting gave 0.8349, which is not better than LR alone beyond noise."),
        (SEEDS, "The vote loses to LR for one of two seeds."),
        (SEEDS, "The relative gain over the baseline is (0.8352 - 0.6180) / 0.6180 = 35 %: computed."),
        (SEEDS, "The mean of the two is (0.8347 + 0.8352) / 2 = 0.83495."),
    ],
)
def test_what_holds_of_the_models_that_are_meant_is_no_accusation(shown: tuple[object, ...], prose: str) -> None:
    assert problems(*shown, prose=prose) == []


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (MODELS, "The random forest reached an accuracy of 0.8336."),
        (MODELS, "Extra trees are better than the random forest."),
        (MODELS, "The random forest is the best model so far."),
        (SETTINGS, "HGB with 4 leaves is the best model so far."),
        (SETTINGS, "With 8 leaves HGB is better than with 4 leaves."),
        (SETTINGS, "A neural network reached an accuracy of 0.8410."),
    ],
)
def test_what_holds_of_none_of_them_stays_one(shown: tuple[object, ...], prose: str) -> None:
    assert problems(*shown, prose=prose)


EPOCHS = """epoch 1: train loss: 0.6773 validation accuracy: 0.6514
epoch 2: train loss: 0.5680 validation accuracy: 0.7134
epoch 3: train loss: 0.4329 validation accuracy: 0.7444
epoch 4: train loss: 0.3062 validation accuracy: 0.7568
epoch 5: train loss: 0.2001 validation accuracy: 0.7655
epoch 6: train loss: 0.1303 validation accuracy: 0.7444"""
LINEAR = """LR C=4   acc 0.8079 auc 0.8864 logloss 0.4431 (3.27s)
LR C=16  acc 0.8055 auc 0.8882 logloss 0.4205 (4.01s)
NB       acc 0.8166 auc 0.8918 logloss 0.4405 (0.07s)
SVM      acc 0.8079"""
FOLDS = """fold 0: LR 0.7714 NB 0.7893 blend 0.7906
fold 1: LR 0.7967 NB 0.7942 blend 0.7985
LR cv accuracy: 0.7915 +/- 0.0109
NB cv accuracy: 0.8006 +/- 0.0083
blend cv accuracy: 0.8057 +/- 0.0117"""
FRAME = """       LR      NB   chars   blend  blend3
0  0.7714  0.7893  0.7714  0.7906  0.8017
1  0.7967  0.7942  0.8047  0.7985  0.8184
          mean     std
LR      0.7915  0.0122
NB      0.8006  0.0093
chars   0.7895  0.0139
blend   0.8057  0.0131
blend3  0.8130  0.0105"""
MEASURES = (
    run(
        "exp.py",
        "tfidf a=1: MCRMSE=0.4242 | cohesion=0.472, grammar=0.394, conventions=0.438\n"
        "both a=5: MCRMSE=0.4296 | cohesion=0.458, grammar=0.415, conventions=0.415",
    ),
    run("final.py", "  cohesion     0.4560\n  grammar      0.3987\n  conventions  0.3942\nOOF MCRMSE = 0.41621"),
)
COUNTED = """[01/04] loss 2.305 acc 11.6% | val loss 2.247 val acc 15.3% | 39s
[02/04] loss 2.143 acc 20.4% | val loss 2.060 val acc 19.0% | 82s
[03/04] loss 1.732 acc 35.2% | val loss 1.567 val acc 37.7% | 128s
[04/04] loss 1.224 acc 53.6% | val loss 1.022 val acc 62.3% | 180s"""
HEADED = """model lasso, 116 columns
train MAE: 12953.77
validation MAE: 12924.20
model krr, 116 columns
train MAE: 13651.52
validation MAE: 13714.18"""
BLEND = (run("blend.py", "lasso cv 14315.03\nsvr cv 14003.71\nlasso+svr cv 13887.36\ncv MAE: 13887.36"),)
ONE = (run("train.py", "epoch 1: train loss: 0.6852 validation accuracy: 0.5633\nwrote submission.csv with 2004 rows"),)
SIX = (*ONE, run("train.py", EPOCHS))
TEXT = (*SIX, run("tfidf.py", LINEAR))
BLENDS = (*TEXT, run("blend.py", FOLDS), run("blend3.py", FRAME))


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (ONE, "One epoch gives a validation accuracy of 56.3%, and the loss of 0.685 is close to ln 2."),
        (SIX, "Accuracy rose in every epoch but the last, where it dropped by about two points."),
        (SIX, "It reached 0.7655 after five epochs and fell to 0.7444 after the sixth."),
        (TEXT, "Naive Bayes is the most accurate with 81.7 % and also has the highest AUC (0.8918)."),
        (TEXT, "LR with C=16 has the lowest log loss (0.4205)."),
        ((*SIX, run("net.py", COUNTED)), "It gained most in epoch 4, when accuracy jumped by almost 25 points."),
        ((*SIX, run("net.py", COUNTED)), "At the same fourth epoch the network had a validation accuracy of 62.3 %."),
        ((*SIX, run("net.py", COUNTED)), "An epoch takes about 45 seconds."),
        ((*SIX, run("net.py", COUNTED)), "Of the three deep runs the longer one is clearly the best."),
        ((run("exp.py", HEADED),), "The krr is worse than lasso."),
        ((run("exp.py", HEADED),), "The lasso has a validation MAE of 12924.20, against 13714.18 on the same houses."),
        (BLEND, "Limits: the settings of svr (48 tried)."),
        (BLEND, "Leaving out the outlier gave svr only about 40 in CV."),
        (MEASURES[:1], "It helps cohesion (0.472 to 0.458) and conventions, so that the mean rises to 0.4296."),
        (MEASURES, "By measure the RMSE is 0.456 for cohesion and 0.394 for conventions."),
        (BLENDS, "Fold 0 is the hardest for all three."),
        (BLENDS, "Adding characters raised the blend from 0.8057 to 0.8130, a gain of 0.7 points."),
        (BLENDS, "Characters alone are the weakest of the five with 0.7895."),
        (BLENDS, "The accuracy is 0.8130 (std 0.0105), against 0.5633 for the starter on its own split."),
    ],
)
def test_epochs_folds_and_tables_without_a_metric_accuse_nobody(shown: tuple[object, ...], prose: str) -> None:
    assert problems(*shown, prose=prose) == []


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (SIX, "Accuracy rose in every epoch."),
        (SIX, "It reached 0.7999 after five epochs."),
        (TEXT, "The SVM is the most accurate with 82.7 %."),
        (MEASURES, "By measure the RMSE is 0.336 for cohesion."),
        ((run("exp.py", HEADED),), "The krr is better than lasso."),
    ],
)
def test_what_epochs_and_tables_refute_stays_one(shown: tuple[object, ...], prose: str) -> None:
    assert problems(*shown, prose=prose)


def test_among_very_many_results_none_is_held_against_a_sentence() -> None:
    for value in ("0.8130", "0.8230"):
        assert not problems(*BLENDS, prose=f"The accuracy of blend3 is {value}.")


def test_a_row_is_known_by_what_stands_in_brackets_before_it() -> None:
    shown = run(
        "ar.py", "[AR(14) d0 D1] h1 MAE 5.56 | all: MAE 9.54\n[ARMA same, no cleaning] h1 MAE 5.13 | all: MAE 9.10"
    )
    assert not problems(shown, prose="The ARMA without cleaning has an MAE of 9.10.")
    assert problems(shown, prose="The ARMA without cleaning has an MAE of 9.54.")
