"""How long something took, as outputs tell it; what it may take at most is no duration."""

from __future__ import annotations

import pytest

from evaluation.record.durations import find_durations


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Execution time: 6 seconds (time limit is 10 minutes).", [6.0]),
        ("Execution time: a second seconds (time limit is 10 minutes).", []),
        ("The time budget is 2 hours", []),
        ("Training time is 2 minutes", [120.0]),
    ],
)
def test_a_limit_of_time_is_no_duration(line: str, seconds: list[float]) -> None:
    assert [found.seconds for found in find_durations([line])] == seconds
