"""What frameworks for training and serving of 2026 print, where they differ from plain lines."""

from __future__ import annotations

from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import found


def test_losses_by_two_letters() -> None:
    assert found("ep   tl      vl      acc\n1    0.9123  0.8123  0.701\n") == [
        "train loss=0.9123 epoch 1",
        "validation loss=0.8123 epoch 1",
        "acc=0.701 epoch 1",
    ]
    for line in ("epoch 1 | tl 0.912 | vl 0.812", "ep 1 tl 0.912 vl 0.812"):
        assert found(line) == ["train loss=0.912 epoch 1", "validation loss=0.812 epoch 1"]
    models = "| Metric | InternVL | Qwen2-VL |\n|---|---|---|\n| accuracy | 0.71 | 0.74 |\n"
    assert found(models) == ["InternVL accuracy=0.71", "Qwen2-VL accuracy=0.74"]


def test_a_time_taken_and_a_time_of_day() -> None:
    assert found("Time: 0:02:13") == ["Time=133 seconds"]
    assert found("Time:      10:02:13   Log-Likelihood:   -34.4") == ["Log-Likelihood=-34.4"]
    assert found("Total training time: 178.1m") == ["train Total time=10686 seconds"]


def test_coefficients_of_fitted_models_are_no_metrics() -> None:
    rows = "const          5.2058      0.171\nerror_lag      0.4836      0.104\n"
    assert found(f"            coef    std err\n-------------------\n{rows}===================\nmae: 0.25") == [
        "mae=0.25"
    ]
    assert found(f"            Estimate Std. Error t value Pr(>|t|)\n{rows}---\nmae: 0.25") == ["mae=0.25"]


def test_names_in_groups() -> None:
    line = (
        "step:2 - val-core/gsm8k/reward/mean@1:0.633 - actor/entropy:0.431 - perf/mfu/actor:0.315"
        " - response_length/mean:220.5 - critic/score/mean:0.451"
    )
    assert found(line) == [
        "validation core/gsm8k/reward/mean@1=0.633",
        "actor/entropy=0.431",
        "critic/score/mean=0.451",
    ]
    line = "Epoch(val) [1][625/625]    coco/bbox_mAP: 0.3010  coco/bbox_mAP_50: 0.5010"
    assert found(line) == ["validation coco/bbox_mAP=0.301 epoch 1", "validation coco/bbox_mAP_50=0.501 epoch 1"]


def test_sizes_of_machines_are_no_metrics() -> None:
    assert found("Num GPUs = 1. CUDA Toolkit: 12.9. Triton: 3.5.0") == []
    line = "Step 10 | loss:1.2121 tokens_per_second_per_gpu:2121.2 peak_memory_active:12.1 peak_memory_alloc:12.1"
    assert found(line) == ["loss=1.2121"]


def test_names_are_whole() -> None:
    assert found("Training set accuracy 0.8712") == ["train accuracy=0.8712"]
    assert found("train_step_timing in s: 0.412") == ["train step_timing=0.412 seconds"]
    assert found("{'MSE': 12.1, 'Coverage[0.5]': 0.51}") == ["MSE=12.1", "Coverage[0.5]=0.51"]
    assert found("kimg 1000.0 sec/kimg 12.1 loss 0.41") == ["loss=0.41"]
    assert found(" Average Recall     (AR) @[ IoU=0.50:0.95 | maxDets=  1 ] = 0.271") == [
        "Average Recall (AR) @[ IoU=0.50:0.95 | maxDets=  1 ]=0.271"
    ]
    assert found("END C=1; accuracy: (train=0.912, test=0.801) f1: (train=0.911, test=0.799)") == [
        "train accuracy=0.912",
        "test accuracy=0.801",
        "train f1=0.911",
        "test f1=0.799",
    ]


def test_files_with_their_scores_are_no_metrics() -> None:
    assert found(" ('./output/train/checkpoint-0.pth.tar', 1.312)") == []


