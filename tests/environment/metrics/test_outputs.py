"""Metrics out of real programs' output: what is found, what is left alone, and at what cost."""

from __future__ import annotations

import json
import math
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment.metrics.outputs import parse_metrics, read_metrics
from environment.records import MetricPoint

SHARED_RUNS = Path(__file__).parents[4] / "shared" / "claims" / "runs"


def brief(point: MetricPoint) -> str:
    """``validation loss=0.5 percent epoch 3``: a point as the expectations below write it."""
    parts = [point.split or "", f"{point.name}={point.value:g}", "" if point.unit == "none" else point.unit]
    if point.epoch is not None:
        parts.append(f"epoch {point.epoch:g}")
    return " ".join(part for part in parts if part)


def found(text: str) -> list[str]:
    return [brief(point) for point in parse_metrics(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loss: 0.5", ["loss=0.5"]),
        ("acc=81.2%", ["acc=81.2 percent"]),
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
        ("Accuracy: 0.85 (+/- 0.02)", ["Accuracy=0.85"]),
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
    ],
)
def test_what_is_no_metric(text: str) -> None:
    assert found(text) == []


def test_dictionaries_of_hugging_face() -> None:
    text = (
        "{'loss': 2.3055, 'grad_norm': 2.65, 'learning_rate': 2.9e-05, 'epoch': 0.21}\n"
        "{'eval_loss': 0.716, 'eval_accuracy': 0.7254, 'epoch': 1.0}\n"
        "***** eval metrics *****\n"
        "  epoch                   =        3.0\n"
        "  eval_accuracy           =     0.8578\n"
        "  eval_runtime            = 0:00:01.23\n"
        "done\n"
        "mae: 3"
    )
    assert found(text) == [
        "train loss=2.3055 epoch 0.21",
        "grad_norm=2.65 epoch 0.21",
        "validation loss=0.716 epoch 1",
        "validation accuracy=0.7254 epoch 1",
        "validation accuracy=0.8578 epoch 3",
        "validation runtime=1.23 seconds epoch 3",
        "mae=3",
    ]


def test_json_lines_nested_and_without_settings() -> None:
    row = {"epoch": 2, "train_loss": 0.3, "val": {"accuracy": 0.91}, "lr": 0.01, "config": {"dropout": 0.5}}
    assert found(json.dumps(row)) == ["train loss=0.3 epoch 2", "validation accuracy=0.91 epoch 2"]
    assert found(json.dumps({"lr": 0.1, "gamma": 0.7})) == []


def test_keras_bars_show_their_last_state() -> None:
    bar = "\r\x1b[1m{0}/10\x1b[0m ━━━━ 1s 5ms/step - accuracy: 0.{0} - loss: 1.{0}"
    text = "Epoch 1/2\n" + "".join(bar.format(n) for n in range(1, 10))
    text += "\r10/10 ━━━━ 1s 5ms/step - accuracy: 0.5 - loss: 0.7 - val_accuracy: 0.6 - val_loss: 0.5\nEpoch 2/2\n"
    text += "\b" * 40 + "10/10 [=====] - 1s 5ms/step - loss: 0.4 - val_loss: 0.3\nTest accuracy: 0.61"
    assert found(text) == [
        "train accuracy=0.5 epoch 1",
        "train loss=0.7 epoch 1",
        "validation accuracy=0.6 epoch 1",
        "validation loss=0.5 epoch 1",
        "train loss=0.4 epoch 2",
        "validation loss=0.3 epoch 2",
        "test accuracy=0.61",
    ]


def test_lightning_bars_and_tables() -> None:
    text = (
        "\rEpoch 0:  50%|█████     | 5/10 [00:00<00:00, 50.00it/s, v_num=0, train_loss=0.9]"
        "\rEpoch 0: 100%|██████████| 10/10 [00:00<00:00, 50.00it/s, v_num=0, train_loss=0.5, val_loss=0.45]"
        "\rEpoch 1: 100%|██████████| 10/10 [00:00<00:00, 50.00it/s, v_num=0, train_loss=0.4, val_loss=0.35]\n"
        "┏━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━┓\n"
        "┃   Test metric  ┃    DataLoader 0    ┃\n"
        "┡━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━┩\n"
        "│    test_acc    │ 0.8700000047683716 │\n"
        "└────────────────┴────────────────────┘\n"
    )
    assert found(text) == [
        "train loss=0.5 epoch 0",
        "validation loss=0.45 epoch 0",
        "train loss=0.4 epoch 1",
        "validation loss=0.35 epoch 1",
        "test acc=0.87",
    ]


