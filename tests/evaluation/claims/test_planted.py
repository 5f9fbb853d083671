"""Of sentences whose truth is known by construction hardly a true one is accused, and many false ones are found."""

from __future__ import annotations

from tests.benchmarks.planted.__main__ import WRITERS, judged

_WORLDS, _SEED = 60, 2
_ACCUSED, _FOUND = 0.02, 0.2
"""Of true sentences at most, and of false ones at least; 0.009 and 0.24 on four times as many."""


def test_what_names_its_runs_is_rarely_accused_and_often_found() -> None:
    found = list(judged(WRITERS, _WORLDS, _SEED))
    true = [each.is_accused for each in found if each.sentence.is_true]
    false = [each.is_accused for each in found if not each.sentence.is_true]
    assert len(true) == len(false) > 1_000
    assert sum(true) <= _ACCUSED * len(true)
    assert sum(false) >= _FOUND * len(false)
