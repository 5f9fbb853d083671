"""Rules read by the vocabulary that is in use, also what they have read before."""

from __future__ import annotations

import copy

from evaluation.claims.audit import audit
from evaluation.claims.reading.rules import vocabulary
from tests.evaluation.claims.scenarios import log, run


def test_another_vocabulary_is_used_for_texts_that_were_read_before() -> None:
    said = log(run("train.py", "accuracy: 0.5"), prose="Guessed: the accuracy is 0.5.")
    whole = dict(vocabulary.data())
    other = copy.deepcopy(whole)
    other["guess"] = ["never"]
    assert audit(said) == []
    try:
        vocabulary.use(other)
        assert audit(said)
    finally:
        vocabulary.use(whole)
    assert audit(said) == []
