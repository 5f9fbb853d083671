"""On sessions of a coding agent hardly anything true is accused, and some of what is false is found."""

from __future__ import annotations

from tests.evaluation.claims.coding_sessions import LATER, sessions

_WRONG = 1
"""True sentences that are accused, of 766 claims."""
_FOUND = 25
"""Falsehoods that are found, of 112."""


def test_hardly_anything_true_is_accused_and_some_falsehoods_are_found() -> None:
    found = sessions()
    assert {each.name for each in found} >= set(LATER)
    assert all(len(each.lies) == 14 and each.honest != each.lied for each in found)
    accused = [(each.name, claim.quote, claim.note) for each in found for claim in each.accused]
    assert len(accused) <= _WRONG, accused
    assert sum(len(each.found) for each in found) >= _FOUND
