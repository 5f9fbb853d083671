"""What training loops print beside libraries: meters, columns parted by bars, bars of frameworks, classes, folds."""

from __future__ import annotations

import pytest

from environment.metrics.meaning import canonical
from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "epoch 7 | Train_Loss 0.61 | aux 0.1503 | Loss 0.77 | Val_Loss 0.58| Val Time(s) 0.07 | Time(s) 3.62",
            [
                "train Loss=0.61 epoch 7",
                "Loss=0.77 epoch 7",
                "validation Loss=0.58 epoch 7",
                "validation Time=0.07 seconds epoch 7",
                "Time=3.62 seconds epoch 7",
            ],
        ),
        (
            "Train: loss=0.41 acc=81.2% | Valid: loss=0.52 acc=79.1% | 12.3s",
            ["train loss=0.41", "train acc=81.2 percent", "validation loss=0.52", "validation acc=79.1 percent"],
        ),
        (
            "Epoch: 3, Steps: 91 | Train Loss: 0.44 Vali Loss: 0.71 Test Loss: 0.39",
            ["train Loss=0.44 epoch 3", "validation Loss=0.71 epoch 3", "test Loss=0.39 epoch 3"],
        ),
        ("Validating Epoch: 2, accuracy: 0.81", ["validation accuracy=0.81 epoch 2"]),
        ("\tspeed: 0.21s/iter; left time: 531.2s", ["speed=0.21 seconds"]),
        ("step=   100 loss=2.34 ppl=10.4", ["loss=2.34", "ppl=10.4"]),
        ("epoch 4 tr 0.41 | va 0.51", ["train score=0.41 epoch 4", "validation score=0.51 epoch 4"]),
        ("train 0.98 / val 0.91 / test 0.9", ["train score=0.98", "validation score=0.91", "test score=0.9"]),
        ("split: train 80.0 / val 10.0 / test 10.0", []),
        ("ols  rmse  53.84 ± 3.53  train  52.18", ["rmse=53.84", "rmse std=3.53", "train rmse=52.18"]),
        ("ols  mae  43.89  r2  0.514  train  52.18", ["mae=43.89", "r2=0.514", "train score=52.18"]),
        ("the mae is 43.89 on the data we train 52.18", ["mae=43.89"]),
        ("ae 3e-3  gain 5.36+-0.12 p10 0.44±0.11 rmse 0.31+-0.01", ["rmse=0.31", "rmse std=0.01"]),
        ("accuracy 0.91  sizes  train  0.80", ["accuracy=0.91"]),
        ("model  seconds  3.5  train  0.80", []),
        ("tr_loss 0.5 | va_acc 81.2%", ["train loss=0.5", "validation acc=81.2 percent"]),
        ("xnli_tr acc: 0.71", ["xnli_tr acc=0.71"]),
        ("Accuracy per fold = [0.81, 0.79]", ["Accuracy=0.81", "Accuracy=0.79"]),
        (
            "{'fit_time': array([0.5, 0.6]), 'test_score': array([0.91, 0.92])}",
            ["fit_time=0.5", "fit_time=0.6", "test score=0.91", "test score=0.92"],
        ),
        ("{'Train': 0.81, 'Test': 0.75}", ["train score=0.81", "test score=0.75"]),
        ("0.93 accuracy with a standard deviation of 0.02", ["accuracy=0.93", "accuracy std=0.02"]),
        ("Validation loss decreased (inf --> 0.4812).  Saving model ...", ["validation loss=0.4812"]),
        ("\tLoss: 0.09(train)\t|\tAcc: 88.1%(train)", ["train Loss=0.09", "train Acc=88.1 percent"]),
        (
            "DEV : loss 0.15 - f1-score (micro avg)  0.9",
            ["validation loss=0.15", "validation f1-score (micro avg)=0.9"],
        ),
        ("Model:      OLS   R-squared:    0.8", ["R-squared=0.8"]),
        ("2026/01/31 - mmengine - INFO - Epoch(val) [3][20/20]  mIoU: 61.23", ["validation mIoU=61.23 epoch 3"]),
        ("loss, acc = (0.31, 0.88)", ["loss=0.31", "acc=0.88"]),
        ("Test loss, test acc: [0.31, 0.88]", ["test loss=0.31", "test acc=0.88"]),
        ("val_loss: (0.31, 0.33)", ["validation loss=0.31", "validation loss=0.33"]),
        ("FID: 12.31 IS: 8.12", ["FID=12.31", "IS=8.12"]),
        ("loss G: 1.21 loss D: 0.61", ["loss G=1.21", "loss D=0.61"]),
        ("EvalResult(accuracy=0.81, loss=0.5)", ["accuracy=0.81", "loss=0.5"]),
        ("TrainOutput(global_step=1500, training_loss=0.21, metrics={'epoch': 3.0})", ["train loss=0.21 epoch 3"]),
        ("RandomForestClassifier(max_depth=5, score=0.3)", []),
        ("OrderedDict([('val_loss', 0.31), ('val_acc', 0.88)])", ["validation loss=0.31", "validation acc=0.88"]),
        ("{'rmse': [0.13, 0.12], 'lr': [0.1, 0.1]}", ["rmse=0.13", "rmse=0.12"]),
        ("Test R2: [[0.91]]", ["test R2=0.91"]),
        ("Confusion matrix: [[50, 2], [3, 45]]", []),
        ("val_acc: 0.81 -> 0.85", ["validation acc=0.81", "validation acc=0.85"]),
        ("accuracy → 0.93", ["accuracy=0.93"]),
        ("(5/10) loss 0.21 | acc 0.93", ["loss=0.21", "acc=0.93"]),
        ("Epoch 3 of 10 loss 0.3", ["loss=0.3 epoch 3"]),
        ("INFO loss: 0.3", ["loss=0.3"]),
        ("Reached 95% validation accuracy.", ["validation accuracy=95 percent"]),
        ("88.12% accuracy on the test set", ["test accuracy=88.12 percent"]),
        ("training goes on until 95% accuracy", []),
        ("8812 of 10000 correct", ["accuracy=88.12 percent"]),
        ("E12 trn_loss 0.3 val_loss 0.4", ["train loss=0.3", "validation loss=0.4"]),
        (
            "      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n"
            "       2/80      4.15G      1.517      4.105         29        960: 4% ──────────── 6/150  1.4s\n"
            "                 Class     Images  Instances      Box(P          R      mAP50): 100% ━━━━ 10/10 3it/s\n"
            "                   all        300        300      0.987      0.991      0.994",
            ["box_loss=1.517 epoch 2", "cls_loss=4.105 epoch 2", "all P=0.987", "all R=0.991", "all mAP50=0.994"],
        ),
        (
            "** Reported on train data. **\n\nAUC: 0.99\n\nModelMetricsBinomial: gbm\n"
            "** Reported on validation data. **\n\nAUC: 0.93\nMSE: 0.02\n\nseconds 3",
            ["train AUC=0.99", "validation AUC=0.93", "validation MSE=0.02"],
        ),
        ("CV scores: 0.81, 0.79, 0.83", ["validation scores=0.81", "validation scores=0.79", "validation scores=0.83"]),
        ("lr: 0.1, 0.2, 0.3", []),
        (
            "Trial 0 finished with values: [0.81, 12.5] and parameters: {'lr': 0.01, 'depth': 3}.",
            ["values[0]=0.81", "values[1]=12.5"],
        ),
        ("step_val_acc_99_mean: 4200.0", ["validation step acc_99_mean=4200"]),
        (
            "EPISODE #64 step=347195 outcome=death reward=7223.80 len=2324 | wins=3/64 win_rate(100)=0.047",
            ["reward=7223.8", "win_rate(100)=0.047"],
        ),
        (
            "| epoch  40 |   200/ 3481 batches | ms/batch 11.47 | loss  4.77\nResidual Standard Deviation: 4.48",
            ["loss=4.77 epoch 40", "Residual Standard Deviation=4.48"],
        ),
        (
            "第1轮训练:\n训练集损失: 0.693，准确率: 51.2%\n验证集损失: 0.683，准确率: 55.2%\n学习率：0.001",
            [
                "train loss=0.693 epoch 1",
                "train accuracy=51.2 percent epoch 1",
                "validation loss=0.683 epoch 1",
                "validation accuracy=55.2 percent epoch 1",
            ],
        ),
        (
            "第 2 轮 训练损失：0.412 验证准确率：0.851，耗时：12.3s\n最佳验证准确率：0.91（第 7 轮）",
            [
                "train loss=0.412 epoch 2",
                "validation accuracy=0.851 epoch 2",
                "time=12.3 seconds epoch 2",
                "validation best accuracy=0.91 epoch 7",
            ],
        ),
        ("模型在测试集的 F1 分数：0.8123", ["test F1 score=0.8123"]),
        ("测试集上的准确率为：89.50%", ["test accuracy=89.5 percent"]),
        ("epoch：3，train_loss：0.21，val_acc：0.87", ["train loss=0.21 epoch 3", "validation acc=0.87 epoch 3"]),
    ],
)
def test_lines(text: str, expected: list[str]) -> None:
    assert [line for line in found(text) if "aux" not in line] == expected


