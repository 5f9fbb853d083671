"""What outputs of current libraries call their values: quoted numbers, conditions, sizes, several data sets."""

from __future__ import annotations

import pytest

from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{'loss': '0.5312', 'grad_norm': '1.4', 'learning_rate': '3e-05', 'epoch': '0.5'}\n"
            "{'eval_loss': '0.49', 'eval_accuracy': '0.7715', 'epoch': '1', 'note': 'n/a'}",
            [
                "train loss=0.5312 epoch 0.5",
                "grad_norm=1.4 epoch 0.5",
                "validation loss=0.49 epoch 1",
                "validation accuracy=0.7715 epoch 1",
            ],
        ),
        ("{'accuracy': '71.5%', 'f1': 'nan', 'ok': 'True'}", ["accuracy=71.5 percent", "f1=nan"]),
        ("accuracy (age<30): 0.81\naccuracy (age>30): 0.67", ["accuracy (age<30)=0.81", "accuracy (age>30)=0.67"]),
        ("age<30 accuracy: 0.81\nage>30 accuracy: 0.67", ["age<30 accuracy=0.81", "age>30 accuracy=0.67"]),
        ("accuracy (age <= 30): 0.8, accuracy (k=5): 0.7", ["accuracy (age <= 30)=0.8", "accuracy (k=5)=0.7"]),
        ("accuracy age >= 30: 0.5", ["accuracy=0.5"]),
        ("forest  AP 0.899 [0.855, 0.951]  R@P50 0.905  F1@0.35 0.876", ["AP=0.899", "R@P50=0.905", "F1@0.35=0.876"]),
        ("plain  rmse mean 55.36 sd 2.56 | r2 mean 0.455", ["rmse mean=55.36", "r2 mean=0.455"]),
        ("recall@k=5: 0.4, hit@1=0.3", ["recall@k=5=0.4", "hit@1=0.3"]),
        ("mAP@[0.5:0.95]: 0.41", ["mAP@[0.5:0.95]=0.41"]),
        ("mAP@0.5: 0.62 mAP@0.5:0.95: 0.41", ["mAP@0.5=0.62", "mAP@0.5:0.95=0.41"]),
        ("val_rmse: 1 234.56", []),
        ("F1@IoU>0.5: 0.3", ["F1@IoU>0.5=0.3"]),
        ("acc%: 81", ["acc%=81 percent"]),
        (
            "val AUROC (macro, OvR): 0.93, F1 (5-fold, weighted) = 0.7",
            ["validation AUROC (macro, OvR)=0.93", "validation F1 (5-fold, weighted)=0.7"],
        ),
        ("test → acc=0.87 | f1=0.86", ["test acc=0.87", "test f1=0.86"]),
        ("epoch 1 => loss: 0.4", ["loss=0.4 epoch 1"]),
        ("> accuracy: 0.5", ["accuracy=0.5"]),
        ("R = 92.58", ["R=92.58"]),
        ("BLEU|nrefs:1|case:mixed|version:2.6.0 = 31.4 64.1/38.0/24.9/16.8", ["BLEU=31.4"]),
        ("smpl:16K lr:1.0e-05 loss:0.3", ["loss=0.3"]),
        ("lr: 1e-5 loss: 0.3", ["loss=0.3"]),
        ("psnr=31.2dB, hd95=4.21mm ssim=0.91", ["psnr=31.2", "hd95=4.21", "ssim=0.91"]),
        ("P: 0.91 R: 0.88 F: 0.895", ["P=0.91", "R=0.88", "F=0.895"]),
        ("R: 5, C = 0.5, p = 0.03", []),
        ("R: 2.1: 100%|██████████| 122/122", []),
        (
            "val_bpb: 1.0132\npeak_vram_mb: 20011.5\nmfu_percent: 41.2\nnum_params_M: 48.1\ntotal_tokens_M: 471.3\n"
            "depth: 8",
            ["validation bpb=1.0132"],
        ),
        ("gpu_util: 0.87, swap_share: 0.8, cpu_percent: 12.5, accuracy_pct: 81.2", ["accuracy_pct=81.2 percent"]),
    ],
)
def test_names(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_classes_of_a_report_keep_their_signs() -> None:
    report = (
        "              precision    recall  f1-score   support\n\n"
        "       <30K       0.93      0.95      0.94       700\n"
        "       >30K       0.72      0.61      0.66       300\n"
    )
    names = {point.name: point.value for point in parse_metrics(report)}
    assert (names["<30K recall"], names[">30K recall"], names[">30K precision"]) == (0.95, 0.61, 0.72)


def parts(text: str) -> list[tuple[str, float, int]]:
    return [(point.part, point.value, point.step) for point in parse_metrics(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dataset: cora\nEpoch 1 val acc: 0.7\nEpoch 2 val acc: 0.8\nDataset: pubmed\nEpoch 1 val acc: 0.6\n"
            "=== Summary ===\nmean acc: 0.7",
            [("cora", 0.7, 0), ("cora", 0.8, 1), ("pubmed", 0.6, 0), ("", 0.7, 0)],
        ),
        ("=== Run 1/2 ===\nval acc: 0.8\n=== Run 2/2 ===\nval acc: 0.85", [("Run 1", 0.8, 0), ("Run 2", 0.85, 0)]),
        ("cora: test acc 0.81\nciteseer: test acc 0.7", [("cora", 0.81, 0), ("citeseer", 0.7, 0)]),
        (
            "epoch 1 loss 0.3\nepoch 2 loss 0.2\nepoch 1 loss 0.5\nepoch 2 loss 0.4",
            [("run 1", 0.3, 0), ("run 1", 0.2, 1), ("run 2", 0.5, 0), ("run 2", 0.4, 1)],
        ),
        ("Dataset: cora\nval acc: 0.7\nval acc: 0.8", [("", 0.7, 0), ("", 0.8, 1)]),
        ("Epoch 1: loss 0.5\nEpoch 2: loss 0.4\nBest epoch 1: loss 0.4", [("", 0.5, 0), ("", 0.4, 1), ("", 0.4, 2)]),
        ("INFO: loss 0.5\nWARNING: loss 0.6", [("", 0.5, 0), ("", 0.6, 1)]),
        ("Train: loss 0.5\nVal: loss 0.6", [("", 0.5, 0), ("", 0.6, 0)]),
    ],
)
def test_data_sets_and_runs_are_curves_of_their_own(text: str, expected: list[tuple[str, float, int]]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[AR(14) d0 D1] MAE 9.54\n[AR(28) d0 D1] MAE 8.90", ["AR(14) d0 D1", "AR(28) d0 D1"]),
        ("[naive] MAE 18.26\n[ARMA 1,2|7, no cleaning] MAE 9.10", ["naive", "ARMA 1,2|7, no cleaning"]),
        (
            "[direct level=True,week=False] MAE 9.1\n[direct+level] MAE 8.2",
            ["direct level=True,week=False", "direct+level"],
        ),
        ("[lr 0.1, step 10] loss 0.3\n[lr 0.1, step 20] loss 0.2", ["", ""]),
        ("[epoch 1, batch 200] loss 0.5\n[epoch 1, batch 400] loss 0.4", ["", ""]),
        ("[loss 0.31, lr 0.01] acc 0.5\n[loss 0.21, lr 0.01] acc 0.6", ["", ""]),
        ("[INFO - trainer.py] loss 0.5\n[INFO - eval.py] loss 0.4", ["", ""]),
        ("[INFO (3)] loss 0.5\n[INFO (4)] loss 0.4", ["", ""]),
    ],
)
def test_what_stands_in_brackets_before_a_row_is_its_name(text: str, expected: list[str]) -> None:
    last_of_line = {point.line: point.part for point in parse_metrics(text)}
    assert list(last_of_line.values()) == expected
