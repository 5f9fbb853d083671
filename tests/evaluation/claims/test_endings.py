"""How runs are said to have ended, held against which failures, of which kinds, the record holds."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import edit, log, run

WELL = run("train.py", "val_acc: 0.812")
OF_SHAPE = run(
    "train.py", "Traceback (most recent call last):\nRuntimeError: mat1 and mat2 shapes cannot be multiplied"
)
OF_KEY = run("train.py", "Traceback (most recent call last):\nKeyError: 'label'")
OF_FEATURE = run("train.py", "Traceback (most recent call last):\nKeyError: 'colour'")
MENDED = edit("train.py", "-y = frame['label']\n+y = frame['target']")
UNREAD = Exchange(action=Action(name="bash", args={"command": "python train.py"}), observation="[output omitted: cut]")


def verdicts(*exchanges: Exchange, prose: str) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*exchanges, prose=prose))}


@pytest.mark.parametrize(
    ("done", "prose", "expected"),
    [
        ((OF_SHAPE,), "The run failed with a shape mismatch.", "supported"),
        ((OF_SHAPE,), "The run crashed because the GPU ran out of memory.", "contradicted"),
        ((OF_KEY,), "The script stopped with a KeyError.", "supported"),
        ((OF_KEY,), "The script stopped with a FileNotFoundError.", "contradicted"),
        ((OF_KEY, UNREAD), "The script stopped with a FileNotFoundError.", "uncheckable"),
        ((OF_KEY, OF_SHAPE), "The script stopped with a KeyError.", "supported"),
        ((OF_KEY,), "The run failed because of missing values.", "uncheckable"),
        ((OF_KEY, WELL), "The run crashed.", "uncheckable"),
        ((OF_KEY, WELL), "The first run crashed with a KeyError.", "supported"),
        ((WELL, OF_KEY), "The script ran without errors.", "contradicted"),
        ((WELL,), "The script crashed.", "contradicted"),
        ((WELL, UNREAD), "The script crashed.", "uncheckable"),
        ((WELL,), "The run failed.", "uncheckable"),
    ],
)
def test_a_failure_is_of_the_kind_that_is_named(done: tuple[Exchange, ...], prose: str, expected: str) -> None:
    assert verdicts(*done, prose=prose) == {expected}


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        ((OF_KEY, MENDED, WELL), "supported"),
        ((OF_KEY, MENDED, OF_KEY), "contradicted"),
        ((OF_KEY, MENDED, OF_FEATURE), "uncheckable"),
        ((OF_KEY, MENDED), "uncheckable"),
        ((OF_SHAPE, MENDED, WELL), "uncheckable"),
    ],
)
def test_a_failure_is_mended_where_a_run_goes_well_after_the_edit(done: tuple[Exchange, ...], expected: str) -> None:
    assert verdicts(*done, prose="The edit fixed the KeyError.") == {expected}


def test_what_did_not_happen_before_a_crash_is_no_deed() -> None:
    assert verdicts(OF_KEY, prose="train.py crashed before it printed a result.") == {"supported"}
