"""Metrics out of real programs' output: what is found, what is left alone, and at what cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import found

SHARED_RUNS = Path(__file__).parents[4] / "shared" / "claims" / "runs"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loss: 0.5", ["loss=0.5"]),
        ("acc=81.2%", ["acc=81.2 percent"]),
        ("acc: 0,512\nacc: 1,512", ["acc=0.512", "acc=1512"]),
        ("MAE = 2,60\nrmse: 53,75, mape: 9,10 %", ["MAE=2.6", "rmse=53.75", "mape=9.1 percent"]),
        (
            "val MAE: 0,0312\nacc: 0,91 f1=-0,8812.",
            ["validation MAE=0.0312", "acc=0.91", "f1=-0.8812"],
        ),
        ("accuracy = 83 %", ["accuracy=83 percent"]),
        ("loss 0.234 acc 0.91", ["loss=0.234", "acc=0.91"]),
        ("Epoch 3/10, train loss: 0.42, val loss=0.51", ["train loss=0.42 epoch 3", "validation loss=0.51 epoch 3"]),
        ("Epoch [1/5], Train Accuracy: 34.08%", ["train Accuracy=34.08 percent epoch 1"]),
        ("[1,   100] loss: 2.153", ["loss=2.153 epoch 1"]),
        ("Final accuracy on test set is 0.83 (83 %)", ["test Final accuracy=0.83"]),
        ("Best validation accuracy: 0.9123 at epoch 7", ["validation Best accuracy=0.9123 epoch 7"]),
        ("New best model saved with accuracy: 81.87%", ["best accuracy=81.87 percent"]),
        ("The model achieved an accuracy of 0.95 on the test set", ["test accuracy=0.95"]),
        ("Accuracy of the network on the 10000 test images: 83 %", ["test Accuracy=83 percent"]),
        (
            "Test set: Average loss: 0.0287, Accuracy: 9907/10000 (99%)",
            ["test Average loss=0.0287", "test Accuracy=99 percent"],
        ),
        ("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.300039", ["train Loss=2.30004 epoch 1"]),
        ("Random Forest Regressor Train MAE: 7,503.99", ["train Random Forest Regressor MAE=7503.99"]),
        ("Training RMSE (log scale): 0.0452", ["train RMSE (log scale)=0.0452"]),
        ("MAE for train: 5.1, MAE for test: 6.2", ["train MAE=5.1", "test MAE=6.2"]),
        ("Accuracy: train=0.9 val=0.8", ["train Accuracy=0.9", "validation Accuracy=0.8"]),
        ("CV accuracy: mean=0.85, std=0.02", ["validation accuracy mean=0.85", "validation accuracy std=0.02"]),
        ("ridge  rmse 53.84 ± 3.53  mae 43.89", ["rmse=53.84", "rmse std=3.53", "mae=43.89"]),
        ("test image 259: the ensemble says 0 (p=0.55)", []),
        ("Accuracy: 0.85 (+/- 0.02)", ["Accuracy=0.85", "Accuracy std=0.02"]),
        ("\t0.8712\t = Validation score   (accuracy)", ["validation accuracy=0.8712"]),
        ("\t-0.3211\t = Validation score   (-log_loss)", ["validation log_loss=0.3211"]),
        ("0.02s\t = Training   runtime", ["train runtime=0.02 seconds"]),
        ("Fitting model: LightGBM ... Training model for up to 59.9s of the 59.9s of remaining time.", []),
        ("Beginning AutoGluon training ... Time limit = 600s", []),
        ("lm loss: 9.1E+00 | loss scale: 1.0 | grad norm: 2.1", ["lm loss=9.1", "grad norm=2.1"]),
        ("Test: 90/100 correct", ["test accuracy=90 percent"]),
        ("Correct: 812/1000", ["accuracy=81.2 percent"]),
        ("Processed: 812/1000", []),
        (
            "Test: [  39/39]  Loss:  1.012 ( 0.998)  Acc@1:  76.100 ( 75.900)  Acc@5:  92.531 ( 92.800)",
            [
                "test Loss=1.012",
                "test Loss average=0.998",
                "test Acc@1=76.1",
                "test Acc@1 average=75.9",
                "test Acc@5=92.531",
                "test Acc@5 average=92.8",
            ],
        ),
        (" * Acc@1 76.130 (23.870) Acc@5 92.862 (7.138)", ["Acc@1=76.13", "Acc@5=92.862"]),
        (
            "[01/31 10:00:00 d2.utils.events]:  iter: 39  total_loss: 1.523  loss_box_reg: 0.3012  lr: 0.0003",
            ["total_loss=1.523", "loss_box_reg=0.3012"],
        ),
        ("[01/31 10:00:00 d2.evaluation.testing]: copypaste: 38.1230,58.2000,41.1000", []),
        (
            "[0]\tvalidation_0-logloss:0.6\tvalidation_1-logloss:0.7",
            ["validation logloss=0.6", "validation logloss=0.7"],
        ),
        (
            "5-fold CV scores: [0.85 0.86 0.84]",
            ["validation 5-fold scores=0.85", *(f"validation 5-fold scores={v}" for v in (0.86, 0.84))],
        ),
        ("R^2: 0.8, MSE: 1.2e-3", ["R^2=0.8", "MSE=0.0012"]),
        ("mAP@0.5: 0.61", ["mAP@0.5=0.61"]),
        ("Mean Absolute Error (MAE): 0.53", ["Mean Absolute Error (MAE)=0.53"]),
        ("Time taken: 3.92 seconds", ["Time=3.92 seconds"]),
        ("Execution took 3.92 seconds", ["Execution time=3.92 seconds"]),
        ("Time (ms): 392.1", ["Time=0.3921 seconds"]),
        ("Speedup: 12.5x", ["Speedup=12.5"]),
        ("loss: tensor(0.1234, device='cuda:0')", ["loss=0.1234"]),
        ("Score: {'rmse': 0.5, 'mae': np.float64(0.3)}", ["rmse=0.5", "mae=0.3"]),
        ("val_loss improved from 0.50000 to 0.45000, saving model to x.h5", ["validation loss=0.45"]),
        ("2024-01-01 12:00:00,123 INFO train: loss=0.5 acc=0.8", ["train loss=0.5", "train acc=0.8"]),
        ("Test Accuracy: 0.91 | Test Loss: 0.31", ["test Accuracy=0.91", "test Loss=0.31"]),
        ("loss: nan", ["loss=nan"]),
        ("epoch=3 val_loss=0.31", ["validation loss=0.31 epoch 3"]),
        ("step:1750/1750 val_loss:3.2791", ["validation loss=3.2791"]),
        ("*   Acc@1 71.592 Acc@5 90.218 loss 1.2", ["Acc@1=71.592", "Acc@5=90.218", "loss=1.2"]),
        (
            "'val_loss' reached 0.312 (best 0.312), saving 'epoch=3-val_loss=0.31.ckpt'",
            ["validation loss=0.312 epoch 3"],
        ),
        ("val_loss improved by 0.012 >= min_delta = 0.0", []),
        ("cv_agg's valid auc: 0.45 + 0.01", ["validation auc=0.45"]),
        ("(val) acc 91.0", ["validation acc=91"]),
        ("valLoss: 0.3 trainLoss: 0.5", ["validation Loss=0.3", "train Loss=0.5"]),
        ("bestTest = 0.43", ["test best=0.43"]),
        ("accuracy -> 0.91", ["accuracy=0.91"]),
        ("accuracy .......... 0.91", ["accuracy=0.91"]),
        ("loss=0,5", []),
        ("score: 0.91/1.00", ["score=0.91"]),
        ("loss: 1.2 x 10^-4", []),
        ("score: numpy.float64(0.91)", ["score=0.91"]),
        ("CV scores: [np.float64(0.8), np.float64(0.9)]", ["validation scores=0.8", "validation scores=0.9"]),
        ("loss: <tf.Tensor: shape=(), dtype=float32, numpy=0.912>", ["loss=0.912"]),
        (
            "loss: tensor([0.5], device='cuda:0', grad_fn=<MeanBackward0>), acc: Array(0.25, dtype=float32)",
            ["loss=0.5", "acc=0.25"],
        ),
        ("Training time: 2 min 13 s", ["train time=133 seconds"]),
        ("Total time: 1h 2m 3s", ["Total time=3723 seconds"]),
        ("Wall time: 2.5 minutes", ["Wall time=150 seconds"]),
        ("train_runtime = 0:01:22.30", ["train runtime=82.3 seconds"]),
        ("time: 12:30:45", []),
        ("\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02.50", ["Elapsed (wall clock) time=62.5 seconds"]),
        ("Test AUC: 0.874 [95% CI: 0.851, 0.893]", ["test AUC=0.874"]),
        ("Total training time: 1 day, 2:03:04", ["train Total time=93784 seconds"]),
        ("accuracy: 91.2 percent", ["accuracy=91.2 percent"]),
        ("error rate 8.8%", ["error rate=8.8 percent"]),
        ("\N{BULLET} test accuracy: 0.91", ["test accuracy=0.91"]),
        ("- **Accuracy:** 0.93", ["Accuracy=0.93"]),
        ("accuracy_score(y_test, preds) = 0.91", ["accuracy_score=0.91"]),
        ("(AP) @[ IoU=0.50:0.95 | area=   all ] = 0.41", ["(AP) @[ IoU=0.50:0.95 | area=   all ]=0.41"]),
        ('{"level": "info", "message": "epoch 2 val_loss: 0.3"}', ["validation loss=0.3 epoch 2"]),
    ],
)
def test_lines(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "lr=0.1 batch_size=64 dropout: 0.5 momentum: 0.9",
        "learning rate: 0.001, weight_decay: 0.0001, test_size=0.2",
        "Namespace(lr=0.1, momentum=0.9, loss_weight=0.5)",
        "Best parameters: {'lr': 0.1, 'gamma': 0.7}",
        "torch 2.1.0, Python: 3.11, CUDA: 12.1, numpy version: 1.26",
        "Downloading: 45.3MB of 100.0 MB",
        "tokenizer.json: 100%|##########| 466k/466k [00:00<00:00, 759kB/s]",
        "Epoch 2/2:  71%|███████   | 17376/24544 [16:42<07:37, 15.66it/s]",
        "ETA: 0:00:12, 12:30:45",
        "2024-01-01 12:00:00.123 starting",
        "Submission shape: (40000, 1)",
        "Trainable params: 1,234,567",
        "Estimated Total Size (MB): 12.1",
        "Fitting 5 folds for each of 96 candidates, totalling 480 fits",
        "x.py:314: UserWarning: accuracy: 0.5 is deprecated",
        "ValueError: accuracy: 0.5",
        "[LightGBM] [Info] Start training from score 181625.390411",
        "val_loss did not improve from 0.45",
        "Training loss did not improve more than tol=0.000100 for 10 consecutive epochs. Stopping.",
        "Epoch 1/4  ━━━━━━━━ 40/40 0:00:02 • 0:00:00 14.10it/s v_num: 3.000",
    ],
)
def test_what_is_no_metric(text: str) -> None:
    assert found(text) == []


def test_headings_hold_for_their_section() -> None:
    text = "Training metrics:\n  MAE: 5.1\nValidation metrics:\n  MAE: 6.1\nMAE: 7.1\n"
    text += "Test Error: \n Accuracy: 64.7%, Avg loss: 1.08\n"
    assert found(text) == [
        "train MAE=5.1",
        "validation MAE=6.1",
        "MAE=7.1",
        "test Accuracy=64.7 percent",
        "test Avg loss=1.08",
    ]


def test_epoch_headers_hold_for_the_lines_below() -> None:
    text = "Epoch 1:\nAverage Training Loss: 0.6\nValidation Accuracy: 77%\nEpoch 2:\nAverage Training Loss: 0.5\n"
    assert found(text) == [
        "train Average Loss=0.6 epoch 1",
        "validation Accuracy=77 percent epoch 1",
        "train Average Loss=0.5 epoch 2",
    ]


def test_tracebacks_are_left_alone_and_output_after_them_is_read() -> None:
    text = (
        "loss: 0.5\nTraceback (most recent call last):\n"
        '  File "x.py", line 3, in <module>\n    accuracy = 0.5\nValueError: accuracy: 0.5\ntest accuracy: 0.77'
    )
    assert found(text) == ["loss=0.5", "test accuracy=0.77"]


def test_lines_and_texts_are_where_the_values_stand() -> None:
    points = parse_metrics("starting\n\n  loss: 0.5\r\nacc: 0.9\n" + "x" * 3_000 + " f1: 0.7")
    assert [(point.line, point.text.strip()) for point in points[:2]] == [(3, "loss: 0.5"), (4, "acc: 0.9")]
    assert points[2].line == 5
    assert "f1: 0.7" in points[2].text
    assert len(points[2].text) <= 500


def test_steps_count_points_of_one_name() -> None:
    points = parse_metrics("loss: 3\nloss: 2\nval loss: 5\nStep 40: loss: 1")
    assert [point.step for point in points] == [0, 1, 0, 40]


@pytest.mark.skipif(not SHARED_RUNS.is_dir(), reason="needs the labelled runs")
def test_real_runs() -> None:
    """Every dictionary of the Hugging Face trainer in the real outputs gives its loss or accuracy."""
    missed = []
    for path in SHARED_RUNS.glob("mlgym-claude35-fmnist-0.json"):
        for step in json.loads(path.read_text())["steps"]:
            lines = (step.get("observation") or "").split("\n")
            read = {point.line for point in parse_metrics("\n".join(lines))}
            for number, line in enumerate(lines, start=1):
                if line.startswith(("{'loss'", "{'eval_loss'")) and "…" not in line and number not in read:
                    missed.append((path.name, line))
    assert not missed


def test_a_bare_split_is_not_of_a_metric_that_has_its_value_already() -> None:
    points = parse_metrics("Epoch: 010, Loss: 1.8012, Train: 0.9714, Test: 0.7710\n")
    assert [(p.name, p.split, p.value) for p in points] == [
        ("Loss", None, 1.8012),
        ("score", "train", 0.9714),
        ("score", "test", 0.771),
    ]
    assert [p.name for p in parse_metrics("Loss: train: 0.31, val: 0.42\n")] == ["Loss", "Loss"]