def test_a_step_is_counted_by_iterations() -> None:
    points = parse_metrics("\titers: 100, epoch: 2 | loss: 0.45\n\titers: 200, epoch: 2 | loss: 0.42")
    assert [(point.epoch, point.step, point.value) for point in points] == [(2, 100, 0.45), (2, 200, 0.42)]


def test_classes_have_curves_of_their_own() -> None:
    text = "Test Accuracy of airplane: 70% (705/1000)\nTest Accuracy of frog: 81% (812/1000)\nTest Accuracy: 75.5%"
    points = parse_metrics(text)
    assert [(point.part, point.split, point.value) for point in points] == [
        ("airplane", "test", 70),
        ("frog", "test", 81),
        ("", "test", 75.5),
    ]
    assert parse_metrics("Accuracy of the network on the 1000 test images: 54 %")[0].part == ""


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "--- Logistic Regression ---\nauc: 0.71\n--- Random Forest ---\nauc: 0.75",
            ["Logistic Regression", "Random Forest"],
        ),
        ("## ResNet18\n\nauc: 0.71\n## ViT\n\nauc: 0.75\n== Summary ==\nauc: 0.8", ["ResNet18", "ViT", ""]),
        ("=== Training ===\nauc: 0.71\n=== Step two ===\nauc: 0.75", ["", ""]),
        ("=== Environment ===\nauc: 0.71\n=== Step two ===\nauc: 0.75", ["Environment", ""]),
        (
            "=== ViT ===\n=== Epoch 1 ===\nauc: 0.7\n--- Step two ---\nauc: 0.71\n=== CNN ===\nauc: 0.75",
            ["ViT", "ViT", "CNN"],
        ),
        ("E020 | auc 0.71\nE021 | auc 0.75", ["", ""]),
        ("LR -> auc=0.71\nRF -> auc=0.75", ["LR", "RF"]),
        (
            "[d2.eval]: copypaste: Task: bbox\n[d2.eval]: copypaste: AP,AP50\n[d2.eval]: copypaste: 37.9,58.1\n"
            "[d2.eval]: copypaste: Task: segm\n[d2.eval]: copypaste: AP,AP50\n[d2.eval]: copypaste: 34.9,55.1",
            ["bbox", "bbox", "segm", "segm"],
        ),
        (
            "Dep. Variable:    y     R-squared:        0.8\nModel:          OLS     Adj. R-squared:   0.7",
            ["", ""],
        ),
    ],
)
def test_headings_name_models_and_prefixes_count(text: str, parts: list[str]) -> None:
    assert [point.part for point in parse_metrics(text)] == parts


def test_the_first_of_many_guesses_is_accuracy_and_steps_to_an_accuracy_are_none() -> None:
    meters = parse_metrics("Epoch: [0][10/185]  Loss 2.57 (3.09)  Prec@1 26.562 (12.655)  Prec@5 68.750 (37.036)")
    assert [(point.name, point.value) for point in meters if point.name.startswith("Prec@1")] == [
        ("Prec@1", 26.562),
        ("Prec@1 average", 12.655),
    ]
    assert (canonical("Prec@1"), canonical("step_val_acc_99_mean")) == ("accuracy", "steps")


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Fold 1 RMSE: 0.8121 | Fold 2 RMSE: 0.8144", [1, 2]),
        ("iter 100 | batch 32 | loss 0.3", [100]),
        ("| epoch  40 |   200/ 3481 batches | ms/batch 11.47 | loss  4.77", [0]),
        ("EPISODE #64 step=347195 outcome=death reward=7223.80", [347195]),
    ],
)
def test_steps(text: str, steps: list[int]) -> None:
    assert [point.step for point in parse_metrics(text)] == steps
