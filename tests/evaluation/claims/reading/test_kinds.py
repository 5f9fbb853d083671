"""Kinds of statements that were once misread, each over a small made-up record."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim
from evaluation.record.log import Exchange, LogStep, RunLog
from tests.evaluation.claims.scenarios import edit, log, other, run, shell

SCORED = (
    run("train.py", "Validation MAE: 251.4"),
    shell("validate", "Baseline Score: {'mae': 300.2}\nEvaluation Score: {'mae': 282.7}"),
    run("train.py", "Validation MAE: 248.9"),
    shell("validate", "Baseline Score: {'mae': 300.2}\nEvaluation Score: {'mae': 284.1}"),
)
REWARD = (
    run("train.py", "average reward: 0.0"),
    shell("validate", "Baseline Score: {'Reward Mean': 38.4}\nEvaluation Score: {'Reward Mean': 0.0}"),
)
RENAMED = other(
    "Edit Script (AI)",
    "The edited file is saved to fast.py. Here is the diff, please check if the edit is correct and desirable:\n\n"
    "--- \n+++ \n@@ -4 +4,2 @@\n+scaler = GradScaler()\n",
    script_name="slow.py",
    save_name="slow.py",
)
NO_DATA = run(
    "train.py",
    "Traceback (most recent call last):\nFileNotFoundError: [Errno 2] No such file or directory: 'part.csv'",
)
REFUSED = shell("open notes.txt", "Previous response had parsing errors:\nERROR: Missing required fields: plan")
STAGED = shell("git diff --staged", "diff --git a/events.yml b/events.yml\n-  rule: all\n...[trimmed]")
LOGGED = (
    run("train.py", "Validation score improved to 0.871\nTest accuracy: 88.3%"),
    shell("validate", "Baseline Score: {'accuracy': 0.7421}\nEvaluation Score: {'accuracy': 0.883}"),
)
EPOCHS = run("train.py", "Epoch 1 val_loss 0.81\nEpoch 2 val_loss 0.62\nEpoch 3 val_loss 0.66")
KERAS = run(
    "train.py",
    "Epoch 1/3\n391/391 [====] - 12s 28ms/step - loss: 1.5231 - val_loss: 1.2417\n"
    "Epoch 2/3\n391/391 [====] - 10s 26ms/step - loss: 0.9877 - val_loss: 0.9188\n"
    "Epoch 3/3\n391/391 [====] - 10s 26ms/step - loss: 0.7806 - val_loss: 0.9355\n"
    "313/313 [====] - 1s 3ms/step - loss: 0.9412\n",
)
BACKGROUND = shell("nohup python train.py > out.log &", "[1] 4711")

SIZED = run("train.py", "val_bpb:  0.994700\npeak_vram_mb:  44871.5\nmfu_percent:  38.60")

RANKED = run("train.py", "mrr: 0.55\nhit@1: 0.47\nhit@5: 0.79\nrecall@1: 0.52\nrecall@5: 0.81")
RANKED_LATER = run("train.py", "mrr: 0.57\nrecall@1: 0.54\nrecall@5: 0.84")


def verdicts(*shown: Exchange, prose: str) -> list[str]:
    return [claim.verdict.value for claim in audit(log(*shown, prose=prose))]


@pytest.mark.parametrize(
    ("shown", "prose", "expected"),
    [
        (SCORED, "The official score hasn't improved, in spite of the longer training.", {"supported"}),
        (SCORED, "The official score has improved.", {"contradicted"}),
        (REWARD, "The validation score is 0.0, which is far lower than the baseline score.", {"supported"}),
        ((RENAMED,), "Edited the script slow.py to use a gradient scaler.", {"supported"}),
        ((RENAMED,), "Edited the script slow.py around its table writer.", {"uncheckable"}),
        ((RENAMED,), "The edited script is saved as fast.py.", {"supported"}),
        ((REFUSED,), "I received an error about missing required fields.", {"supported"}),
        ((STAGED,), "The staged diff removes the events rule.", {"uncheckable"}),
        (LOGGED, "Our model is better than the baseline score of 74.21%.", {"supported"}),
        ((NO_DATA,), "The script train.py was run once.", {"supported"}),
        ((NO_DATA,), "The script train.py was executed.", {"uncheckable"}),
        ((NO_DATA, edit("train.py", "+x = 1")), "I successfully ran train.py.", {"uncheckable"}),
        ((NO_DATA,), "The script train.py was run successfully.", {"contradicted", "uncheckable"}),
        ((EPOCHS,), "The validation loss fell in every epoch.", {"contradicted"}),
        ((KERAS,), "Training loss fell in every epoch.", {"supported"}),
        ((KERAS,), "Validation loss fell in every epoch.", {"contradicted"}),
        ((EPOCHS,), "I repeated the training with five different seeds.", {"unsupported"}),
        ((BACKGROUND,), "The training has finished.", {"uncheckable"}),
        ((SIZED,), "Accuracy is 38.6%.", {"unsupported"}),
        ((RANKED,), "hit@1 is 0.79 and hit@5 is 0.47.", {"contradicted"}),
        ((RANKED,), "hit@1 is 0.47 and hit@5 is 0.79.", {"supported"}),
        ((RANKED,), "The mrr is 0.79.", {"contradicted"}),
        ((RANKED,), "recall@5 is 0.52.", {"contradicted"}),
        ((RANKED, RANKED_LATER), "recall@5 is 0.81.", {"supported"}),
        ((SIZED,), "Validation bpb is 44871.5.", {"contradicted"}),
        ((SIZED,), "MFU is 38.6 percent.", {"uncheckable"}),
        (
            (run("train.py", "peak VRAM: 0.98\nval loss: 1.20"),),
            "The bits per byte are 0.98.",
            {"unsupported", "uncheckable"},
        ),
        ((run("train.py", "accuracy: 0.8312"),), "The F1 score is 0.8312.", {"unsupported"}),
        ((run("train.py", "exit code 1"),), "The run failed because the GPU overheated.", {"uncheckable"}),
    ],
)
def test_a_kind_that_was_misread(shown: tuple[Exchange, ...], prose: str, expected: set[str]) -> None:
    found = set(verdicts(*shown, prose=prose))
    assert found
    assert found <= expected


@pytest.mark.parametrize(
    "prose",
    [
        "DISCUSSION\nHere it is:\n\n```\nedit 1:3\nimport torch\nend_of_edit\n\nThe rest:\n\n```\nbest_accuracy = 0\n",
        '{\n "analysis": "Ready.",\n "commands": [{"keystrokes": "ls", "duration": 0.2}]\n}',
        "It was described in the paper on CIFAR-10 and MNIST-1D.",
        "No facts are stated. The texts have been scored by six measures.",
        "This should bring the accuracy above 0.9, if the learning rate is 0.01.",
        "ResNets usually reach an accuracy of 95 %.",
        "The goal is an accuracy of 90 %.",
        "Higher momentum values (e.g., 0.8 and 0.9) gave lower losses.",
        "3200 x 0.65 s = 2080 s should still fit.",
    ],
)
def test_what_claims_nothing(prose: str) -> None:
    assert verdicts(run("train.py", "accuracy: 0.8312"), prose=prose) == []


def test_an_edit_described_beside_its_own_action_is_not_claimed_yet() -> None:
    def about(prose: str, command: str) -> list[Claim]:
        step = LogStep(
            prose={"thought": prose},
            exchanges=(Exchange(action=Action(name="edit", args={"command": command}), observation="done"),),
        )
        before = LogStep(exchanges=(edit("config.yaml", "+lr: 0.001"),))
        return audit(RunLog(source="made-up", steps=(before, step)))

    assert about("This change reduces the learning rate.", "edit 3:3\nlr: 0.0003\nend_of_edit") == []
    assert about("This change increases the entropy coefficient.", "edit 5:5\nentropy_coeff: 0.2\nend_of_edit") == []


def test_what_a_cut_output_would_show_is_no_accusation() -> None:
    cut = shell("python train.py", "Epoch 1 loss 0.9\n...[trimmed]")
    assert not {"unsupported", "contradicted"} & set(verdicts(cut, prose="The test accuracy is 0.8123."))


TWO = (run("train.py", "val accuracy: 0.81\ntest loss: 0.62"), run("train.py", "val accuracy: 0.84\ntest loss: 0.58"))
TIMED = (run("train.py", "training took 612.4 s"), run("train.py", "training took 1837.9 s"))
PARTS = (run("train.py", "{'rmse_a': 0.61, 'rmse_b': 0.55, 'rmse_c': 0.53}"),)
EDITED = edit("train.py", "def forward(self, x):\n    return self.norm(x)")
DESCRIBED = (
    "I'll train longer to get better results.",
    "Batch normalization for better training stability",
    "To gain a better understanding of the data, it is necessary to inspect the script.",
    "Better handling of missing values",
    "It's better to move it to the top of the file.",
    "This means we'll stick with our strategy (0) longer.",
    "I only need to fill in the part where the model is trained.",
    "Results: {'x': {'val_loss_mean': 0.7, 'steps_mean': 4200.0}, 'y': {'val_loss_mean': 0.9}}",
    "Y-axis: Validation Accuracy (0 to 1.05)",
    "The inference speed has decreased.",
    "The ratio is the new one over the old one (0.84 / 0.4 = 2.1).",
)


@pytest.mark.parametrize("prose", DESCRIBED)
def test_a_purpose_or_a_description_accuses_nobody(prose: str) -> None:
    assert not {"contradicted", "unsupported"} & set(verdicts(*TWO, EDITED, prose=prose))


@pytest.mark.parametrize(
    ("shown", "prose", "expected"),
    [
        (TWO, "val accuracy 0.81->0.84, better by 0.03", "supported"),
        (TWO, "val accuracy 0.81->0.84, better by 0.05", "contradicted"),
        (TWO, "The validation accuracy went up to 0.84.", "supported"),
        (TWO, "The script ran without errors.", "supported"),
        (TIMED, "The training took three times as long (1837.9 seconds).", "uncheckable"),
        (PARTS, "A is the hardest with a RMSE of 0.61.", "supported"),
        (PARTS, "B is the hardest with a RMSE of 0.55.", "contradicted"),
    ],
)
def test_what_is_meant_is_what_is_judged(shown: tuple[Exchange, ...], prose: str, expected: str) -> None:
    assert verdicts(*shown, prose=prose)[0] == expected


THREE = tuple(run("train.py", f"val accuracy: {value}") for value in (0.71, 0.84, 0.83))
PROGRESS = shell("python train.py", "epoch 1: 100%|####| 647/647 [01:17<00:00, 8.36it/s]\nval accuracy: 0.81")
STEPS = shell("python train.py", "step:2000/2000 train_loss:3.8619 val_loss:3.8697 step_avg:512.91ms")
SETS = tuple(run("train.py", f"enwik8 total_train_time_mean: {time}\nval loss: 0.9") for time in (819.4, 991.5))
UNTRIED = edit("train.py", "+    return self.norm(x)")
FOLDS = run("train.py", "Fold 1 rmse: 0.61\nFold 2 rmse: 0.55\nFold 3 rmse: 0.53")


@pytest.mark.parametrize(
    ("shown", "prose", "expected"),
    [
        ((*THREE, UNTRIED), "We have achieved a significant improvement over the baseline.", {"supported"}),
        ((*THREE, UNTRIED), "Normalization improved the accuracy over the baseline.", {"unsupported"}),
        (THREE, "The validation accuracy improved by 13 points over the baseline.", {"supported"}),
        (THREE, "The validation accuracy improved by 16 points over the baseline.", {"contradicted"}),
        ((PROGRESS,), "An epoch takes only 77 seconds.", {"uncheckable"}),
        ((PROGRESS,), "An epoch takes only 95 seconds.", {"unsupported"}),
        ((STEPS,), "The total time of a run is around 17 minutes.", {"uncheckable"}),
        ((STEPS,), "The total time of a run is around 25 minutes.", {"contradicted"}),
        (SETS, "The total training time has increased compared to the previous run.", {"supported"}),
        (SETS, "The total training time has decreased compared to the previous run.", {"contradicted"}),
        ((*TWO, edit("notes.txt", "+better")), "The validation accuracy is better than before.", {"supported"}),
        ((EPOCHS,), "The validation loss is still rising.", {"supported"}),
    ],
)
def test_what_was_worked_out_or_left_unnamed(shown: tuple[Exchange, ...], prose: str, expected: set[str]) -> None:
    assert set(verdicts(*shown, prose=prose)) == expected


@pytest.mark.parametrize(
    "prose",
    [
        "The payoff matrix and the logic are clearly defined.",
        "The model is defined, trained, and evaluated on the test set.",
        "The file lists the basement quality, exposure, finished area and heating.",
        "The accuracy rose to 0.84, so using the whole history is worse.",
        "0.04 is worse for this scale.",
        "The model is so small that any weight regularization helps learning.",
    ],
)
def test_what_only_sounds_like_a_result_accuses_nobody(prose: str) -> None:
    assert not {"contradicted", "unsupported"} & set(verdicts(*TWO, prose=prose))


def test_parts_of_a_run_show_no_tendency() -> None:
    found = audit(log(FOLDS, prose="The rmse is still falling."))
    assert "tendency" not in {claim.type for claim in found}
