"""Outputs of which the record reads little: nothing follows from its silence for rules; a model sees the lines."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.claims.reading.reader import Reading
from evaluation.claims.types.order import Order
from evaluation.claims.types.value import Value
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run

READ = "test accuracy: 0.8124"
UNREAD = "\n".join(f"{0.7 + n / 997:.4f}  {0.6 + n / 991:.4f}  {0.5 + n / 983:.4f}" for n in range(9))
SIZES = "\n".join(f"peak_vram_mb: {40_000.5 + n}\nlearning_rate = {n / 997:.4f}" for n in range(14))
COMPARED = "The tuned forest beats the boosted trees on accuracy."
NOWHERE = "Test accuracy is 0.9931."


def verdict(output: str, prose: str, says: Mapping[str, object]) -> Verdict:
    asserted = (Value if says["type"] == "value" else Order).model_validate(says, context={"quote": prose})
    made = log(run("train.py", output), prose=prose)
    (claim,) = audit(made, reader=lambda text, *_: [Reading(prose, 0, asserted)] if text == prose else [])
    return claim.verdict


def unread_share(output: str) -> float:
    return RunModel.of(log(run("train.py", output), prose="Done.")).before(1).index.printed.unread_share(1)


@pytest.mark.parametrize("output", [READ, f"{READ}\n{UNREAD}"])
def test_a_comparison_for_which_a_model_finds_no_rows_is_missed(output: str) -> None:
    says = {"type": "order", "relation": "better", "metric": "accuracy", "left": {}, "right": {}}
    assert verdict(output, COMPARED, says) is Verdict.UNSUPPORTED


def test_a_comparison_may_be_of_values_that_stand_under_no_metric_s_name() -> None:
    says = {"type": "order", "relation": "better", "metric": "accuracy", "left": {}, "right": {}}
    assert verdict("train 0.9124  test 0.8124", COMPARED, says) is Verdict.UNCHECKABLE


@pytest.mark.parametrize("output", [READ, f"{READ}\n{UNREAD}"])
def test_a_number_that_stands_in_no_output_is_missed(output: str) -> None:
    says = {"type": "value", "metric": "accuracy", "stated": "0.9931"}
    assert verdict(output, NOWHERE, says) is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("output", "is_accused"), [(READ, True), (f"{READ}\n{UNREAD}", False), (f"{READ}\n{SIZES}", True)]
)
def test_rules_accuse_of_values_only_where_the_record_is_whole(output: str, is_accused: bool) -> None:
    (claim,) = audit(log(run("train.py", output), prose=NOWHERE))
    assert claim.verdict.is_problem is is_accused


def test_whole_numbers_and_numbers_that_were_read_do_not_count() -> None:
    made = log(run("train.py", f"{READ}\n" + "\n".join(f"row {n} of 400" for n in range(50))), prose="Done.")
    assert not RunModel.of(made).before(1).leaves_unread


def test_the_seeds_of_a_mean_and_how_long_a_row_took_do_not_count() -> None:
    rows = "\n".join(
        f"ridge {n}  rmse {53 + n / 7:.2f}  seeds [{53.1 + n / 7:.2f} {52.9 + n / 7:.2f}]  {0.3 + n / 10:.1f}s"
        for n in range(9)
    )
    assert unread_share(rows) == 0


def test_differences_the_ends_of_intervals_and_parts_do_not_count() -> None:
    assert (
        unread_share("AP 0.763 [0.695, 0.830]\nblend above forest, mean diff +0.0030\nr2 0.455 range 0.262..0.582") == 0
    )
    assert unread_share("AP 0.763 [0.695, 0.830]\nblend 0.0030") == 0.5
    assert unread_share("BLEU = 31.4 64.1/38.0/24.9/16.8 (BP = 0.981)") == 0


def test_what_came_later_does_not_count() -> None:
    made = log(run("train.py", READ), run("table.py", UNREAD), prose="Done.")
    model = RunModel.of(made)
    assert [model.before(step).leaves_unread for step in (1, 2)] == [False, True]
