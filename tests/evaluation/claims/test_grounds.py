"""What rules accuse: only where the record is whole, and where no other row that the words may mean makes it true."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.claims.audit import audit, claims_of
from evaluation.claims.reading.reader import Reading
from evaluation.claims.reading.rules.reader import read_by_rules
from evaluation.record.log import Exchange
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, shell


def measured(number: int, text: str) -> Exchange:
    return shell(f"python train.py --out_dir=run_{number}", text)


DROPPED = shell(
    "python drop.py",
    "without none rmse 61.92 deviance 13.80\nwithout holiday rmse 64.97 deviance 15.12\n"
    "without weekday rmse 61.25 deviance 13.57\nwithout rain rmse 74.20 deviance 21.00",
)
METRICS = (
    measured(0, "Validation loss: 0.512\nValidation accuracy: 0.801"),
    measured(1, "Validation loss: 0.530\nValidation accuracy: 0.822"),
)
WORSE = (
    measured(0, "Validation loss: 0.512\nValidation accuracy: 0.801"),
    measured(1, "Validation loss: 0.530\nValidation accuracy: 0.790"),
)
SETS = (
    measured(0, "[circle] val_loss: 0.43\n[moons] val_loss: 0.39"),
    measured(1, "[circle] val_loss: 0.41\n[moons] val_loss: 0.40\n[line] val_loss: 0.9"),
)
MODELS = (
    measured(0, "RF accuracy: 0.80\nGBM accuracy: 0.85"),
    measured(1, "RF accuracy: 0.82\nGBM accuracy: 0.84\nSVM accuracy: 0.70"),
)
SPLITS = (shell("python train.py", "Train RMSE: 138.02\nTest RMSE: 141.55"),)
THREE = (
    measured(0, "Validation accuracy: 0.850"),
    measured(1, "Validation accuracy: 0.801"),
    measured(2, "Validation accuracy: 0.822"),
)
RIDGE = (
    shell("python a.py", "Fold RMSE: 1.2\nFold RMSE: 1.3\nAverage CV RMSE: 1.25"),
    shell("python b.py", "Fold RMSE: 1.21\nFold RMSE: 1.31\nAverage CV RMSE: 1.27"),
    shell("python ridge.py", "CV RMSE: 1.8761\nExecution time: 7 seconds"),
)
TIMED = tuple(
    shell("python train.py", f"training phase: {training}s\nevaluation: {evaluation}s\nEval AUC: {auc}")
    for training, evaluation, auc in ((1.5, 31.5, 0.6743), (2.2, 17.6, 0.68), (1.5, 4.0, 0.682))
)
CRASHED = (
    shell("python train.py", 'Training LightGBM\nTraceback (most recent call last):\nTypeError: keyword "squared"'),
)
BLENDED = (
    Exchange(
        action=Action(
            name="Execute Script", args={"script_name": "runfile.py", "code": "model.fit(x, y)\nprint(score)"}
        ),
        observation="Epoch 1 - Val RMSE: 3.6108\nEpoch 2 - Val RMSE: 3.5969\nFinal Validation Score: 3.2568",
    ),
)
AT_TEN = (
    shell("python train.py", "Epoch 1 | Val Recall@10: 0.56530\nEpoch 2 | Val Recall@10: 0.58808"),
    shell("python train.py", "Epoch 1 | Val Recall@10: 0.65612\nEpoch 2 | Val Recall@10: 0.67547"),
)
IN_ONE = (
    shell(
        "python train.py", "Epoch 1 - Val RMSE: 3.61\nEpoch 2 - Val RMSE: 3.59\nXGBoost RMSE: 3.3891\n[lgb] done 3.4102"
    ),
)
FOLDS = (shell("python fit.py", "OOF rf: auc=0.7150\nOOF gbm: auc=0.7902\nblend auc=0.8012 logloss=0.3102"),)
SCORED = tuple(shell("python validate.py", f"Evaluation Score: {{'Score': {score}}}") for score in (1.44218, 1.25524))
SEEDS = (
    shell(
        "for s in 0 1 2; do python run.py $s; done",
        "\n".join(
            f"{arch} seed={seed} test_mse=0.0{mse}"
            for arch, seed, mse in (("lstm", 0, 33), ("tcn", 0, 30), ("tcn", 1, 31))
        ),
    ),
)
AGAIN = (
    shell(
        "python tune.py",
        "\n".join(
            f"{{'eval_accuracy': {value}, 'epoch': {epoch}}}" for value, epoch in ((0.745, 2), (0.748, 3), (0.743, 3))
        ),
    ),
)
BESIDE = (shell("python compare.py", "Ridge  MAE 4213.77  R2 0.741  (0.1s)\nMLP  MAE 6120.45  R2 0.488  (31.7s)"),)
PARTS = (shell("python cv.py", "fold 0 AUC: 0.9012\nfold 1 AUC: 0.8931\nfold 2 AUC: 0.9107\nmean AUC: 0.9017"),)
CUT = (shell("python train.py", "Test accuracy: 0.812\n… +12 lines (ctrl+o to expand)"),)
UNSEEN = (shell("python train.py", "Test accuracy: 0.812"), shell("nohup python long.py &", "[1] 4711"))
JUDGED = (
    shell("python lora.py", "{'train_runtime': 1843.2, 'train_loss': 1.6018}"),
    shell("python judge.py", "base: exact_match 0.214 f1 0.391 (212.4s)\nadapter: exact_match 0.386 f1 0.552 (218.9s)"),
)
AS_BEFORE = (shell("python train.py", "eval AUC: 0.6841"), shell("python train.py", "eval AUC: 0.6841"))
BOOSTED = (
    shell(
        "python trees.py",
        "random forest  rmse  54.94 ± 3.47  mae  46.38  3.3s\ngbm default    rmse  58.20 ± 3.43  mae  46.51  2.9s\n"
        "gbm slow d2    rmse  55.07 ± 3.17  mae  45.03  4.5s",
    ),
)
NAMELESS = (shell("python seeds.py", "adam     seed 1: 2.788   seed 2: 2.723\nrmsprop  seed 1: 2.657   seed 2: 2.559"),)
CHARACTERS = (shell("python final.py", "5-gram    2.026 bits/char\ngru       2.086 bits/char"),)
SPLIT = (
    shell("python all.py", "plain  rmse  61.20  r2  0.301\nchosen  rmse  62.03  r2  0.358"),
    shell("python test.py", "chosen  rmse  56.68  r2  0.368"),
)
AVERAGED = (
    shell("python data.py", "mean: 151.3"),
    shell("python gru.py", "base       MAE  7.195  sMAPE 2.878%\nmse loss   MAE  6.855  sMAPE 2.742%"),
)


def verdicts(*shown: Exchange, prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*shown, prose=prose))}


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (METRICS, "The model performed worse than in run 0."),
        (SETS, "The val_loss improved."),
        (MODELS, "The accuracy improved."),
        (MODELS, "The accuracy increased by 2 points."),
        (SPLITS, "Train and test RMSE are close (138.02 and 141.55)."),
        (THREE, "The validation accuracy did not improve."),
        (RIDGE, "The 5-fold cross-validation yielded a mean RMSE of approximately 1.8761."),
        (BLENDED, "The LightGBM blend achieved a validation RMSE of 3.2568."),
        (AT_TEN, "It reached a peak validation Recall@10 of 0.67547 at epoch 2."),
        (AT_TEN, "WHY: The validation Recall@10 of 0.67547 leaves headroom."),
        (AS_BEFORE, "The AUC is 0.6841, an equal score without simplification or speed improvement."),
        (TIMED, "Preparation simplifications cut evaluation from 31.5s to about 4s."),
        ((), "No training or evaluation has run."),
        (AS_BEFORE, "The training script executed successfully without any errors or bugs."),
        (IN_ONE, "XGBoost reached a validation RMSE of 3.3891."),
        (IN_ONE, "LightGBM had a validation RMSE of 3.4102, behind XGBoost."),
        (FOLDS, "The blend reaches 0.8012, a bit above the GBM, and it has the lowest log loss (0.3102)."),
        (SEEDS, "The TCN has a mean test MSE of 0.0305."),
        (SEEDS, "Even the worst TCN seed (0.031) beats the LSTM seed (0.033)."),
        (AGAIN, "The accuracy still improves slightly."),
        (BESIDE, "It is also the slowest at 31.7 seconds."),
        (SCORED, "This is close to our actual score of 1.44."),
        (THREE, "The validation accuracy is in the range of 0.70 to 0.75."),
        (THREE, "Prediction finished within 10 seconds."),
        (THREE, "The validation metrics are now 100% realistic."),
        (JUDGED, "Exact match rises from 21.4% to 38.6%."),
        (JUDGED, "The speed is unchanged (212 s vs 219 s)."),
        (BOOSTED, "RMSE is 55.07 with a slower rate."),
        (BOOSTED, "Neither beats the random forest."),
        (BOOSTED, "The slow gbm beats the random forest only without the outliers."),
        (NAMELESS, "RMSprop is better than Adam on seed 1."),
        (CHARACTERS, "RMSprop beats Adam by 0.036, 0.131 and 0.164."),
        (CHARACTERS, "The GRU (2.086) does not beat the plain 5-gram (2.026)."),
        (SPLIT, "Only 2 of 40 other splits give the chosen model an R2 of 0.368 or lower."),
        (SEEDS, "More channels lower the mean test MSE of the TCN from 0.0321 to 0.0305."),
        (PARTS, "The mean AUC is 0.9017 over three folds, best fold 0.9107."),
        (CUT, "The test accuracy is 0.93."),
        (CUT, "The test accuracy improved over the baseline."),
        (UNSEEN, "The test accuracy is 0.93."),
    ],
)
def test_what_another_metric_data_set_split_or_run_makes_true_is_no_accusation(
    shown: tuple[Exchange, ...], prose: str
) -> None:
    assert not verdicts(*shown, prose=prose) & {"contradicted", "unsupported"}


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (METRICS, "The validation accuracy got worse."),
        (WORSE, "The performance improved."),
        (SETS, "The val_loss on moons improved."),
        (MODELS, "The accuracy of GBM improved."),
        (SPLITS, "The test RMSE is 138.02."),
        (THREE, "The validation accuracy is worse than in run 1."),
    ],
)
def test_what_no_reading_makes_true_stays_one(shown: tuple[Exchange, ...], prose: str) -> None:
    assert verdicts(*shown, prose=prose) == {"contradicted"}


def edited(name: str, old: str, new: str) -> Exchange:
    return Exchange(action=Action(name="Edit", args={"file_path": name, "old_string": old, "new_string": new}))


SHOWN = Exchange(action=Action(name="Read", args={"file_path": "a.py"}), observation="import x\ndef fit():\n    f((x)")


def test_code_that_the_log_leaves_out_denies_no_deed() -> None:
    did, part = "validation_step() uses beam_size 4 now.", edited("a.py", "f((x)", "f((x))")
    assert verdicts(SHOWN, part, prose="I replaced fit_one with fit_all.") == {"contradicted"}
    assert verdicts(part, prose="I replaced fit_one with fit_all.") == {"uncheckable"}
    assert not verdicts(part, prose=did) & {"contradicted", "unsupported"}


def test_a_mark_of_punctuation_is_no_word_of_code() -> None:
    assert verdicts(SHOWN, edited("a.py", "f((x)", "f((x))"), prose="I added an extra closing parenthesis.") == {
        "supported"
    }


def test_what_is_refuted_is_not_said_to_be_missing_as_well() -> None:
    assert verdicts(*THREE, prose="The validation accuracy decreased from 0.850 to 0.31 with a margin of 0.2.") == {
        "contradicted"
    }


def test_an_implementation_is_done_by_its_edits() -> None:
    done = "I've successfully completed the implementation of the sampler as requested."
    assert verdicts(SHOWN, edited("a.py", "f((x)", "f((x))"), prose=done) == {"supported"}


def test_a_reader_that_names_its_rows_is_taken_at_its_word() -> None:
    made = log(*METRICS, prose="The model performed worse than in run 0.")
    known = RunModel.of(made).before(len(METRICS))
    (field, prose), *_ = made.steps[len(METRICS)].prose.items()
    readings: list[Reading] = list(read_by_rules(prose, field, known))
    [named] = claims_of(readings, made, field, known)
    [guessed] = claims_of(readings, made, field, known, is_guess=True)
    assert (named.verdict.value, guessed.verdict.value) == ("contradicted", "uncheckable")


@pytest.mark.parametrize(
    "prose", ["Removing `holiday` costs only 1.32.", "It costs 1.32.", "Rain brings 7.20 of deviance."]
)
def test_the_distance_of_two_rows_of_a_table_is_no_missing_value(prose: str) -> None:
    assert not verdicts(DROPPED, prose=prose) & {"contradicted", "unsupported"}
    assert verdicts(DROPPED, prose="Removing `holiday` gives 16.45.") == {"unsupported"}


def test_a_bound_is_not_kept_by_how_far_the_values_range() -> None:
    shown = shell(
        "python train.py", "step 1000: train loss 3.7000, val loss 3.8920\nstep 2000: train loss 3.5, val loss 3.6011"
    )
    assert verdicts(shown, prose="The validation loss is now below 3.5.") == {"contradicted"}
