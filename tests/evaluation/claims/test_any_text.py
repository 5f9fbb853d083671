"""No text, whatever numbers it holds, makes the reader of prose or of outputs crash."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.claims.audit import audit
from evaluation.language.multiples import multiple_in
from evaluation.language.numbers import find_numbers
from evaluation.language.splits import splits_in
from tests.evaluation.claims.scenarios import log, run

PIECES = [
    "0", "1", "10", "100", "3.5", ".5", "7.", "1,234", "1,2", "0,400", "0,400.0", "0/0", "3/4", "9" * 400,
    "٣", "५.५", "²", "½", "Ⅷ",
    "+", "-", "−", "–", "—", "±", "^", "^{", "}", "e", "E", "e5", "E-", "e999", "x", "×", "*", "× 10", "x 10 ^ -",
    "%", "pp", "ms", "s", "h", "min", "k", "K", "million", "GB", "°", "$", "~", ":", "1:02:03", "2h", "5m", "6 min",
    " ", " ", " ", " of ", " to ", "(", ")", "[", "]", "|", ",", ".", "\n", "\t", "\u2028", "=", "->", "nan", "inf",
    "accuracy", "test", "loss", "RMSE", "epoch", "Epoch ", "seed", "fold", "half", "twice", "a third", "by a",
    "improved", "from", "worse than", "best", "all", "every", "I trained", "saved", "mean", "std",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=24).map("".join)


@given(text=TEXT)
@settings(max_examples=300, deadline=None)
def test_any_text_has_numbers(text: str) -> None:
    for number in find_numbers(text):
        assert text[number.start : number.end] == number.text
        multiple_in(text, number.value)
    splits_in(text)


@given(prose=TEXT, output=TEXT)
@settings(max_examples=150, deadline=None)
def test_any_text_is_read(prose: str, output: str) -> None:
    ran = run("train.py", f"test accuracy: 0.5\nRMSE 3.5\n{output}")
    for claim in audit(log(ran, prose=f"The test accuracy is {prose}", field="response")):
        assert claim.quote


@pytest.mark.parametrize(
    ("mae", "verdict"),
    [("400.0", "uncheckable"), ("438", "uncheckable"), ("12,438", "uncheckable"), ("439", "unsupported")],
)
def test_the_cells_of_a_table_of_commas_are_numbers_of_their_own(mae: str, verdict: str) -> None:
    ran = run("train.py", "test accuracy: 0.5\nA 0,0,400.0\nA 12,438,7")
    (claim,) = audit(log(ran, prose=f"The MAE is {mae}.", field="response"))
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a 3 x 100 grid", [3, 100]),
        ("2 × 10 × 10 cells", [2, 10, 10]),
        ("1.2×10−3", [1.2e-3]),
        ("it is 5e–4 here", [5e-4]),
        ("a mean of 5 x 10 runs", [5, 10]),
    ],
)
def test_a_product_is_no_power_of_ten(text: str, values: list[float]) -> None:
    assert [number.value for number in find_numbers(text)] == pytest.approx(values)
