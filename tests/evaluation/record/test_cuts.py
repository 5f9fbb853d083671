"""What tells that a part of an output was left out, and what only tells where in a file one looks."""

from __future__ import annotations

import pytest

from evaluation.record.cuts import is_cut


@pytest.mark.parametrize(
    ("shown", "left_out"),
    [
        ("loss 0.5\n... (123 more characters)", True),
        ("loss 0.5\n[... 40 lines omitted]", True),
        ("[File: train.py (120 lines total)]\n(23 more lines above)\n24:x = 1\n(90 more lines below)", False),
        ("It took 3 more epochs.", False),
    ],
)
def test_a_window_on_a_file_leaves_nothing_out(shown: str, left_out: bool) -> None:
    assert is_cut(shown) == left_out
