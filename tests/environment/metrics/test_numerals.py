"""Numbers and results as others write them: decimal commas, Julia's short floats, LaTeX, semicolons, YAML."""

from __future__ import annotations

import pytest

from environment.metrics.outputs import parse_metrics


def read(output: str) -> list[tuple[str, float]]:
    return [(point.name, point.value) for point in parse_metrics(output)]


def test_where_no_number_has_a_point_a_comma_stands_before_the_decimals() -> None:
    output = "Epoche 1: loss 0,6931 accuracy 0,512\nRMSE: 3,4\nMAE = 12,345\nError: 1.234,5"
    assert read(output) == [("loss", 0.6931), ("accuracy", 0.512), ("RMSE", 3.4), ("MAE", 12.345), ("Error", 1234.5)]
    assert [point.text for point in parse_metrics(output)][2] == "RMSE: 3,4", "the line is shown as it was printed"


@pytest.mark.parametrize(
    "output",
    [
        "RMSE: 12,345\nMAE: 3,456",  # thousands, as far as anybody can tell
        "accuracy: 0.8\nRMSE: 12,345\nMSE: 1,234,567\nloss: 1,250.5",
        "shape (3,4), (0,1)\nRMSE: 12,345",
    ],
)
def test_elsewhere_commas_part_thousands(output: str) -> None:
    assert ("RMSE", 12345.0) in read(output)


def test_tables_with_decimal_commas() -> None:
    spaced = "Modell      accuracy   rmse\nRF          0,8312     12,5312\nXGB         0,8512     11,2013\n"
    parted = "model;accuracy;f1\nRF;0,8312;0,77\nXGB;0,8512;0,79\n"
    assert read(spaced)[:2] == [("RF accuracy", 0.8312), ("RF rmse", 12.5312)]
    assert read(parted) == [("RF accuracy", 0.8312), ("RF f1", 0.77), ("XGB accuracy", 0.8512), ("XGB f1", 0.79)]


def test_short_floats_of_julia() -> None:
    assert read("(train_loss = 0.41f0, val_loss = 5.2f-1)") == [("loss", 0.41), ("loss", 0.52)]
    assert read("accuracy: 0.5 in file 3f2a") == [("accuracy", 0.5)]


def test_a_table_in_latex() -> None:
    table = r"""
\begin{tabular}{lcc}
\toprule
Model & Accuracy & F1 \\
\midrule
CNN & 0.83 & 0.81 \\
Wide CNN (ours) & \textbf{92.1\%} & $0.88 \pm 0.02$ \\[2pt] \hline
\bottomrule
\end{tabular}
accuracy: 0.5
"""
    assert read(table) == [
        ("CNN Accuracy", 0.83),
        ("CNN F1", 0.81),
        ("Wide CNN (ours) Accuracy", 92.1),
        ("Wide CNN (ours) F1", 0.88),
        ("Wide CNN (ours) F1 std", 0.02),
        ("accuracy", 0.5),
    ]


def test_a_percentage_in_a_row_is_no_bar_of_progress() -> None:
    table = "| Model | Accuracy | F1 |\n|---|---|---|\n| RF | 83.1% | 0.90 |\n| XGB |84%|0.91|\n"
    assert read(table) == [("RF Accuracy", 83.1), ("RF F1", 0.9), ("XGB Accuracy", 84.0), ("XGB F1", 0.91)]


@pytest.mark.parametrize("line", ["Area under the curve: 0.912", "area under the ROC curve = 0.912"])
def test_the_area_under_the_curve_is_the_auc(line: str) -> None:
    assert read(line) == [("AUC", 0.912)]


def test_keys_of_yaml_tell_whose_values_stand_below_them() -> None:
    printed = """\
accuracy: 0.80
models:
  rf:
    accuracy: 0.83
    test:
      f1: 0.71
  xgb:
    accuracy: 0.85
    test:
      f1: 0.74
error: 0.2
"""
    assert [(point.part, point.name, point.split, point.value) for point in parse_metrics(printed)] == [
        ("", "accuracy", None, 0.8),
        ("models rf", "accuracy", None, 0.83),
        ("models rf", "f1", "test", 0.71),
        ("models xgb", "accuracy", None, 0.85),
        ("models xgb", "f1", "test", 0.74),
        ("", "error", None, 0.2),
    ]


def test_the_rank_of_an_adapter_is_no_correlation() -> None:
    assert read("wrapping with LoRA r=16\nlora_r: 16\nPearson r=0.83") == [("Pearson r", 0.83)]