def test_boosting_libraries() -> None:
    text = (
        "[0]\tvalidation_0-rmse:0.38690\tvalidation_1-rmse:0.4\n"
        "[100]\ttraining's l2: 0.5\tvalid_1's l2: 0.23\n"
        "0:\tlearn: 0.65\ttest: 0.64\tbest: 0.64 (0)\ttotal: 50ms\tremaining: 5s\n"
    )
    points = parse_metrics(text)
    assert [brief(point) for point in points][:4] == [
        "validation rmse=0.3869",
        "validation rmse=0.4",
        "train l2=0.5",
        "validation l2=0.23",
    ]
    assert [point.step for point in points[:4]] == [0, 0, 100, 100]
    assert [brief(point) for point in points[4:6]] == ["train score=0.65", "test score=0.64"]


REPORT = """
              precision    recall  f1-score   support

           0       0.67      1.00      0.80         2
           1       1.00      0.50      0.67         2

    accuracy                           0.75         4
   macro avg       0.83      0.75      0.73         4
weighted avg       0.83      0.75      0.73         4
"""


def test_a_report_of_scikit_learn() -> None:
    points = {point.name: point.value for point in parse_metrics(REPORT)}
    assert len(points) == 13
    assert points["accuracy"] == 0.75
    assert points["1 recall"] == 0.5
    assert points["macro avg f1-score"] == 0.73
    assert not any("support" in name for name in points)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| model | accuracy | f1 |\n|---|---|---|\n| rf | 0.9 | 0.8 |", ["rf accuracy=0.9", "rf f1=0.8"]),
        (
            "  epoch    train_loss    valid_acc    dur\n-------  ------------  -----------  ------\n"
            "      1        0.6905       0.6150  0.0296\n      2        0.5905       0.7150  0.0296",
            [
                *("train loss=0.6905 epoch 1", "validation acc=0.615 epoch 1", "dur=0.0296 epoch 1"),
                *("train loss=0.5905 epoch 2", "validation acc=0.715 epoch 2", "dur=0.0296 epoch 2"),
            ],
        ),
        (
            "   epoch  train_loss  val_loss\n0      1    0.500000  0.600000",
            ["train loss=0.5 epoch 1", "validation loss=0.6 epoch 1"],
        ),
        (
            "Epoch\tTraining Loss\tValidation Loss\n1\tNo log\t0.69\n2\t0.5\t0.59",
            ["validation Loss=0.69 epoch 1", "train Loss=0.5 epoch 2", "validation Loss=0.59 epoch 2"],
        ),
        (
            "| train/        |          |\n|    loss       | 7.57     |\n|    n_updates  | 10       |",
            ["train loss=7.57"],
        ),
        (
            "| Trial name        | status     | lr    | iter | accuracy |\n|---|---|---|---|---|\n"
            "| train_a1b2c_00000 | TERMINATED | 0.001 | 10   | 0.91     |",
            ["train_a1b2c_00000 accuracy=0.91"],
        ),
        ("| Model | acc |\n|---|---|\n| **a** | **0.93** |\n| b | 0.92 ± 0.01 |", ["a acc=0.93", "b acc=0.92"]),
        (
            "Metric  Train  Test\nAccuracy  0.99  0.91\nF1  0.98  0.9",
            ["train Accuracy=0.99", "test Accuracy=0.91", "train F1=0.98", "test F1=0.9"],
        ),
        ("Model  Acc (%)  Loss\nvit  93.1  0.25", ["vit Acc (%)=93.1 percent", "vit Loss=0.25"]),
        (
            "┃ Test metric ┃ DataLoader 0 ┃ DataLoader 1 ┃\n│ test_acc │ 0.91 │ 0.81 │",
            ["test DataLoader 0 acc=0.91", "test DataLoader 1 acc=0.81"],
        ),
        ("   model  accuracy\n0  rf  0.91\n1  svm  0.89", ["rf accuracy=0.91", "svm accuracy=0.89"]),
        ("epoch  train_loss  time\n0  0.9  00:12", ["train loss=0.9 epoch 0", "time=12 seconds epoch 0"]),
        ("| eval/ | |\n|  mean_reward | -12.5 |", ["validation mean_reward=-12.5"]),
        (
            "Epoch  GPU_mem  box_loss  Instances  Size\n1/3  2.29G  1.123  12  640: 100%|███| 8/8 [00:01, 4.2it/s]",
            ["box_loss=1.123 epoch 1"],
        ),
        ("fold,rmse\n0,0.5\n1,0.51", ["rmse=0.5", "rmse=0.51"]),
    ],
)
def test_tables(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"val": {"loss": 0.3}, "test": {"rf": {"loss": 0.5}, "svm": {"loss": 0.6}}, "acc": 0.9}, indent=2),
        "{'val': {'loss': 0.3},\n 'test': {'rf': {'loss': 0.5},\n          'svm': {'loss': 0.6}},\n 'acc': 0.9}",
    ],
)
def test_dictionaries_of_several_lines(text: str) -> None:
    assert [(p.part, p.split, p.name, p.value) for p in parse_metrics(f"{text}\nloss: 0.1")] == [
        ("", "validation", "loss", 0.3),
        ("rf", "test", "loss", 0.5),
        ("svm", "test", "loss", 0.6),
        ("", None, "acc", 0.9),
        ("", None, "loss", 0.1),
    ]


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


