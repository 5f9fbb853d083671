"""Values whose unit tells what they are."""

from __future__ import annotations

import pytest

from tests.environment.metrics.points import found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("order 5: 2.251 bits/char   contexts 119,110", ["bits per character=2.251"]),
        (
            "step 200 | train 4.223 bpc | val 3.191 bpc | 80.9 ms/step",
            ["train bpc=4.223", "validation bpc=3.191", "step time=0.0809 seconds"],
        ),
        (
            "context 64 x batch 32: 2.681 bits/char, 0.0241 s/step",
            ["bits per character=2.681", "step time=0.0241 seconds"],
        ),
        ("pairwise k=6: 5.05 ms per pair", ["pair time=0.00505 seconds"]),
        ("32/32 - 5ms/step - accuracy: 0.50", ["accuracy=0.5"]),
        ("loss 0.41 kimg 8.0 sec/kimg 12.1", ["loss=0.41"]),
    ],
)
def test_a_unit_names_its_value(line: str, expected: list[str]) -> None:
    assert found(line) == expected
