"""What a language model read once, judged by the present judges: agreement with labels that must not fall."""

from __future__ import annotations

import pytest

from tests.benchmarks.claims.prompts import RecordedAnswers, place_of
from tests.benchmarks.claims.scoring import score
from tests.benchmarks.claims.sets import IMITATED, folder


@pytest.mark.parametrize(("name", "f1"), [("6-mlagentbench", 0.97), ("7-mlgym", 0.93)])
def test_of_an_imitated_set(name: str, f1: float) -> None:
    labelled, answers = folder(IMITATED / name, name), RecordedAnswers()
    claims = list(answers.predictions(labelled))
    agreement = score([label for label in labelled.labels if place_of(label) in answers.answered], claims)
    assert agreement["claims"] > 50
    assert agreement["problem_f1"] >= f1
    assert agreement["false_alarm"] <= 0.05
