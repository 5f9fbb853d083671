"""The score and the baseline that a log itself holds; none where it does not."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.importers.compared import compared
from evaluation.importers.figures import figures_of
from evaluation.record.log import Exchange, LogStep, RunLog
from tests.evaluation.importers.logs import VALIDATED

EPOCHS = (
    "Epoch [1/2], Train Accuracy: 41.00%, Test Accuracy: 40.00%\nEpoch [2/2], Train Accuracy: {}%, Test Accuracy: {}%"
)
STARTER = ("Execute Script", {"script_name": "train.py"}, EPOCHS.format("51.00", "50.00"))
EDIT = (
    "Edit Script (AI)",
    {"script_name": "train.py", "edit_instruction": "Use Adam.", "save_name": "train_adam.py"},
    "The edited file is saved to train_adam.py. Here is the diff:\n\n--- \n+++ \n@@ -1 +1 @@\n-SGD()\n+Adam()\n",
)
ADAM = ("Execute Script", {"script_name": "train_adam.py"}, EPOCHS.format("71.00", "60.00"))
IN_PLACE = (EDIT[0], {**EDIT[1], "save_name": "train.py"}, EDIT[2].replace("train_adam.py", "train.py"))
CRASH = (
    "Execute Script",
    {"script_name": "train_adam.py"},
    "Test Accuracy: 99.00%\nTraceback (most recent call last):\nE",
)


def log(*actions: tuple[str, dict[str, str], str], task: str = "cifar10") -> RunLog:
    exchanges = (Exchange(action=Action(name=name, args=dict(args)), observation=seen) for name, args, seen in actions)
    return RunLog(source="a", task=task, steps=tuple(LogStep(exchanges=(exchange,)) for exchange in exchanges))


def command(line: str, seen: str) -> tuple[str, dict[str, str], str]:
    return (line.split()[0], {"command": line}, seen)


def test_the_first_run_of_the_unchanged_starter_and_the_last_run_that_measured_the_same() -> None:
    found = figures_of(log(STARTER, EDIT, ADAM, CRASH), "accuracy")
    assert (found.score, found.baseline, found.self_measured) == (0.6, 0.5, True)
    assert found.score_from == "the agent's last run that measured it, train_adam.py at step 2: Accuracy"
    assert found.baseline_from == "the first run of the unchanged starter, train.py at step 0: Accuracy"
    score = compared(log(STARTER, EDIT, ADAM, CRASH))
    assert score.report.improvement == pytest.approx(0.2)
    assert score.report.success
    assert (score.report.reference, score.report.noise_threshold) == (None, None)


@pytest.mark.parametrize(
    "actions",
    [
        [IN_PLACE, STARTER, EDIT, ADAM],
        [EDIT, ADAM],
        [command("python train.py --lr 0.1", STARTER[2]), EDIT, ADAM],
        [command("sed -i s/SGD/Adam/ train.py && python train.py", STARTER[2]), EDIT, ADAM],
        [command("python my_train.py", STARTER[2]), EDIT, ADAM],
        [("Execute Script", {"script_name": "train.py"}, "Train Accuracy: 51.00%"), EDIT, ADAM],
        [("Execute Script", {"script_name": "train.py"}, "Fold 1 Accuracy: 51%\nFold 2 Accuracy: 54%"), EDIT, ADAM],
    ],
    ids=["edited before", "never run", "with options", "edited on the way", "own script", "train only", "folds"],
)
def test_without_a_run_of_the_unchanged_starter_there_is_no_figure(
    actions: list[tuple[str, dict[str, str], str]],
) -> None:
    found = figures_of(log(*actions), "accuracy")
    assert (found.score, found.baseline) == (None, None)


def test_a_script_s_value_of_another_metric_than_the_task_s_is_none() -> None:
    assert figures_of(log(STARTER, EDIT, ADAM), "perplexity").score is None


def test_what_the_harness_printed_counts_before_what_a_script_did() -> None:
    lines = [command("python baseline.py", STARTER[2]), command("validate", VALIDATED)]
    again = command("validate", VALIDATED.replace("0.5903", "0.61"))
    found = figures_of(log(*lines, again, command("submit", ""), task="imageClassificationCifar10"))
    assert (found.metric, found.score, found.baseline, found.self_measured) == ("accuracy", 0.61, 0.4959, False)
    assert found.score_from == "the harness's last grade, at step 2"


def test_a_script_that_prints_what_the_harness_prints_is_not_the_harness() -> None:
    found = figures_of(log(command("python cheat.py", VALIDATED), task="imageClassificationCifar10"))
    assert (found.score, found.baseline) == (None, None)


@pytest.mark.parametrize(
    ("ended", "origin"),
    [
        ("submitted", "the harness's grade"),
        ("submitted (exit_cost)", "the harness's grade"),
        ("max_steps", "the harness's last grade; it ended by max_steps"),
    ],
)
def test_a_grade_of_a_run_that_never_submitted_says_so(ended: str, origin: str) -> None:
    graded = log().model_copy(update={"score": 0.5, "metric": "accuracy", "attributes": {"exit_status": ended}})
    assert figures_of(graded).score_from == origin
