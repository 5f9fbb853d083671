"""Numbers of a text, with their signs."""

from __future__ import annotations

import pytest

from evaluation.language.numbers import find_numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("gain 5.36+-0.12", [5.36, 0.12]),
        ("gain 5.36 +/- 0.12", [5.36, 0.12]),
        ("changed by -0.12, then +0.3", [-0.12, 0.3]),
    ],
)
def test_a_scatter_has_no_sign(text: str, values: list[float]) -> None:
    assert [found.value for found in find_numbers(text)] == values


@pytest.mark.parametrize("huge", ["1e999", "-1e999", "0e999", "2 x 10^400", "9" * 400, f"{'9' * 400} min"])
def test_what_is_as_large_as_infinity_is_no_number(huge: str) -> None:
    assert [found.value for found in find_numbers(f"The loss was {huge}, then 0.31.")] == [0.31]
