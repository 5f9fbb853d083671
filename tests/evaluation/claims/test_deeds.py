"""What is said to be done, held against edits that failed, runs that never were, and code that lacks it."""

from __future__ import annotations

import pytest

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.claim import Kind
from evaluation.record.log import Exchange, LogStep, RunLog
from tests.evaluation.claims.scenarios import edit, log, run

MEASURED = run("train.py", "Train MAE: 13437\nValidation MAE: 19510")
FOREST = edit("train.py", "-model = Ridge()\n+model = RandomForestRegressor(n_estimators=100)")
EMPTY = edit("train.py", "")
REFUSED = Exchange(
    action=Action(name="edit", args={"command": "edit 3:3\nnum_envs: 256\nend_of_edit"}),
    observation="Your proposed edit has introduced new syntax error(s).\nYour changes have NOT been applied.",
)
TWO = run("train.py", "epoch 1: loss 3.80\nepoch 2: loss 3.71")
CRASH = run("train.py", "Traceback (most recent call last):\nNameError: name 'np' is not defined")


def verdicts(*exchanges: Exchange, prose: str, kind: Kind = Kind.EXECUTION) -> set[str]:
    return {claim.verdict.value for claim in audit(log(*exchanges, prose=prose)) if claim.kind is kind}


@pytest.mark.parametrize(
    ("done", "prose", "expected"),
    [
        ((FOREST,), "The ridge model has been replaced by a random forest with 100 trees.", "supported"),
        ((FOREST,), "I have added early stopping to the training loop.", "contradicted"),
        ((FOREST, EMPTY), "The number of trees has been increased to 300.", "contradicted"),
        ((REFUSED,), "The number of environments has been increased to 256.", "contradicted"),
        ((REFUSED,), "The last edit was not applied.", "supported"),
        ((MEASURED,), "I trained five models with gradient boosting.", "unsupported"),
        ((MEASURED,), "I also tested a support vector machine.", "unsupported"),
        ((MEASURED,), "We used beam search for decoding.", "unsupported"),
        (
            (TWO, edit("report.md", "+# Caveats of one split")),
            "Caveats: I compared 15 settings on one split.",
            "uncheckable",
        ),
        ((edit("train.py", "+epochs = 2"), TWO), "The model was trained for two epochs.", "supported"),
        ((edit("train.py", "+epochs = 2"), TWO), "The model was trained for ten epochs.", "unsupported"),
        ((CRASH, edit("train.py", "+import numpy as np")), "The error has been fixed.", "uncheckable"),
        ((CRASH,), "The script stopped because of a NameError, and no submission file was produced.", "supported"),
        ((CRASH,), "NumPy was not imported, so that run failed.", "supported"),
        ((MEASURED,), "The script train_final.py has been created.", "unsupported"),
        ((MEASURED,), "2. Directly confirmed: The script was executed.", "supported"),
    ],
)
def test_a_deed_is_held_against_what_was_done(done: tuple[Exchange, ...], prose: str, expected: str) -> None:
    assert verdicts(*done, prose=prose) == {expected}


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("cnn seed0 0.792\nsaved out/best.pt (4.2 MB)", "supported"),
        ("cnn seed0 0.792\nWrote checkpoint: out/best.pt", "supported"),
        ("cnn seed0 0.792\nloaded out/best.pt", "unsupported"),
        ("cnn seed0 0.792\nout/best.pt could not be saved", "unsupported"),
        ("cnn seed0 0.792\nsaved out/last.pt", "unsupported"),
        ("saved out/best.pt\nTraceback (most recent call last):\nNameError: name 'np' is not defined", "uncheckable"),
    ],
)
def test_an_output_that_tells_of_a_file_it_saved_shows_it(printed: str, expected: str) -> None:
    claims = list(audit(log(run("two.py", printed), prose="The model is now saved to out/best.pt.")))
    assert [(claim.kind, claim.verdict.value) for claim in claims] == [(Kind.EXECUTION, expected)]


@pytest.mark.parametrize("prose", ["Compared with", "Compared to", "Measured against"])
def test_what_a_result_is_held_against_is_no_deed(prose: str) -> None:
    assert verdicts(MEASURED, prose=f"{prose} naive, ETS cuts the 7-day error by 30 %.") <= {"uncheckable"}
    assert verdicts(MEASURED, prose="Compared with beam search.") == {"unsupported"}


@pytest.mark.parametrize("prose", ["The gains have run out.", "It ran against the accuracy on four of five sets."])
def test_what_runs_otherwise_than_a_script_is_no_deed(prose: str) -> None:
    assert verdicts(MEASURED, prose=prose) <= {"uncheckable"}


@pytest.mark.parametrize(
    "thing", ["The support vectors I tested", "These interactions that we built", "The 5 models I ran"]
)
def test_a_clause_that_says_which_thing_is_meant_tells_of_no_deed(thing: str) -> None:
    assert not verdicts(MEASURED, prose=f"{thing} matter a great deal.")


def test_what_is_no_longer_so_is_not_slower() -> None:
    timed = run("train.py", "A took 2.4 s\nB took 14.9 s")
    assert not verdicts(timed, prose="This version no longer takes the argument.", kind=Kind.COMPARISON)


def test_a_value_measured_before_a_model_was_written_is_not_that_models() -> None:
    prose = "The random forest reaches a validation MAE of 19,510."
    assert verdicts(MEASURED, FOREST, prose=prose, kind=Kind.RESULT) == {"unsupported"}
    assert verdicts(FOREST, MEASURED, prose=prose, kind=Kind.RESULT) == {"supported"}


def test_what_a_shown_log_holds_was_measured() -> None:
    tail = Exchange(
        action=Action(name="bash", args={"command": "sleep 60 && tail -2 train.log"}),
        observation="epoch 9 val_loss: 0.412\nepoch 10 val_loss: 0.398",
    )
    assert verdicts(tail, prose="The validation loss is 0.398.", kind=Kind.RESULT) == {"supported"}


def test_what_was_rightly_told_once_stays_done() -> None:
    prose = "The model was trained and evaluated."
    steps = [LogStep(exchanges=(MEASURED,)), LogStep(prose={"plan": prose}, exchanges=(CRASH,))]
    claims = audit(RunLog(source="made-up", steps=(*steps, LogStep(prose={"plan": prose}))))
    assert {claim.verdict.value for claim in claims if claim.kind is Kind.EXECUTION} == {"supported"}