def test_metrics_in_rows_and_models_in_columns() -> None:
    text = "      unique_id   metric  AutoARIMA  SeasonalNaive\n0     H1          mae     12.1       14.2\n"
    assert found(text) == ["H1 AutoARIMA mae=12.1", "H1 SeasonalNaive mae=14.2"]
    text = "dataset  version  metric    mode  qwen3\n-------  -------\ngsm8k    a701cf   accuracy  gen   81.21\n"
    assert found(text) == ["gsm8k a701cf qwen3 accuracy=81.21"]


def test_units_in_the_heads_of_columns() -> None:
    text = "| Model | Top-1 (%) | Latency (ms) |\n|---|---|---|\n| ViT-B | 81.1 | 5.4 |\n"
    assert found(text) == ["ViT-B Top-1 (%)=81.1 percent", "ViT-B Latency (ms)=0.0054 seconds"]


def test_names_and_values_apart() -> None:
    assert found('{"key": "eval_accuracy", "value": 0.759, "epoch_num": 3}') == ["validation accuracy=0.759"]


def test_rounds_with_their_values() -> None:
    assert found("INFO : {'accuracy': [(1, 0.71), (2, 0.78)]}") == ["accuracy=0.71", "accuracy=0.78"]


def test_the_iteration_of_aligned_counters_and_validation_by_its_verb() -> None:
    assert found("validate step: 10  loss:  7.0212") == ["validation loss=7.0212"]


def test_folds_in_columns() -> None:
    text = (
        "                  Fold 1  Fold 2  Mean    Std     \n"
        "RMSE (testset)    0.9311  0.9370  0.9342  0.0032  \n"
        "Fit time          6.53    7.11    6.40    1.23    \n"
    )
    assert found(text) == [
        "test Fold 1 RMSE=0.9311",
        "test Fold 2 RMSE=0.937",
        "test RMSE Mean=0.9342",
        "test RMSE Std=0.0032",
        "Fold 1 Fit time=6.53",
        "Fold 2 Fit time=7.11",
        "Fit time Mean=6.4",
        "Fit time Std=1.23",
    ]


def test_how_many_values_a_summary_is_of_is_no_metric() -> None:
    text = "         accuracy        loss\ncount   10.000000   10.000000\nmean     0.812100    0.412100\n"
    assert found(text) == ["mean accuracy=0.8121", "mean loss=0.4121"]


def test_counters_that_only_look_like_epochs_and_one_that_does_not() -> None:
    assert found("Epoch #1: [loss=0.121, n/ep=3, rew=41.21]") == ["loss=0.121 epoch 1", "rew=41.21 epoch 1"]
    assert found("INFO: 5epoch:train:101-200batch: acc=0.812, optim0_lr0=1.0e-04") == ["train acc=0.812 epoch 5"]
    assert found("[Train][Epoch 2/10]lr(LinearWarmup): 0.001, top1: 0.512") == ["train top1=0.512 epoch 2"]


def test_ranks_are_told_apart() -> None:
    text = (
        "[rank0]:step 10 loss 3.21\n[rank1]:step 10 loss 3.25\n[rank0]:step 20 loss 3.11\n[rank1]:step 20 loss 3.15\n"
    )
    assert [point.part for point in parse_metrics(text)] == ["rank0", "rank1", "rank0", "rank1"]


def test_rates_that_are_measured_and_rates_that_are_set() -> None:
    assert found("success_rate=0.91 | win rate: 0.4 | learning_rate=0.01 | dropout_rate: 0.5 | mutation rate: 0.2") == [
        "success_rate=0.91",
        "win rate=0.4",
    ]


def test_arrays_over_several_lines() -> None:
    text = (
        "CV scores: [0.81212121 0.79121212 0.83121212\n 0.80121212 0.82121212]\nMean CV score: 0.8116\n"
        "val losses: [0.5 0.4\nEpoch 2: val loss 0.3\n"
    )
    points = parse_metrics(text)
    assert [(point.value, point.line) for point in points] == [
        (0.81212121, 1),
        (0.79121212, 1),
        (0.83121212, 1),
        (0.80121212, 1),
        (0.82121212, 1),
        (0.8116, 3),
        (0.3, 5),
    ]
    assert {point.split for point in points} == {"validation"}
    assert all(point.text == text.split("\n")[(point.line or 0) - 1] for point in points)
