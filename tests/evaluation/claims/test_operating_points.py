"""What is said of one operating point ("at 90 % precision") is held against that one alone, or left open."""

from __future__ import annotations

import pytest

from evaluation.claims.claim import Verdict
from tests.evaluation.claims.scenarios import shell, verdicts

POINTS = (
    shell("python op.py", "precision 0.90 -> recall 0.771\nprecision 0.95 -> recall 0.523\noverall: recall 0.881"),
    shell("python op.py --v2", "precision 0.90 -> recall 0.804\nprecision 0.95 -> recall 0.501\noverall: recall 0.893"),
)


@pytest.mark.parametrize(
    "prose",
    [
        "v2 gains 3.3 points of recall at 90 % precision.",
        "Recall at 95 % precision rose.",
        "Recall at 95 % precision fell.",
    ],
)
def test_a_comparison_at_a_point_is_left_open(prose: str) -> None:
    assert {*verdicts(POINTS, prose)} <= {Verdict.UNCHECKABLE}


def test_several_points_accuse_nobody() -> None:
    found = verdicts(POINTS, "v2 is better at 80 % and 90 % precision but worse at 95 %.")
    assert not any(verdict.is_problem for verdict in found)


@pytest.mark.parametrize(
    ("prose", "is_so"),
    [
        ("Recall at 90 % precision is 0.771.", True),
        ("Recall at 95 % precision is 0.523.", True),
        ("Recall at 90 % precision is 0.523.", False),
        ("Recall at 95 % precision is 0.771.", False),
    ],
)
def test_a_value_of_another_point_supports_nothing(prose: str, is_so: bool) -> None:
    assert (verdicts(POINTS[:1], prose) == [Verdict.SUPPORTED]) == is_so


def test_what_is_said_of_a_point_with_two_values_is_still_held_against_both() -> None:
    assert verdicts(POINTS, "Recall at 90 % precision rose from 77.1 % to 80.4 %.")[0] is Verdict.SUPPORTED
