"""An ablation has rules read by another vocabulary, also what they have read before."""

from __future__ import annotations

import copy

from evaluation.claims.audit import audit
from evaluation.claims.reading.rules import vocabulary
from tests.benchmarks.claims.ablation import use
from tests.evaluation.claims.scenarios import log, run


def test_another_vocabulary_is_used_for_texts_that_were_read_before() -> None:
    said = log(run("train.py", "accuracy: 0.5"), prose="Guessed: the accuracy is 0.5.")
    whole = dict(vocabulary.data())
    other = copy.deepcopy(whole)
    other["guess"] = ["never"]
    assert audit(said) == []
    try:
        use(other)
        assert audit(said)
    finally:
        use(whole)
    assert audit(said) == []