def test_more_points_than_the_limit_keeps_both_ends_and_says_so() -> None:
    text = "\n".join(f"loss: {n}" for n in range(1_000))
    points, dropped = read_metrics(text, limit=100)
    assert dropped == 900
    assert [point.value for point in points] == [*range(50), *range(950, 1_000)]
    assert points[-1].step == 999


@pytest.mark.parametrize(
    "line",
    [
        "a" * 300_000,
        "1:" * 20_000,
        "loss: 0.5 " * 2_000,
        "\x1b[" * 50_000,
        "params{" * 10_000,
        "Foo(a=" * 10_000,
    ],
    ids=lambda line: line[:8],
)
def test_time_is_linear(line: str) -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        read_metrics(text)
        return time.process_time() - start

    half = seconds(line[: len(line) // 2])
    assert seconds(line) < 4 * half + 0.3


def test_a_flood_of_short_lines_costs_little() -> None:
    text = "\n".join(f"epoch {n // 1_000} step {n} loss: 0.{n % 9_973:04d} acc=0.{n % 97:02d}" for n in range(40_000))
    start = time.process_time()
    points, dropped = read_metrics(text, limit=1_000)
    assert time.process_time() - start < 3
    assert len(points) + dropped == 80_000
    assert brief(points[-2]) == "loss=0.0107 epoch 39"
    assert (brief(points[-1]), points[-1].step, points[-1].line) == ("acc=0.35 epoch 39", 39_999, 40_000)


def test_the_middle_of_a_long_line_is_left_out() -> None:
    points = parse_metrics("loss: 0.5 " * 100_000 + "final loss: 0.1")
    assert points[-1].value == 0.1
    start = time.process_time()
    read_metrics("loss: 0.5 " * 100_000)
    assert time.process_time() - start < 3


@pytest.mark.parametrize("forms", [4_096, 2])
def test_lines_that_differ_in_their_numbers_are_read_as_each_alone(monkeypatch: pytest.MonkeyPatch, forms: int) -> None:
    """What is known of a line must not be taken for another: names, units, settings and epochs stay its own."""
    monkeypatch.setattr("environment.metrics.outputs._MAX_FORMS", forms)
    lines = [
        line
        for n in (1, 2, 10, 21)
        for line in (
            f"Class {n} accuracy: 0.{n}5",
            f"l{n % 3} error: {n}.5 f{n % 3}: 0.5",
            f"R^{n % 3}: 0.{n}1, lr: 0.0{n} loss {n}e-{n}",
            f"epoch {n}, top-{n} acc={n}.5% time: 1,{n:03d} ms",
            f"fold {n} scores: [0.{n} 0.{n}2]",
            f"{{'loss': {n:02d}, 'f{n % 3}': 0.5}}",
            f"[{n}] recall@{n} is 0.{n} on the test set",
            f"({n}) mean: 0.{n} v{n}: 0.5",
        )
    ]
    random.Random(0).shuffle(lines)

    def named(text: str) -> list[tuple[str, float, str | None, str, float | None]]:
        return [(p.name, p.value, p.split, p.unit, p.epoch) for p in parse_metrics(text)]

    assert named("\n".join(lines * 2)) == 2 * [point for line in lines for point in named(line)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| model | accuracy | f1 |\n|---|---|---|\n| rf | - | 0.8 |", ["rf f1=0.8"]),
        ("step  loss  acc\nnan  0.8  0.9", ["loss=0.8", "acc=0.9"]),
        ("scores: [100,200]", ["scores=100", "scores=200"]),
    ],
)
def test_what_stands_for_no_number_does_no_harm(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_the_end_of_a_flood_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("environment.metrics.lines._HALF", 1_000)
    points = parse_metrics("loss: 1\n" + "x" * 79 + "\n" + "loss: 3\n" * 1_000 + "final loss: 0.1")
    assert [(point.value, point.line) for point in points[:2]] == [(1, 1), (3, 3)]
    assert (points[-1].value, points[-1].line) == (0.1, 1_003)
    assert len(points) < 300


def test_binary_garbage_harms_nothing() -> None:
    garbage = random.Random(0).randbytes(20_000).decode("utf-8", "replace")
    points = parse_metrics(f"{garbage}\nloss: 0.25\n{garbage}")
    assert any(point.name == "loss" and point.value == 0.25 for point in points)


@given(st.text(max_size=300))
def test_any_text_is_read_and_every_point_can_be_stored(text: str) -> None:
    for point in parse_metrics(text):
        again = MetricPoint.model_validate_json(point.model_dump_json())
        assert again == point or math.isnan(point.value)
        assert point.line is not None
        assert point.line <= text.count("\n") + 1


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


def test_a_data_frame_whose_columns_stand_one_space_apart_keeps_its_values_in_their_columns() -> None:
    table = """
                 model  score_test  score_val eval_metric  pred_time_test  fit_time
0  WeightedEnsemble_L2    0.865000   0.880100    accuracy        0.011000       3.1
"""
    points = {(p.name, p.split): p.value for p in parse_metrics(table)}
    assert points["WeightedEnsemble_L2 score", "test"] == 0.865
    assert points["WeightedEnsemble_L2 score", "validation"] == 0.8801
    assert not any(name == "accuracy" for name, _ in points)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            """
|  Tasks  |Version|     Filter     |n-shot|  Metric   |   |Value |   |Stderr|
|---------|------:|----------------|-----:|-----------|---|-----:|---|-----:|
|arc_easy |      1|none            |     0|acc        |↑  |0.6343|±  |0.0099|
|         |       |none            |     0|acc_norm   |↑  |0.5989|±  |0.0101|
|gsm8k    |      3|flexible-extract|     5|exact_match|↑  |0.3260|±  |   N/A|
""",
            [
                "arc_easy acc=0.6343",
                "arc_easy acc stderr=0.0099",
                "arc_easy acc_norm=0.5989",
                "arc_easy acc_norm stderr=0.0101",
                "gsm8k flexible-extract exact_match=0.326",
            ],
        ),
        (
            """
E    #       LOSS TOK2VEC  LOSS NER  ENTS_F
---  ------  ------------  --------  ------
  0     200        120.31   1822.27   62.12
""",
            ["LOSS TOK2VEC=120.31 epoch 0", "LOSS NER=1822.27 epoch 0", "ENTS_F=62.12 epoch 0"],
        ),
        (
            """
      Accuracy     AUC
Fold
0       0.8148  0.8712
Mean    0.7689  0.8047
""",
            ["Accuracy=0.8148", "AUC=0.8712", "Mean Accuracy=0.7689", "Mean AUC=0.8047"],
        ),
        (
            """
                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|████| 4/4 [00:01<00:00]
                   all        128        929      0.643      0.537      0.605      0.446
""",
            ["all P=0.643", "all R=0.537", "all mAP50=0.605", "all mAP50-95=0.446"],
        ),
        (
            "Class  Box(P  mAP50)  Mask(P  mAP50)\nall  0.6  0.7  0.8  0.9\n",
            ["all Box P=0.6", "all Box mAP50=0.7", "all Mask P=0.8", "all Mask mAP50=0.9"],
        ),
        (
            "|  AP  |  AP50  |\n|:----:|:------:|\n| 38.1 | 58.2 |\n[01/31 10:00:00 d2]: copypaste: AP,AP50\n",
            ["AP=38.1", "AP50=58.2"],
        ),
    ],
)
def test_tables_of_libraries(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_models_and_data_sets_of_one_output_stay_apart() -> None:
    fits = "".join(
        f"Fitting model: {model} ... Training model for up to 59.9s of the 59.9s of remaining time.\n"
        f"\t{score}\t = Validation score   (accuracy)\n"
        for model, score in (("A", 0.7), ("B", 0.8))
    )
    text = f"{fits}[0]\tvalid_0's auc: 0.9\tvalid_1's auc: 0.8\n"
    assert [point.part for point in parse_metrics(text)] == ["A", "B", "valid_0", "valid_1"]
