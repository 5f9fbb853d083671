"""Of which data set, class, metric or thing a sentence speaks: what is true of it is accused of nothing."""

from __future__ import annotations

import json

import pytest

from evaluation.claims.audit import audit
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import log, run

SETS = run(
    "train.py",
    "[adult] xgb test_acc=0.866\n[adult] mlp test_acc=0.850\n[bank] xgb test_acc=0.899\n[bank] mlp test_acc=0.904\n",
)
TABLE = run(
    "train.py",
    "dataset   lr     depth   acc(val)   acc(test)   secs\n"
    "adult     0.1    3       0.861      0.857       12\n"
    "adult     0.1    6       0.872      0.866       19\n"
    "bank      0.1    3       0.901      0.899       8\n"
    "bank      0.3    3       0.905      0.904       8\n",
)
UNDER_HEADS = run("train.py", "adult:\n  xgb  acc 0.866\n  mlp  acc 0.850\nbank:\n  xgb  acc 0.899\n  mlp  acc 0.904\n")
SPLITS = run("train.py", "config,val_acc,test_acc\nA,0.90,0.88\nB,0.91,0.87\nC,0.89,0.89\n")
GROUPS = "group,model,rmse\nC,ridge,353.2\nC,gbm,295.4\nD,ridge,1044.1\nD,gbm,871.3\n"
FRAME = (
    "  group  model    rmse\n0     C  ridge   353.2\n1     C    gbm   295.4\n"
    "2     D  ridge  1044.1\n3     D    gbm   871.3\n"
)
ERRORS = (run("train.py", "MAE: 12345.6\nRMSE: 20111.2\n"), run("train.py", "MAE: 11802.1\nRMSE: 20950.7\n"))
SIZES = run(
    "train.py",
    "| Model | Loss | Perplexity | Params |\n|---|---|---|---|\n"
    "| small | 1.386 | 4.00 | 10M |\n| large | 1.099 | 3.00 | 110M |\n",
)
CLASSES = run(
    "train.py",
    json.dumps(
        {
            "per_class": {"cat": {"precision": 0.9, "recall": 0.8}, "dog": {"precision": 0.7, "recall": 0.95}},
            "test": {"ap": 0.548},
        }
    ),
)
EPOCHS = run("train.py", "epoch 1 val_loss 0.69\nepoch 2 val_loss 0.52\nepoch 3 val_loss 0.55\n")
PROBLEMS = {"contradicted", "unsupported"}


def verdicts(*shown: Exchange, prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*shown, prose=prose, field="response"))}


def problems(*shown: Exchange, prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*shown, prose=prose))} & PROBLEMS


@pytest.mark.parametrize(
    ("shown", "true", "false"),
    [
        (SETS, "On adult, xgb is best with 0.866.", "On adult, mlp is best with 0.850."),
        (SETS, "On bank, xgb is the worst at 0.899.", "On bank, mlp is the worst at 0.904."),
        (TABLE, "For adult the best test accuracy is 0.866.", "For adult the best test accuracy is 0.857."),
        (TABLE, "The lowest test accuracy on bank is 0.899.", "The lowest test accuracy on bank is 0.904."),
        (TABLE, "Best on adult: depth 6, 0.866.", "Best on bank: depth 3, 0.899."),
    ],
)
def test_the_best_of_something_is_held_against_what_bears_its_name(shown: Exchange, true: str, false: str) -> None:
    assert not problems(shown, prose=true)
    assert problems(shown, prose=false) == {"contradicted"}


