"""What libraries of machine learning print."""

from __future__ import annotations

import json

from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import brief, found


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
