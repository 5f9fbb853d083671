"""Factors and parts in words."""

from __future__ import annotations

import pytest

from evaluation.language.multiples import multiple_in


@pytest.mark.parametrize(
    ("text", "value", "fits", "fails"),
    [
        ("That more than doubles the baseline", 2, 2.4, 1.7),
        ("it trained twice as fast", 2, 2.05, 1.5),
        ("which is less than half of the time before", 2, 2.6, 1.6),
        ("which is less than half of the time before", 0.5, 0.4, 0.7),
        ("fell by about a third", 33.3, 35, 50),
    ],
)
def test_a_word_is_a_number(text: str, value: float, fits: float, fails: float) -> None:
    found = multiple_in(text, value)
    assert found is not None
    assert found.is_satisfied_by(fits)
    assert not found.is_satisfied_by(fails)


def test_other_words_are_none() -> None:
    assert multiple_in("all answers are correct", 100) is None