@pytest.mark.parametrize(
    "true", ["On adult the xgb model is the best, accuracy 0.866.", "mlp's worst accuracy is 0.850, on adult."]
)
def test_the_best_of_what_no_row_bears_the_name_of_is_open(true: str) -> None:
    assert not problems(UNDER_HEADS, prose=true)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ((SPLITS,), "B is best on validation, C on test."),
        (ERRORS, "MAE improved by 4.4 %, RMSE got worse by 4.2 %."),
        (ERRORS, "MAE went down by 4.4 %, RMSE up by 4.2 %."),
        (ERRORS, "RMSE is 4.2 % worse than in the previous attempt, MAE 4.4 % better."),
    ],
)
def test_what_is_said_of_several_metrics_or_splits_at_once_is_open(shown: tuple[Exchange, ...], said: str) -> None:
    assert not problems(*shown, prose=said)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "The large model is 11 times bigger than small.",
            "The large model's perplexity is 11 times lower than small's.",
        ),
        (
            "The large model is ten times larger in parameters, roughly.",
            "The loss of large is ten times larger than that of small.",
        ),
    ],
)
def test_what_is_bigger_is_no_loss(true: str, false: str) -> None:
    assert not problems(SIZES, prose=true)
    assert problems(SIZES, prose=false) == {"contradicted"}


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Cats have a precision of 90 % at a recall of 80 %.", "Cats have a precision of 94 % at a recall of 80 %."),
        ("Dog precision is 70 %.", "Dog precision is 76 %."),
    ],
)
def test_a_class_of_nested_json_is_what_prose_calls_it(true: str, false: str) -> None:
    assert not problems(CLASSES, prose=true)
    assert problems(CLASSES, prose=false)


def test_epochs_and_two_metrics_that_cannot_be_resolved_are_open() -> None:
    assert not problems(EPOCHS, prose="By loss, the last epoch is worse than the one before it.")
    assert not problems(*ERRORS, prose="The mean MAE is 41 % lower than the mean RMSE.")


TWO_HEADS = run(
    "train.py",
    "                  validation          test\n"
    "model             acc     f1      acc     f1\n"
    "resnet          0.812  0.790    0.805  0.781\n"
    "vit             0.843  0.821    0.829  0.810\n"
    "mlp             0.701  0.688    0.695  0.680\n",
)
MATRIX = run(
    "train.py",
    "confusion matrix:\n[[855  45]\n [ 30  70]]\naccuracy 0.925\nbaseline (majority) 0.900\n",
)
COUNTS = run("check.py", "Confusion: TP=812 FP=143 FN=118 TN=927\n")
WORDED = run("check.py", "true positives: 812\nfalse positives: 143\ntrue negatives: 927\nfalse negatives: 118\n")
PERPLEXED = run("train.py", "val ppl 81.5 (loss 4.400)\ntest ppl 79.0\n")
SEVERAL = run(
    "train.py",
    "mlp on mnist:  test_acc=0.9780\nmlp on kmnist: test_acc=0.8904\ncnn on mnist:  test_acc=0.9871\n"
    "cnn on kmnist: test_acc=0.9312\nvit on mnist:  test_acc=0.9822\nvit on kmnist: test_acc=0.9207\n",
)
TRIALS = run("search.py", "\n".join(f"trial {n:03d} val_auc={0.6 + n / 1000:.3f}" for n in range(250)))


@pytest.mark.parametrize(
    ("shown", "true", "false"),
    [
        (TWO_HEADS, "The ViT reaches 0.829 test accuracy.", "The ViT reaches 0.841 test accuracy."),
        (
            TWO_HEADS,
            "ResNet's validation accuracy of 81.2 % is 0.7 points above its test accuracy.",
            "ResNet's validation accuracy of 81.2 % is 2.7 points above its test accuracy.",
        ),
        (
            SEVERAL,
            "Averaged over the three models kmnist accuracy is 0.914.",
            "Averaged over the three models kmnist accuracy is 0.943.",
        ),
        (MATRIX, "Recall is 0.70 and specificity 0.95.", "Recall is 0.74 and specificity 0.98."),
        (MATRIX, "Precision is 0.61.", "Precision is 0.66."),
        (COUNTS, "Its precision is therefore about 0.85.", "Its precision is therefore about 0.81."),
        (COUNTS, "That is a recall of 87 %.", "That is a recall of 91 %."),
        (WORDED, "That is a recall of 87 %.", "That is a recall of 91 %."),
        (
            MATRIX,
            "The error rate is 7.5 %, a quarter less than the baseline's 10 %.",
            "The error rate is 7.5 %, a quarter less than the baseline's 12 %.",
        ),
        (PERPLEXED, "Test perplexity is 79.0, i.e. a loss of 4.37.", "Test perplexity is 79.0, i.e. a loss of 4.57."),
        (TABLE, "The longest run took 19 s.", "The longest run took 27 s."),
    ],
)
def test_what_is_worked_out_of_what_was_printed_is_on_record(shown: Exchange, true: str, false: str) -> None:
    assert not problems(shown, prose=true)
    assert problems(shown, prose=false)


