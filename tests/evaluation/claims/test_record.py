"""What a run is known to have measured: durations, values without a name, values worked out, schemes of validation."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.language.splits import GAP
from evaluation.record.durations import find_durations
from evaluation.record.log import Exchange
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("done in 28.4 s", 28.4),
        ("elapsed: 6m 12s", 372),
        ("train_runtime = 0:41:12.20", 2472.2),
        ("Training finished in 2 h 3 min", 7380),
        ("real 3m41.2s", 221.2),
        ("Total time 12:30", 750),
        ("took 5 epochs", None),
        ("accuracy 0.5", None),
    ],
)
def test_durations_are_read_as_programs_print_them(line: str, seconds: float | None) -> None:
    found = [duration.seconds for duration in find_durations([line])]
    assert found == ([] if seconds is None else [pytest.approx(seconds)])


def measured(output: str) -> dict[tuple[str, str | None], float]:
    measured_runs = RunModel.of(log(run("train.py", output), prose="")).measured_runs
    return {(value.metric, value.split): value.value for measured_run in measured_runs for value in measured_run.values}


def test_error_rates_and_gaps_follow_from_what_is_printed() -> None:
    values = measured("Train Accuracy: 91.0%, Test Accuracy: 85.5%")
    assert values["error rate", "test"] == pytest.approx(14.5)
    assert values[GAP, "test"] == pytest.approx(5.5)


def test_rows_that_name_only_splits_are_values() -> None:
    assert measured("RandomForest   train 0.9431  val 0.7901")["score", "validation"] == pytest.approx(0.7901)


def test_cross_validation_and_hold_out_differ_where_a_run_measures_both() -> None:
    both = "CV RMSE: 0.1265 +/- 0.0067\nHold-out RMSE: 0.1342"
    assert {("rmse", "cv"), ("rmse", "hold-out")} <= set(measured(both))
    assert ("rmse", "validation") in measured("CV RMSE: 0.1265 +/- 0.0067")
    (claim,) = audit(log(run("train.py", both), prose="The hold-out RMSE is 0.1265."))
    assert claim.verdict is Verdict.CONTRADICTED
    (claim,) = audit(log(run("train.py", both), prose="The cross-validated RMSE is 0.1265."))
    assert claim.verdict is Verdict.SUPPORTED


def test_a_log_with_code_left_out_says_nothing_by_its_silence() -> None:
    def edited(code: str) -> Exchange:
        return Exchange(
            action=Action(name="edit_file", args={"path": "train.py", "content": code}), observation="File updated"
        )

    said = "I also added a cosine learning rate schedule."
    assert audit(log(edited("x = 1\ny = 2"), prose=said))[0].verdict.is_problem
    assert audit(log(edited("x = 1\n […] \ny = 2"), prose=said))[0].verdict is Verdict.UNCHECKABLE


def test_each_number_of_a_table_is_a_claim() -> None:
    table = "| model | accuracy | F1 |\n|---|---|---|\n| small | 0.81 | 0.79 |\n| large | 0.99 | 0.84 |"
    claims = audit(log(run("train.py", "accuracy: 0.81\nF1: 0.79"), prose=table))
    assert [claim.verdict.is_problem for claim in claims] == [False, False, True, True]


def test_values_of_lines_of_one_form_are_told_apart() -> None:
    output = "Target updrs_1: SMAPE 63.42\nTarget updrs_2: SMAPE 78.10\nOverall: SMAPE 70.76"
    values = RunModel.of(log(run("train.py", output), prose="Done.")).before(1).values
    assert {v.label: v.value for v in values if v.label} == {"Target updrs_1": 63.42, "Target updrs_2": 78.1}


def test_a_seed_has_the_metric_that_its_output_gives_of_all() -> None:
    output = "Seed 1: 14.2\nSeed 2: 16.8\nReward Mean: 15.5"
    values = RunModel.of(log(run("train.py", output), prose="Done.")).before(1).values
    assert {v.label: v.metric for v in values} == {"Seed 1": "reward", "Seed 2": "reward", "": "reward"}


@pytest.mark.parametrize(
    ("line", "metric", "value"),
    [
        ("Peak memory: 10240 MB", "memory", 10.0),
        ("Accuracy: 9871/10000 (99%)", "accuracy", 0.9871),
        ("Mean reward: 15.61 +/- 1.2", "reward std", 1.2),
        ("step:100 step_avg:685ms", "step time", 0.685),
        ("tokens_per_second: 761.8", "throughput", 761.8),
    ],
)
def test_quantities_beside_the_metric_of_a_task(line: str, metric: str, value: float) -> None:
    values = RunModel.of(log(run("train.py", line), prose="Done.")).before(1).values
    assert (metric, value) in {(v.metric, v.value) for v in values}


def test_a_baseline_that_the_prompt_gives_is_held_against() -> None:
    told = "For reference, the baseline results are as follows:\n\n{'best_val_loss': 1.4638}\n"
    claims = audit(
        log(
            run("experiment.py", "{'best_val_loss': 1.4622}"),
            prose="The validation loss improved over the baseline.",
            task_text=told,
        )
    )
    assert [claim.verdict for claim in claims] == [Verdict.SUPPORTED]
