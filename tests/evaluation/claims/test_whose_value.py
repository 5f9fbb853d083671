"""A value that a sentence gives a row of a printed table is that of the row: no other row's, though it was printed."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.record.table import record_rows
from tests.evaluation.claims.scenarios import log, shell

TREES = shell(
    "python trees.py",
    "extra trees leaf 3    rmse  54.93 ± 3.00  mae  44.60  r2  0.496\n"
    "gbm default           rmse  58.20 ± 3.43  mae  46.51  r2  0.432\n"
    "gbm slow d2           rmse  55.07 ± 3.17  mae  45.03  r2  0.492\n"
    "svr rbf C=30          rmse  53.42 ± 3.25  mae  43.47  r2  0.522",
)
HEADED = shell(
    "python sweep.py",
    "setting              val mean  test mean  tests\n"
    "cnn plain            0.9901    0.9881     0.9867 0.9911 0.9866\n"
    "cnn dropout 0.3      0.9914    0.9910     0.9889 0.9933 0.9909\n"
    "cnn width 32         0.9951    0.9904     0.9886 0.9915 0.9913",
)
ORDERS = shell(
    "python ar.py",
    "AR(7)    mae 9.35  rmse 12.10\nAR(14)   mae 9.02  rmse 11.70\nAR(28)   mae 8.90  rmse 11.55",
)
ABLATION = shell(
    "python ablate.py",
    "abl sex_age    rmse  53.15\n      -> -0.63 vs none, better in 12/15\n"
    "abl bmi_bp     rmse  53.49\n      -> -0.29 vs none, better in 10/15\n"
    "abl logs       rmse  53.83\n      -> +0.05 vs none, better in 6/15",
)
WINDOWS = shell(
    "python band.py",
    '{"window": 15, "acc": [0.833, 0.825], "mean": 0.860, "ms": 19.3}\n'
    '{"window": 25, "acc": [0.850, 0.851], "mean": 0.873, "ms": 31.3}\n'
    '{"window": 50, "acc": [0.850, 0.858], "mean": 0.875, "ms": 61.5}',
)
SPLITS = shell(
    "python baselines.py",
    "logreg   val 0.9667  test 0.9600  (18 of 450 wrong)\nsvc_rbf  val 0.9889  test 0.9844  (7 of 450 wrong)",
)
OPTIMIZERS = shell(
    "python sweep.py",
    '{"opt": "adam", "lr": 0.01, "val_bpc": 2.6807}\n{"opt": "adamw", "lr": 0.01, "val_bpc": 2.6932}\n'
    '{"opt": "sgd", "lr": 1.0, "val_bpc": 2.6949}',
)
BLENDS = shell(
    "python blend.py", "          mean     std\nblend   0.8057  0.0131\nblend3  0.8130  0.0105\nLR      0.7915  0.0122"
)
INCOMES = shell(
    "python report.py",
    "              precision    recall  f1-score   support\n"
    "       <=50K       0.88      0.94      0.91      4942\n"
    "        >50K       0.77      0.61      0.68      1571\n"
    "   macro avg       0.83      0.77      0.79      6513",
)
AGES = shell("python ages.py", "over 40: mae 9.13\nunder 40: mae 7.42\n65+: mae 9.87\nall: mae 8.31")
FOLDS = shell("python cv.py", "fold 1: rmse 3.91\nfold 2: rmse 3.64\nfold 3: rmse 3.80")
SEEDS = shell("python cv.py", "seed 0: rmse 3.91\nseed 1: rmse 3.64\nseed 2: rmse 3.80")
MEASURED_SEEDS = shell(
    "python cv.py", "seed 0: acc 0.911  loss 0.31\nseed 1: acc 0.921  loss 0.32\nseed 2: acc 0.905  loss 0.33"
)
TABLE = "| model | RMSE |\n|---|---|\n| SVR | 53.42 |\n"
JOBS = shell(
    "python jobs.py",
    "class   precision  recall\n<1h          0.83    0.88\n1-4h         0.71    0.65\n>4h          0.78    0.80",
)
PARTS = shell(
    "python parts.py",
    "variant             val_bpc  test_bpc\nfull                  1.412     1.438\n"
    "no dropout            1.455     1.490\nno layernorm          1.530     1.561\n"
    "smaller context       1.470     1.497",
)
PAIRS = [
    (PARTS, "The full model has the best test bpc.", "The smaller context has the best test bpc."),
    (JOBS, "Recall is 0.88 for <1h and 0.80 for >4h.", "Recall is 0.80 for <1h and 0.88 for >4h."),
    (INCOMES, "Recall on >50K is only 0.61.", "Recall on >50K reaches 0.94."),
    (INCOMES, "The class of at most 50K has a precision of 0.88.", "The class of at most 50K has a precision of 0.77."),
    (AGES, "The MAE for people over 40 is 9.13.", "The MAE for people over 40 is 7.42."),
    (AGES, "The MAE is 9.87 for the group of 65+.", "The MAE is 9.13 for the group of 65+."),
    (AGES, "It has 9.13 over 40 and 7.42 under 40.", "It has 7.42 over 40 and 9.13 under 40."),
    (TREES, "Extra trees come closest at 54.93.", "Gradient boosting with slow learning comes closest at 54.93."),
    (HEADED, "Width 32 gives 0.9904.", "Width 32 gives 0.9881."),
    (ORDERS, "AR(28) has a MAE of 8.90.", "AR(14) has a MAE of 8.90."),
    (ORDERS, "AR(28) without a trend is the best fair model at 8.90.", "AR(14) is the best fair model at 8.90."),
    (TREES, "Extra trees have a MAE of 44.60.", "Extra trees have a MAE of 54.93."),
    (OPTIMIZERS, "Adam reaches 2.681, AdamW 2.693.", "Adam reaches 2.693, AdamW 2.681."),
    (
        ABLATION,
        "`sex_age` (-0.63) brings more than `bmi_bp` (-0.29).",
        "`bmi_bp` (-0.63) brings more than `sex_age` (-0.29).",
    ),
    (
        TREES,
        "The RMSE is 54.93 for extra trees and 53.42 for SVR.",
        "The RMSE is 54.93 for gradient boosting and 53.42 for SVR.",
    ),
    (WINDOWS, "The accuracy is 0.873 at window 25.", "The accuracy is 0.873 at window 50."),
    (TREES, f"{TABLE}| extra trees | 54.93 |", f"{TABLE}| gradient boosting | 54.93 |"),
    (WINDOWS, "Window 25 has an accuracy of 0.873.", "Window 15 has an accuracy of 0.873."),
]


def problems(exchange: object, prose: str) -> list[tuple[str, tuple[str, ...]]]:
    made = log(exchange, prose=prose, field="response")  # type: ignore[arg-type]
    rows = {row.id: row for row in record_rows(made)}
    return [
        (claim.note, tuple(rows[each].label for each in claim.rests_on))
        for claim in audit(made)
        if claim.verdict.is_problem
    ]


@pytest.mark.parametrize(("record", "honest", "false"), PAIRS)
def test_a_value_of_another_row_is_refuted(record: object, honest: str, false: str) -> None:
    assert problems(record, honest) == []
    [(_, labels), *_] = problems(record, false)
    assert labels


@pytest.mark.parametrize(
    ("record", "honest"),
    [
        (TREES, "It is slow to train, but reaches 54.93."),
        (TREES, "It beats the slow gradient boosting, with 54.93."),
        (TREES, "Compared with 55.07 for the slow gbm and 53.42 for SVR, 54.93 is in between."),
        (TREES, "Extra trees have a fair MAE and a RMSE of 54.93."),
        (SPLITS, "Logistic regression has 0.9667, chosen without the test set."),
        (HEADED, "The CNN without dropout gives 0.9881."),
        (HEADED, "Dropout raised the CNN from 0.9881 to 0.9910."),
        (HEADED, "One seed of the plain CNN reaches 0.9911, and the mean is 0.9881."),
        (BLENDS, "The best is the blend of three models with 0.8130."),
        (ORDERS, "Two further weeks of lags after AR(14) give 8.90."),
        (ABLATION, "Both beat the plain model, by -0.63 and -0.29."),
        (AGES, "The MAE is 7.42 over 40 epochs."),
        (MEASURED_SEEDS, "The last seed has 0.905, the worst."),
    ],
)
def test_a_name_beside_a_value_need_not_be_its_own(record: object, honest: str) -> None:
    assert problems(record, honest) == []


def test_the_verdict_rests_on_the_cell_of_the_named_row() -> None:
    assert problems(ORDERS, "AR(14) has a MAE of 8.90.")[0][1] == ("AR(14)   mae",)


LETTERS = [
    "A val accuracy: 0.81  test accuracy: 0.79\nB val accuracy: 0.85  test accuracy: 0.83",
    "| model | val acc | test acc |\n|---|---|---|\n| A | 0.81 | 0.79 |\n| B | 0.85 | 0.83 |",
    '{\n "A": {\n  "val": {\n   "accuracy": 0.81\n  }\n },\n "B": {\n  "val": {\n   "accuracy": 0.85\n  }\n }\n}',
    "Model A: val acc 0.81, test acc 0.79\nModel B: val acc 0.85, test acc 0.83",
]


@pytest.mark.parametrize("output", LETTERS)
@pytest.mark.parametrize(
    ("honest", "false"),
    [
        ("B's validation accuracy is 0.85.", "A's validation accuracy is 0.85."),
        ("A reached a validation accuracy of 0.81.", "A reached a validation accuracy of 0.85."),
        ("A model reached a validation accuracy of 0.85.", "Model A has a validation accuracy of 0.85."),
        ("I reached a validation accuracy of 0.85.", "B has a validation accuracy of 0.81."),
        ("B beats A with a validation accuracy of 0.85.", "For B the validation accuracy is 0.81."),
    ],
)
def test_a_capital_letter_names_a_row(output: str, honest: str, false: str) -> None:
    record = shell("python compare.py", output)
    assert not any(claim.verdict.is_problem for claim in audit(log(record, prose=honest, field="response")))
    assert any(claim.verdict.is_problem for claim in audit(log(record, prose=false, field="response")))


BOXED = (
    "│ model    │ accuracy │ loss  │\n├──────────┼──────────┼───────┤\n"
    "│ forest   │ 0.81     │ 0.44  │\n│ boosting │ 0.85     │ 0.39  │"
)
LATEX = "model & accuracy & loss \\\\\n\\midrule\nforest & 0.81 & 0.44 \\\\\nboosting & 0.85 & 0.39 \\\\"
ONE_BLANK = "model accuracy loss\nforest 0.81 0.44\nboosting 0.85 0.39"


@pytest.mark.parametrize("output", [BOXED, LATEX, ONE_BLANK])
def test_another_row_s_value_is_refuted_in_whatever_table(output: str) -> None:
    said = "Boosting's accuracy is 0.85. The forest has a loss of 0.44. The forest's accuracy is 0.85."
    claims = audit(log(shell("python compare.py", output), prose=said, field="response"))
    assert [claim.verdict.is_problem for claim in claims] == [False, False, True]


def test_columns_that_two_header_lines_name_together_deny_nothing() -> None:
    grouped = (
        "           accuracy                 loss\n               mean    std      mean    std\nmodel\n"
        "forest       0.812  0.011     0.441  0.020\nboosting     0.853  0.009     0.390  0.015"
    )
    said = "Boosting's mean loss is 0.390. Boosting has a mean loss of 0.015. The forest has a mean loss of 0.390."
    claims = audit(log(shell("python compare.py", grouped), prose=said, field="response"))
    assert [claim.verdict.value for claim in claims] == ["supported", "uncheckable", "contradicted"]
    listed = "Boosting has a mean accuracy of 0.853 (std 0.009) and a mean loss of 0.390."
    claims = audit(log(shell("python compare.py", grouped), prose=listed, field="response"))
    assert not any(claim.verdict.is_problem for claim in claims)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "The baseline's validation loss falls from 2.30 to 1.71 over two epochs.",
            "The baseline's validation loss falls from 2.305 to 1.62 over two epochs.",
        ),
        ("The baseline got a test accuracy of 0.366.", "The baseline got a test accuracy of 0.397."),
    ],
)
def test_a_line_of_json_is_of_the_model_that_it_names(true: str, false: str) -> None:
    record = shell(
        "python train.py",
        '{"model": "baseline", "epoch": 1, "val_loss": 2.301}\n{"model": "baseline", "epoch": 2, "val_loss": 1.71}\n'
        '{"model": "dropout", "epoch": 1, "val_loss": 2.305}\n{"model": "dropout", "epoch": 2, "val_loss": 1.62}\n'
        '{"event": "test", "model": "baseline", "test_acc": 0.366}\n'
        '{"event": "test", "model": "dropout", "test_acc": 0.397}\n',
    )
    assert not [claim for claim in audit(log(record, prose=true)) if claim.verdict.is_problem]
    assert [claim for claim in audit(log(record, prose=false)) if claim.verdict.is_problem]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Theta at 7 days has a MAPE of 8.47.", "Theta at 7 days has a MAPE of 13.38."),
        ("Theta at 28 days has a MAPE of 12.05.", "Theta at 28 days has a MAPE of 12.95."),
    ],
)
def test_rows_of_one_name_in_a_boxed_table_are_told_apart_by_another_column(true: str, false: str) -> None:
    record = shell(
        "python query.py",
        "┌─────────┬─────────┬────────┐\n│  model  │ horizon │  mape  │\n│ varchar │  int32  │ double │\n"
        "├─────────┼─────────┼────────┤\n│ ets     │       7 │   8.12 │\n│ theta   │       7 │   8.47 │\n"
        "│ theta   │      28 │  12.05 │\n│ ets     │      28 │  13.38 │\n└─────────┴─────────┴────────┘\n",
    )
    assert not [claim for claim in audit(log(record, prose=true)) if claim.verdict.is_problem]
    assert [claim for claim in audit(log(record, prose=false)) if claim.verdict.is_problem]
