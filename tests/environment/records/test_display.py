from __future__ import annotations

import pytest

from environment.records import EndedBy, KilledBy, RunStatus
from environment.records.display import (
    count,
    counted,
    duration,
    ended_line,
    joined,
    latest_metrics,
    money,
    number,
    percent,
    script_ending,
)
from tests.environment.journal.test_runs import result
from tests.evaluation.process.trajectories import trajectory


@pytest.mark.parametrize(
    ("value", "plain", "signed"),
    [
        (None, "–", "–"),
        (0.375, "37.5 %", "+37.5 %"),
        (0.5, "50 %", "+50 %"),
        (-0.0312, "−3.1 %", "−3.1 %"),
        (14.33, "1,433 %", "+1,433 %"),
        (0.0, "0 %", "0 %"),
        (-0.0, "0 %", "0 %"),
        (-0.0003, "0.0 %", "0.0 %"),
        (0.0004, "0.0 %", "0.0 %"),
        (float("nan"), "nan %", "nan %"),
        (float("inf"), "inf %", "+inf %"),
        (1e15, "1.000e+17 %", "+1.000e+17 %"),
    ],
)
def test_percent(value: float | None, plain: str, signed: str) -> None:
    assert percent(value) == plain
    assert percent(value, signed=True) == signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.123456, "0.1235"),
        (1234.6, "1,235"),
        (-24_000.4, "−24,000"),
        (2.5e7, "2.500e+07"),
        (-1.5e-6, "−1.5e-06"),
        (0.0, "0"),
        (-0.0, "0"),
    ],
)
def test_number(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0, "0 s"),
        (3.14, "3.1 s"),
        (38.4, "38 s"),
        (720, "12 min"),
        (7_199, "2 h"),
        (12_000, "3 h 20 min"),
    ],
)
def test_duration(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_money_and_counts() -> None:
    assert [money(value) for value in (None, 0.0, 0.0042, 1.5)] == ["–", "$0.00", "$0.0042", "$1.50"]
    assert [count(value) for value in (950, 1.25, 48_000, 12_345, 4_500_000)] == ["950", "1.2", "48k", "12.3k", "4.5M"]
    assert [counted(1, "step"), counted(9_000, "token")] == ["1 step", "9,000 tokens"]


def test_metrics_of_a_training_run_are_compared_as_fractions() -> None:
    run = trajectory("run:83.2")[0].effect.training_run
    assert run is not None
    percentage = run.metrics[0].model_copy(update={"unit": "percent"})
    loss = percentage.model_copy(update={"name": "loss", "value": 0.4, "unit": "none"})
    run = run.model_copy(update={"metrics": (percentage, loss)})
    assert latest_metrics(run) == "validation accuracy 0.832  validation loss 0.4"
    assert latest_metrics(run, between=", ") == "validation accuracy 0.832, validation loss 0.4"
    assert latest_metrics(run, most=1) == "validation loss 0.4"


def test_a_whole_percent_has_no_digit_behind_the_point_however_it_is_stored() -> None:
    assert percent(0.28) == "28 %"
    assert percent(0.29) == "29 %"


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_joined(words: list[str], said: str) -> None:
    assert joined(words) == said


@pytest.mark.parametrize("killed_by", [None, *KilledBy])
def test_how_a_script_ended_is_told_in_words(killed_by: KilledBy | None) -> None:
    run = trajectory("run:83.2")[0].effect.training_run
    assert run is not None
    ending = script_ending(run.model_copy(update={"exit_code": 3, "killed_by": killed_by}))
    assert "_" not in ending.replace("memory_mib", "")
    assert ending.startswith("stopped: " if killed_by else "exit code 3")
    assert ("--max-disk" in ending) is (killed_by is KilledBy.WORKSPACE)


def test_what_ended_a_run_is_told_with_what_helps() -> None:
    ended = result("run", RunStatus.COMPLETED).model_copy(update={"ended_by": EndedBy.MONEY, "cost": 0.4})
    assert ended_line(ended) == "money"
    assert "no known price" in ended_line(ended.model_copy(update={"cost": None}))
    assert ended_line(ended.model_copy(update={"ended_by": None})) == ""
    assert ended_line(ended.model_copy(update={"ended_by": EndedBy.FINAL_ANSWER})) == "final answer"