def test_the_mean_of_what_a_table_names_and_as_many_trials_as_lines_are_open() -> None:
    assert not problems(TWO_HEADS, prose="Mean test accuracy of the three models is 0.776.")
    assert not problems(TRIALS, prose="I ran 250 trials.")


def test_a_part_has_a_result_of_its_own() -> None:
    shown = run("search.py", "trial 1: score 0.4127\ntrial 2: score 0.4405\ntrial 3: score 0.4098\n")
    assert not problems(shown, prose="Trial 2 was the best of the three with 0.4405; trial 3 did worst.")


GRID = run(
    "sweep.py",
    "lr=0.001 wd=0    val_mae 3.412\nlr=0.001 wd=0.1  val_mae 3.388\n"
    "lr=0.01  wd=0    val_mae 3.120\nlr=0.01  wd=0.1  val_mae 3.095\n",
)


def test_what_is_said_of_one_setting_is_not_held_against_another() -> None:
    assert not problems(GRID, prose="For lr 0.001 the lowest MAE is 3.388.")
    assert not problems(GRID, prose="At lr 0.01, weight decay cut MAE by 0.025.")
    assert problems(GRID, prose="The lowest MAE is 3.388.") == {"contradicted"}
    assert problems(GRID, prose="For lr 0.01 the lowest MAE is 3.120.") == {"contradicted"}


@pytest.mark.parametrize("printed", [GROUPS, FRAME])
def test_a_row_that_two_cells_name_is_not_held_against_that_of_another_group(printed: str) -> None:
    record = run("fit.py", printed)
    assert not problems(
        record, prose="On C the gbm has an RMSE of 295.4, ridge 353.2, i.e. the gbm is about 16% lower."
    )
    assert not problems(record, prose="On D the gbm is 17% lower.")
    assert problems(record, prose="On D the gbm has an RMSE of 771.3.")
    assert problems(record, prose="On D, RMSE rises from 1044.1 to 871.3.")


def falling(losses: tuple[float, ...]) -> str:
    """An output of a training of as many epochs."""
    return "\n".join(f"epoch {n} val_loss {loss}" for n, loss in enumerate(losses, 1))


def test_a_series_is_that_of_the_run_which_is_named() -> None:
    shown = run("cnn.py", falling((0.9, 0.8, 0.7))), run("rnn.py", falling((0.6, 0.7, 0.8)))
    assert verdicts(*shown, prose="The validation loss of the cnn fell in every epoch.") == {"supported"}
    assert verdicts(*shown, prose="The validation loss of the rnn fell in every epoch.") == {"contradicted"}


@pytest.mark.parametrize("column", ["secs", "seconds", "time_s"])
def test_a_column_is_one_of_times_by_its_unit_alone(column: str) -> None:
    shown = run(
        "train.py", f"| model | val AUC | {column} |\n|---|---|---|\n| gbm | 0.839 | 9.8 |\n| mlp | 0.803 | 21.0 |\n"
    )
    assert verdicts(shown, prose="The MLP is the slowest (21 s).") == {"supported"}
