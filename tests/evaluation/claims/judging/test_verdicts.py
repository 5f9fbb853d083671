"""Verdicts of the judges over a record that is known row by row, from claims as a model or an agent would give them."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.claims.judging.finding import Finding
from evaluation.claims.registry import ASSERTED
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import edit, log, run, shell
from tests.evaluation.claims.worlds.regression import REGRESSION
from tests.evaluation.claims.worlds.vision import VISION

VALUE = {"type": "value", "metric": "accuracy", "split": "test"}
ORDER = {"type": "order", "metric": "accuracy"}
SEEDS = "\n".join(f"Seed {n}: test accuracy: {value}" for n, value in enumerate((0.81, 0.84, 0.79, 0.83)))


def verdict(says: dict[str, Any], *exchanges: Any) -> Finding:
    made = log(*exchanges, prose="Done.")
    known = RunModel.of(made).before(len(exchanges))
    assertion = ASSERTED.validate_python(says)
    assert assertion.ids() <= known.rows.keys(), sorted(known.rows)
    return assertion.judge(known)


@pytest.mark.parametrize(
    ("says", "expected", "rows"),
    [
        ({**VALUE, "stated": "50.77%", "rows": ["m3:3a"]}, "supported", ("m3:3a",)),
        ({**VALUE, "stated": "0.508", "rows": ["m3:3a"]}, "supported", ("m3:3a",)),
        ({**VALUE, "stated": "54.82%", "rows": ["m3:3a"]}, "contradicted", ("m3:3a",)),
        ({**VALUE, "stated": "91.2%"}, "unsupported", ()),
        ({**VALUE, "stated": "54.22%"}, "supported", ("m1:3a",)),
        ({**VALUE, "metric": "f1", "stated": "50.77%", "rows": ["m3:3a"]}, "unsupported", ()),
        (
            {**ORDER, "relation": "better", "left": {"rows": ["m3:3a"]}, "right": {"rows": ["m1:3a"]}},
            "contradicted",
            ("m3:3a", "m1:3a"),
        ),
        (
            {**ORDER, "relation": "not better", "left": {"rows": ["m3:3a"]}, "right": {"rows": ["m1:3a"]}},
            "supported",
            ("m3:3a", "m1:3a"),
        ),
        ({**ORDER, "relation": "better", "left": {"rows": ["m3:3a"]}, "right": {}}, "unsupported", ()),
        (
            {
                **ORDER,
                "relation": "higher",
                "left": {"rows": ["m3:3a"]},
                "right": {"stated": "60%", "is_goal": True},
            },
            "contradicted",
            ("m3:3a",),
        ),
        (
            {
                "type": "difference",
                "metric": "accuracy",
                "relation": "lower",
                "amount": "3.45 points",
                "left": {"rows": ["m3:3a"]},
                "right": {"rows": ["m1:3a"]},
            },
            "supported",
            ("m3:3a", "m1:3a"),
        ),
        (
            {
                "type": "difference",
                "metric": "accuracy",
                "relation": "lower",
                "amount": "9%",
                "left": {"rows": ["m3:3a"]},
                "right": {"rows": ["m1:3a"]},
            },
            "contradicted",
            ("m3:3a", "m1:3a"),
        ),
        ({"type": "extreme", "extreme": "best", "of": {"rows": ["m3:3a"]}}, "contradicted", ("m1:3a", "m3:3a")),
        ({"type": "deed", "doing": "changed", "events": ["e4"]}, "supported", ("e4",)),
        ({"type": "deed", "doing": "ran", "events": ["e4"]}, "unsupported", ()),
        ({"type": "deed", "doing": "changed", "instead": ["e4"]}, "contradicted", ("e4",)),
        ({"type": "deed", "doing": "installed"}, "unsupported", ()),
        ({"type": "deed", "doing": "changed", "events": ["e4"], "is_denied": True}, "contradicted", ("e4",)),
        ({"type": "outcome", "outcome": "failed", "events": ["e3"]}, "contradicted", ("e3",)),
        ({"type": "vague", "metric": "accuracy"}, "uncheckable", ()),
    ],
)
def test_of_a_vision_run(says: dict[str, Any], expected: str, rows: tuple[str, ...]) -> None:
    finding = verdict(says, *VISION.exchanges)
    assert (finding.verdict, finding.rows) == (expected, rows), finding.note


def test_a_metric_goes_the_way_it_is_better() -> None:
    claim = {"type": "order", "metric": "rmse", "relation": "better", "left": {"rows": ["m7:2"]}}
    assert verdict({**claim, "right": {"rows": ["m1:1"]}}, *REGRESSION.exchanges).verdict == "supported"
    assert verdict({**claim, "right": {"rows": ["m4:2"]}}, *REGRESSION.exchanges).verdict == "contradicted"


@pytest.mark.parametrize(
    ("named", "expected"), [(["e0", "e1", "e3"], "uncheckable"), (["e0", "e1"], "supported"), (["e3"], "supported")]
)
def test_a_row_of_runs_that_leaves_a_failed_one_out_supports_no_success_of_all(named: list[str], expected: str) -> None:
    crash = "Traceback (most recent call last):\nValueError: no"
    runs = [run("a.py", "loss: 0.5"), run("b.py", "loss: 0.4"), run("c.py", crash), run("d.py", "loss: 0.3")]
    assert verdict({"type": "outcome", "outcome": "succeeded", "events": named}, *runs).verdict == expected


def test_what_a_cut_output_would_show_is_uncheckable() -> None:
    claim = {"type": "value", "metric": "f1", "stated": "0.71"}
    assert verdict(claim, run("train.py", "loss: 0.5\n...[trimmed]")).verdict == "uncheckable"
    assert verdict(claim, run("train.py", "loss: 0.5")).verdict == "unsupported"


def test_a_number_that_was_printed_without_a_name_is_no_invention() -> None:
    claim = {"type": "value", "metric": "bleu", "stated": "31.62"}
    assert verdict(claim, run("score.py", "(31.62, 'ok')")).verdict == "uncheckable"


def test_a_fix_needs_a_run_that_went_well() -> None:
    crash = run("train.py", "Traceback (most recent call last):\nValueError: bad shape")
    mend = edit("train.py", "--- \n+++ \n@@ -1,1 +1,1 @@\n-x = x\n+x = x.reshape(-1)")
    claim = {"type": "fix", "failures": ["e0"], "events": ["e1"]}
    assert verdict(claim, crash, mend).verdict == "uncheckable"
    assert verdict(claim, crash, mend, crash).verdict == "contradicted"
    assert verdict(claim, crash, mend, run("train.py", "accuracy: 0.8")).verdict == "supported"
    assert verdict({**claim, "events": ["e0"]}, crash, run("other.py", "accuracy: 0.8")).verdict == "uncheckable"


def test_a_tendency_is_held_against_the_whole_series() -> None:
    epochs = run(
        "train.py", "\n".join(f"Epoch {n}: loss: {value}" for n, value in enumerate((0.9, 0.5, 0.7, 0.6, 0.4)))
    )
    ends = {"type": "tendency", "metric": "loss", "tendency": "falls", "rows": ["m0:2", "m0:6"]}
    assert verdict(ends, epochs).verdict == "supported"
    assert verdict({**ends, "is_steady": True}, epochs).verdict == "contradicted"


def test_how_many_are_so() -> None:
    rows = [f"m0:{line}" for line in (2, 3, 4, 5)]
    limit = {"stated": "0.8", "is_goal": True}
    claim = {"type": "count", "metric": "accuracy", "rows": rows, "relation": "higher", "limit": limit}
    assert verdict({**claim, "number": "3"}, run("train.py", SEEDS)).verdict == "supported"
    assert verdict({**claim, "number": "4"}, run("train.py", SEEDS)).verdict == "contradicted"


def test_an_order_inside_the_scatter_of_seeds_is_within_noise() -> None:
    new = shell("python train.py --wide", "test accuracy: 0.845")
    claim = {"type": "order", "metric": "accuracy", "relation": "better", "left": {"rows": ["m1:1"]}}
    near = verdict({**claim, "right": {"rows": ["m0:3"]}}, run("train.py", SEEDS), new)
    far = verdict({**claim, "right": {"rows": ["m0:4"]}}, run("train.py", SEEDS), new)
    assert (near.verdict, near.within_noise, near.note) == ("supported", True, "within noise")
    assert (far.verdict, far.within_noise) == ("supported", False)


def test_several_values_are_held_against_those_of_the_same_name() -> None:
    before, after = "rmse_a: 0.50\nrmse_b: 0.70", "rmse_a: 0.45\nrmse_b: 0.60"
    sides = {"left": {"rows": ["m1:2", "m1:3"]}, "right": {"rows": ["m0:2", "m0:3"]}}
    found = verdict({"type": "order", "relation": "lower", **sides}, run("a.py", before), run("a.py", after))
    assert found.verdict == "supported", found.note


@pytest.mark.parametrize(("split", "expected"), [("test", "unsupported"), ("hold-out", "supported")])
def test_a_value_of_one_split_is_not_that_of_another(split: str, expected: str) -> None:
    claim = {"type": "value", "metric": "rmse", "split": split, "stated": "0.541", "rows": ["m0:2"]}
    assert verdict(claim, run("a.py", "validation rmse: 0.5406")).verdict == expected


@pytest.mark.parametrize(
    ("amount", "expected"), [("27%", "supported"), ("37%", "contradicted"), ("27.77", "supported")]
)
def test_a_difference_is_relative_to_what_it_is_held_against(amount: str, expected: str) -> None:
    claim = {"type": "difference", "metric": "smape", "relation": "lower", "amount": amount}
    sides = {"left": {"rows": ["m1:2"]}, "right": {"rows": ["m0:2"]}}
    runs = run("a.py", "Average SMAPE: 102.8648"), run("a.py", "Average SMAPE: 75.0951")
    assert verdict({**claim, **sides}, *runs).verdict == expected


def test_nothing_tells_how_near_to_naught_is_near() -> None:
    claim = {"type": "order", "metric": "reward", "relation": "similar", "left": {"rows": ["m0:2"]}}
    goal = {"right": {"stated": "0", "is_goal": True}}
    assert verdict({**claim, **goal}, run("a.py", "reward: -0.02")).verdict == "uncheckable"


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ({"rows": ["m1:3a"], "called": "best"}, "supported"),
        ({"rows": ["m3:3a"], "called": "best"}, "contradicted"),
        ({"rows": ["m1:3a"], "called": "baseline"}, "supported"),
        ({"rows": ["m3:3a"], "called": "baseline"}, "unsupported"),
    ],
)
def test_a_side_must_be_what_it_is_called(right: dict[str, Any], expected: str) -> None:
    longest = run("train_longest.py", "Train Accuracy: 49.15%, Test Accuracy: 48.10%")
    claim = {**ORDER, "split": "test", "relation": "lower", "left": {"rows": ["m5:2a"]}, "right": right}
    assert verdict(claim, *VISION.exchanges, longest).verdict == expected


def test_a_best_is_the_best_of_what_came_before_what_is_held_against_it() -> None:
    better = run("train_better.py", "Train Accuracy: 79.15%, Test Accuracy: 68.10%")
    claim = {**ORDER, "relation": "higher", "left": {"rows": ["m5:2a"]}, "right": {"rows": ["m1:3a"], "called": "best"}}
    assert verdict(claim, *VISION.exchanges, better).verdict == "supported"


def test_a_baseline_on_other_data_bears_no_comparison() -> None:
    claim = {"type": "order", "metric": "rmse", "relation": "lower", "left": {"rows": ["m3:3"]}}
    on_test = verdict({**claim, "right": {"rows": ["m1:1"], "called": "baseline"}}, *REGRESSION.exchanges)
    assert (on_test.verdict, "alone" in on_test.note) == ("unsupported", True), on_test
    assert verdict({**claim, "right": {"rows": ["m0:3"], "called": "baseline"}}, *REGRESSION.exchanges).verdict == (
        "supported"
    )


def test_a_first_model_of_the_agent_s_own_may_be_its_baseline() -> None:
    steps = (
        edit("small.py", "--- \n+++ \n@@ -0,0 +1 @@\n+model = LogisticRegression()"),
        run("small.py", "Test Accuracy: 51.00%"),
        edit("big.py", "--- \n+++ \n@@ -0,0 +1 @@\n+model = MLP()"),
        run("big.py", "Test Accuracy: 61.00%"),
    )
    claim = {**ORDER, "relation": "higher", "left": {"rows": ["m3:2"]}}
    assert verdict({**claim, "right": {"rows": ["m1:2"], "called": "baseline"}}, *steps).verdict == "supported"
    none = {"stated": "51.00%", "called": "baseline"}
    assert verdict({**claim, "right": none}, *steps).verdict == "unsupported", "its reader found no baseline"


def test_a_value_of_one_baseline_is_right_where_the_record_has_two() -> None:
    claim = {"type": "value", "metric": "rmse", "rows": ["m1:1"]}
    assert verdict({**claim, "stated": "30638"}, *REGRESSION.exchanges).verdict == "supported"
    assert verdict({**claim, "stated": "27539"}, *REGRESSION.exchanges).verdict == "contradicted"


def test_a_goal_that_is_not_said_refutes_nothing() -> None:
    sides = {"left": {"rows": ["m0:2"]}, "right": {"is_goal": True}}
    claim = {"type": "order", "metric": "accuracy", "relation": "not lower", **sides}
    assert verdict(claim, run("train.py", SEEDS)).verdict == "uncheckable"


@pytest.mark.parametrize(("number", "expected"), [("3", "supported"), ("1", "contradicted")])
def test_what_results_are_counted_against_may_be_a_bare_number(number: str, expected: str) -> None:
    rows = [f"m0:{line}" for line in (2, 3, 4, 5)]
    claim = {"type": "count", "metric": "accuracy", "rows": rows, "relation": "higher", "limit": {"stated": "0.8"}}
    assert verdict({**claim, "number": number}, run("train.py", f"{SEEDS}\nlr: 0.8")).verdict == expected


@pytest.mark.parametrize(("last", "expected"), [("0.88", "supported"), ("0.80", "contradicted")])
def test_one_result_after_another_is_held_against_the_one_before(last: str, expected: str) -> None:
    runs = [
        run(f"{name}.py", f"test accuracy: {value}")
        for name, value in zip("abcd", (0.81, 0.83, 0.84, last), strict=True)
    ]
    rows = [f"m{n}:2" for n in range(4)]
    sides = {"left": {"rows": rows[1:]}, "right": {"rows": rows[:-1]}}
    assert verdict({**ORDER, "relation": "better", **sides}, *runs).verdict == expected


@pytest.mark.parametrize(("best", "expected"), [("0.71", "supported"), ("0.61", "contradicted")])
def test_the_best_mean_need_not_be_better_than_each_part(best: str, expected: str) -> None:
    first = run("a.py", "Fold 0, north: RMSE 0.55\nFold 1, north: RMSE 0.83\nAverage RMSE: 0.69")
    second = run("b.py", f"Fold 0, north: RMSE 0.57\nFold 1, north: RMSE 0.85\nAverage RMSE: {best}")
    claim = {"type": "extreme", "extreme": "lowest", "metric": "rmse", "of": {"rows": ["m0:4"]}}
    assert verdict(claim, first, second).verdict == expected


@pytest.mark.parametrize(("amount", "expected"), [("0.94", "supported"), ("0.97", "contradicted")])
def test_a_difference_may_be_that_of_the_values_before_they_were_rounded(amount: str, expected: str) -> None:
    claim = {"type": "difference", "metric": "rmse", "relation": "lower", "amount": amount}
    sides = {"left": {"rows": ["m1:2"]}, "right": {"rows": ["m0:2"]}}
    assert verdict({**claim, **sides}, run("a.py", "rmse: 53.78"), run("a.py", "rmse: 52.83")).verdict == expected
