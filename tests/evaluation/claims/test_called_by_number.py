"""What a text calls by a number ("exp 10", "run_1") is held against that one, or left open."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.claims.reading.rules.prose import sentences
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import log, run, shell, verdicts

FAILED = (
    shell("python t.py --exp 9", "exp 9: val accuracy 0.7"),
    shell("python t.py --exp 10", "Traceback (most recent call last):\n  File 't.py', line 9\nKeyError: 'price'"),
    shell("python t.py --exp 11", "exp 11: val accuracy 0.8"),
)
LOSSES = "\n".join(f'{{"run": "run_{n}", "val_loss": {loss}}}' for n, loss in ((1, 0.43), (2, 0.40), (3, 0.38)))
SWEPT = (shell("python s.py", LOSSES),)
TRIALS = (run("search.py", "\n".join(f"trial {n} val_auc=0.8{n}03" for n in (1, 3, 2, 5, 4))),)
HEADED = tuple(
    run("op.py", f"run_{n}\naccuracy = {value}\ntop-2 accuracy = 0.99{n}") for n, value in ((3, 0.92), (4, 0.94))
)


@pytest.mark.parametrize(
    ("shown", "prose", "verdict"),
    [
        (FAILED, "exp 10 finished without an error.", Verdict.CONTRADICTED),
        (FAILED, "exp 11 finished without an error.", Verdict.SUPPORTED),
        (FAILED, "exp 12 finished without an error.", Verdict.UNCHECKABLE),
        (FAILED, "exp 9 is the best so far.", Verdict.CONTRADICTED),
        (FAILED, "exp 11 is the best so far.", Verdict.SUPPORTED),
        (TRIALS, "Trial 3 is the best with 0.8303.", Verdict.CONTRADICTED),
        (TRIALS, "Trial 5 is the best with 0.8503.", Verdict.SUPPORTED),
        (SWEPT, "run_1 has a lower validation loss than run_3.", Verdict.CONTRADICTED),
        (SWEPT, "run_3 has a lower validation loss than run_1.", Verdict.SUPPORTED),
    ],
)
def test_it_is_that_one(shown: tuple[Exchange, ...], prose: str, verdict: Verdict) -> None:
    assert verdicts(shown, prose) == [verdict]


def test_nothing_is_compared_that_no_command_or_label_calls_so() -> None:
    claims = audit(log(*HEADED, prose="run_3 has a higher accuracy than run_4.", field="response"))
    assert not any(claim.verdict is Verdict.SUPPORTED for claim in claims)


def test_a_sentence_may_begin_with_such_a_name() -> None:
    found = sentences("exp 10 finished. exp 9 is the best, by approx. 3 points.")
    assert [each.text for each in found] == ["exp 10 finished.", "exp 9 is the best, by approx. 3 points."]
