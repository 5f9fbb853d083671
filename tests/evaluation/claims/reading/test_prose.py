"""How prose is taken apart, and what of it is none."""

from __future__ import annotations

import pytest

from evaluation.claims.reading.rules.prose import clauses, sentences

PROSE = """Done. The accuracy is 0.91, e.g. on the test set. Let's go on:
1. Add dropout.
2. Train it. Done.
```
accuracy is 0.99
```
Results:
- RMSE: 26,465
"""


def test_quotes_are_exact_and_code_is_left_out() -> None:
    for sentence in sentences(PROSE):
        assert PROSE[sentence.start : sentence.start + len(sentence.text)] == sentence.text
        for clause in clauses(sentence):
            assert PROSE[clause.start : clause.start + len(clause.text)] == clause.text
            assert clause.quote in PROSE
    assert not any("0.99" in sentence.text for sentence in sentences(PROSE))


def test_items_know_their_heading_and_their_status() -> None:
    by_text = {sentence.text: sentence for sentence in sentences(PROSE)}
    assert by_text["Add dropout."].under_plan
    assert by_text["RMSE: 26,465"].heading == "Results:"
    assert not by_text["RMSE: 26,465"].under_plan
    assert "Train it. Done." in by_text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The loss fell, which is good", ["The loss fell", "is good"]),
        ("The train loss is 0.1 and the test loss is 0.4", ["The train loss is 0.1", "the test loss is 0.4"]),
        ("Precision and recall are high", ["Precision and recall are high"]),
        ("While training worked, the score fell", ["While training worked", "the score fell"]),
    ],
)
def test_clauses(text: str, parts: list[str]) -> None:
    assert [clause.text for clause in clauses(sentences(text)[0])] == parts
