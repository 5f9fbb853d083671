from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.claims.audit import audit
from evaluation.language.numbers import find_numbers
from evaluation.language.quantity import Unit
from tests.evaluation.claims.scenarios import log, run


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("85.3%", 85.3, Unit.PERCENT),
        ("85.3 percent", 85.3, Unit.PERCENT),
        ("3.5 percentage points", 3.5, Unit.POINTS),
        ("18,450", 18450.0, Unit.NONE),
        ("$1,234,567.50", 1234567.5, Unit.NONE),
        ("3e-4", 3e-4, Unit.NONE),
        ("1.2 x 10^-3", 1.2e-3, Unit.NONE),
        ("24.5k", 24500.0, Unit.NONE),
        ("-0.5", -0.5, Unit.NONE),
        (".87", 0.87, Unit.NONE),
        ("2400 seconds", 2400.0, Unit.SECONDS),
        ("5.64s", 5.64, Unit.SECONDS),
        ("45ms", 45.0, Unit.SECONDS),
        ("6 min 12 s", 372.0, Unit.SECONDS),
        ("1:12:30", 4350.0, Unit.SECONDS),
        ("2 hours and 5 minutes", 7500.0, Unit.SECONDS),
        ("25\\%", 25.0, Unit.PERCENT),
        ("11.2GiB", 11.2, Unit.NONE),
        ("ten", 10.0, Unit.NONE),
        ("twenty-five percent", 25.0, Unit.PERCENT),
        ("51,2 %", 51.2, Unit.PERCENT),
        ("51,20%", 51.2, Unit.PERCENT),
        ("1,5 s", 1.5, Unit.SECONDS),
        ("0,512", 0.512, Unit.NONE),
        ("-0,35", -0.35, Unit.NONE),
        ("53,4", 53.4, Unit.NONE),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, value: float, unit: Unit) -> None:
    (number,) = find_numbers(f"It is {text} now")
    assert number.value == pytest.approx(value)
    assert number.unit is unit


@pytest.mark.parametrize("text", ["r2", "train_v3", "ResNet50", "1.2.3", "conv2d", "f1"])
def test_digits_in_names_are_no_numbers(text: str) -> None:
    assert find_numbers(f"We use {text} here") == ()


@pytest.mark.parametrize("text", ["1,2", "0,1", "1,2,3", "0,25,50", "(64,32)", "widths 64,32", "1.234,56"])
def test_a_comma_that_may_part_two_numbers_tells_none(text: str) -> None:
    assert find_numbers(f"We use {text} here") == ()


def test_numbers_of_a_list_are_each_read() -> None:
    assert [number.value for number in find_numbers("1, 2 and 0.81,0.83")] == [1, 2, 0.83]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("51,2 %", "supported"), ("51,20 %", "supported"), ("0,512", "supported"), ("53,2 %", "contradicted")],
)
def test_a_decimal_comma_is_no_number_behind_it(said: str, verdict: str) -> None:
    shown = run("t.py", "test accuracy: 0.512")
    assert [claim.verdict.value for claim in audit(log(shown, prose=f"The test accuracy was {said}."))] == [verdict]


@pytest.mark.parametrize(
    ("stated", "recorded", "holds"),
    [
        ("85.3%", 0.853, True),
        ("85.3%", 0.8534, True),
        ("85.3%", 0.8536, True),  # cut off instead of rounded
        ("85.3%", 0.8541, False),
        ("0.28", 0.27936, True),
        ("0.2793", 0.27936, True),
        ("0.2792", 0.27936, False),
        ("0.841", 0.842, False),
        ("7", 8.0, False),
        ("7", 6.0, False),
        ("18,450", 18450.0638, True),
        ("18.5k", 18450.0638, True),
        ("41%", 0.4151, True),
        ("40%", 0.4151, False),
        ("about 42%", 0.4151, True),
        ("about 43%", 0.4151, False),
        ("around 26000", 26015.6, True),
        ("around 26000", 27500.0, False),
        ("more than 50%", 0.54, True),
        ("more than 60%", 0.54, False),
        ("less than 0.1", 0.02, True),
        ("3e-4", 0.0003, True),
    ],
)
def test_a_number_states_what_rounds_to_it(stated: str, recorded: float, holds: bool) -> None:
    assert find_numbers(f"was {stated}")[0].states(recorded) is holds


@given(st.floats(0.0001, 0.9999), st.integers(0, 4))
def test_every_honest_rounding_states_its_value(value: float, digits: int) -> None:
    percent = find_numbers(f"at {value * 100:.{digits}f}%")[0]
    assert percent.states(value)
    assert percent.states(value * 100, recorded_percent=True)


@given(st.floats(1_000, 1_000_000), st.integers(0, 3))
def test_thousands_separators_change_nothing(value: float, digits: int) -> None:
    assert find_numbers(f"at {value:,.{digits}f} now")[0].states(value)


@given(st.floats(0.01, 0.9), st.floats(0.02, 0.09))
def test_no_other_value_is_stated(value: float, away: float) -> None:
    assert not find_numbers(f"at {value:.4f} now")[0].is_near(value + away)


@pytest.mark.parametrize(
    ("printed", "said", "verdict"),
    [
        ("training time: 3 s", "The training time was 3 seconds.", "supported"),
        ("training time: 3 s", "The training time was 3 hours.", "contradicted"),
        ("training time: 10800 s", "The training time was 3 hours.", "supported"),
        ("training time: 10800 s", "The training time was 3 seconds.", "contradicted"),
        ("training time: 3", "The training time was 3 hours.", "supported"),
    ],
)
def test_a_duration_is_held_against_the_unit_it_was_printed_in(printed: str, said: str, verdict: str) -> None:
    [claim] = audit(log(run("train.py", printed), prose=said))
    assert claim.verdict.value == verdict
    assert claim.value == (10_800 if "hours" in said else 3)


@pytest.mark.parametrize(
    ("honest", "false"),
    [
        ("The model's test loss is 0.44, its validation loss 0.31.", "The model's test loss is 0.31, its loss 0.44."),
        ("Its loss is 0.44, its validation loss 0.31.", "Its validation loss is 0.44."),
    ],
)
def test_a_split_is_of_the_number_that_its_own_metric_leads_to(honest: str, false: str) -> None:
    ran = run("train.py", "val loss: 0.31\ntest loss: 0.44")
    assert [claim.verdict.is_problem for claim in audit(log(ran, prose=honest))] == [False, False]
    assert any(claim.verdict.is_problem for claim in audit(log(ran, prose=false)))
