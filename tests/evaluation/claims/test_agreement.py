"""How the agreement with labels is measured, and what is said of recorded answers."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import pytest

from tests.benchmarks.claims.baselines import number_matching
from tests.benchmarks.claims.intervals import agreement, auroc, intervals
from tests.benchmarks.claims.prompts import RecordedAnswers, asked, take_answers
from tests.benchmarks.claims.scoring import Outcome, outcomes
from tests.benchmarks.claims.sets import LabelledSet
from tests.evaluation.claims.scenarios import log, run

MADE = log(run("train.py", "Test accuracy: 0.8120"), prose="The test accuracy is 81.2%.")
STEP = len(MADE.steps) - 1
(FIELD,) = MADE.steps[STEP].prose
LABEL = {
    "source": MADE.source,
    "step": STEP,
    "field": FIELD,
    "quote": "The test accuracy is 81.2%",
    "kind": "result",
    "verdict": "supported",
}
LABELLED = LabelledSet("published", (MADE,), (LABEL,))


def said(source: str, label: str, verdict: str) -> Outcome:
    return Outcome(source, "result", label, (verdict,))


def test_auroc_compares_runs() -> None:
    assert auroc([(True, 0.5), (False, 0.0), (False, 0.5)]) == 0.75
    assert isnan(auroc([(True, 0.5), (True, 0.0)]))


def test_intervals_hold_the_figure_and_close_where_all_logs_agree() -> None:
    mixed = [said(f"run {n}", "unsupported", "unsupported" if n % 3 else "supported") for n in range(30)]
    low, high = intervals(mixed, {each.source: each.source for each in mixed})["recall"]
    assert low < agreement(mixed)["recall"] < high
    same = [said(f"run {n}", "unsupported", "unsupported") for n in range(3)]
    assert intervals(same, {each.source: each.source for each in same})["recall"] == (1.0, 1.0)


@pytest.mark.parametrize(
    ("quote", "verdicts"), [("81.2%", ("supported",)), ("85.3%", ("unsupported",)), ("accuracy", ())]
)
def test_number_matching_looks_for_the_number_alone(quote: str, verdicts: tuple[str, ...]) -> None:
    (found,) = number_matching(LabelledSet("published", (MADE,), ({**LABEL, "quote": quote},)))
    assert found.said == verdicts


def test_an_answer_outlives_the_wording_of_its_prompt_and_is_counted(tmp_path: Path) -> None:
    (text,) = asked(LABELLED)
    claim = {"quote": LABEL["quote"], "says": {"type": "value", "metric": "accuracy", "stated": "81.2%"}}
    given, kept = tmp_path / "given.jsonl", tmp_path / "answers.jsonl"
    row = {"key": text.digest, "answer": {"claims": [claim]}, "model": "M", "day": "2026-01-01"}
    given.write_text(json.dumps(row), encoding="utf-8")
    assert take_answers([given], [LABELLED], kept) == 1
    kept.write_text(kept.read_text(encoding="utf-8").replace(text.digest, "0123456789abcdef"), encoding="utf-8")
    answers = RecordedAnswers(kept)
    (found,) = outcomes(LABELLED.labels, answers.predictions(LABELLED))
    assert found.said == ("supported",)
    assert "1 of 1 texts; 1 of 1 answers are to an earlier wording of the prompt" in answers.told()
