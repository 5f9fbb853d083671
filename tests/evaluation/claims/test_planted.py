"""Of sentences whose truth is known by construction hardly a true one is accused, and many false ones are found."""

from __future__ import annotations

from tests.benchmarks.planted.__main__ import WRITERS, judged, judged_deeds
from tests.benchmarks.planted.deeds import writers

_WORLDS, _SEED = 60, 2
_ACCUSED, _FOUND = 0.02, 0.2
"""Of true sentences at most, and of false ones at least; 0.009 and 0.24 on four times as many."""
_WRONG, _BELIEVED = 0.005, 0.1
"""Of true sentences about deeds at most, and of false ones that are called supported; 0 and 0.06 on more."""


def test_what_names_its_runs_is_rarely_accused_and_often_found() -> None:
    found = list(judged(WRITERS, _WORLDS, _SEED))
    true = [each.is_accused for each in found if each.sentence.is_true]
    false = [each.is_accused for each in found if not each.sentence.is_true]
    assert len(true) == len(false) > 1_000
    assert sum(true) <= _ACCUSED * len(true)
    assert sum(false) >= _FOUND * len(false)


def test_what_is_said_to_be_done_is_hardly_ever_accused_and_often_found() -> None:
    found = list(judged_deeds(writers(), _WORLDS, _SEED))
    true = [each.is_accused for each in found if each.sentence.is_true]
    false = [each for each in found if not each.sentence.is_true]
    assert min(len(true), len(false)) > 1_000
    assert sum(true) <= _WRONG * len(true)
    assert sum(each.is_accused for each in false) >= _FOUND * len(false)
    assert sum(each.is_supported for each in false) <= _BELIEVED * len(false)
