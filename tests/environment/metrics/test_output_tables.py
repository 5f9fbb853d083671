"""Tables and dictionaries of several lines in what scripts print."""

from __future__ import annotations

import json

import pytest

from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| model | accuracy | f1 |\n|---|---|---|\n| rf | 0.9 | 0.8 |", ["rf accuracy=0.9", "rf f1=0.8"]),
        (
            "shape: (1, 3)\n┌───────┬──────────┬─────┐\n│ model ┆ accuracy ┆ n   │\n│ ---   ┆ ---      ┆ --- │\n"
            "│ str   ┆ f64      ┆ i64 │\n╞═══════╪══════════╪═════╡\n│ rf    ┆ 0.9      ┆ 3   │",
            ["rf accuracy=0.9"],
        ),
        (
            "│  model  │ accuracy │\n│ varchar │  double  │\n├─────────┼──────────┤\n│ gbm     │    0.912 │",
            ["gbm accuracy=0.912"],
        ),
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
            "                     rmse     mae  train_rmse\nstage    model                            \n"
            "blend    vote     52.794  43.044      50.953\nbaseline mean     78.544 -67.608      78.300",
            [
                *("blend vote rmse=52.794", "blend vote mae=43.044", "train blend vote rmse=50.953"),
                *("baseline mean rmse=78.544", "baseline mean mae=-67.608", "train baseline mean rmse=78.3"),
            ],
        ),
        (
            " lags   alpha  history     MAE\n   14       1     None   7.014\n   14      10      730   7.348",
            ["MAE=7.014", "MAE=7.348"],
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
        (
            "| Model | acc |\n|---|---|\n| **a** | **0.93** |\n| b | 0.92 ± 0.01 |",
            ["a acc=0.93", "b acc=0.92", "b acc std=0.01"],
        ),
        (
            "setting  val mean  test mean  test std  tests\nmlp dropout 0.3  0.9728  0.9630  0.0056  0.97 0.96",
            [
                "validation mlp dropout 0.3 score=0.9728",
                "test mlp dropout 0.3 score=0.963",
                "test mlp dropout 0.3 score std=0.0056",
            ],
        ),
        (
            "              seeds     val    test     std\nname\nonecycle 1e-2     3  0.9951  0.9948  0.0026",
            ["validation onecycle 1e-2 score=0.9951", "test onecycle 1e-2 score=0.9948", "onecycle 1e-2 std=0.0026"],
        ),
        ("class     train   val  test\ncat         500   100   100", []),
        (
            "        mae         smape\n         h1    h7      h1    h7\nmodel\nseasonal   4.62  5.60    1.89  2.29",
            ["seasonal mae h1=4.62", "seasonal mae h7=5.6", "seasonal smape h1=1.89", "seasonal smape h7=2.29"],
        ),
        (
            "        auc           f1\n       mean     std  mean   std\nname\nblend   0.8671  0.0406  0.87  0.04",
            ["blend auc mean=0.8671", "blend auc std=0.0406", "blend f1 mean=0.87", "blend f1 std=0.04"],
        ),
        (
            "           ap     f1\nmodel\nlogreg  0.665  0.620\nmodel\nforest  0.819  0.684",
            ["logreg ap=0.665", "logreg f1=0.62", "forest ap=0.819", "forest f1=0.684"],
        ),
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


def test_a_metric_with_its_value_below_a_table_is_no_row_of_it() -> None:
    table = "model   val_accuracy  val_f1\nrf      0.8134        0.7705\n"
    rows = ["validation rf accuracy=0.8134", "validation rf f1=0.7705"]
    assert found(table) == rows
    assert found(f"{table}Validation accuracy: 0.8291\n") == [*rows, "validation accuracy=0.8291"]
    assert found("model  accuracy\nrf:  0.81\ngbm: 0.83\n") == ["rf: accuracy=0.81", "gbm: accuracy=0.83"]


def test_a_data_frame_wider_than_a_line_keeps_its_columns_and_labels_in_every_block() -> None:
    table = (
        "     model  accuracy  precision  \\\n0      knn    0.7310     0.7020   \n1   ridge    0.7790     0.7440   \n\n"
        "   recall      f1  \n0  0.6810  0.6910  \n1  0.7150  0.7290  \n"
    )
    assert found(table) == [
        "knn accuracy=0.731",
        "knn precision=0.702",
        "ridge accuracy=0.779",
        "ridge precision=0.744",
        "knn recall=0.681",
        "knn f1=0.691",
        "ridge recall=0.715",
        "ridge f1=0.729",
    ]
    assert found(f"{table}\n   recall      f1\n0  0.5000  0.6000\n")[-2:] == ["recall=0.5", "f1=0.6"]


def test_quantiles_of_a_metric_are_not_the_metric() -> None:
    table = "       precision  recall\nmean      0.8100  0.7000\n25%       0.7900  0.6700\n50%       0.8200  0.7100\n"
    assert found(table)[2:] == ["25% precision=0.79", "25% recall=0.67", "50% precision=0.82", "50% recall=0.71"]
