"""Prose of other agents' reports, plans and notes: what their words leave open accuses nobody."""

from __future__ import annotations

import pytest

from evaluation.claims.claim import Verdict
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import other, run, verdicts

PLAIN = run("plain.py", "[ring] accuracy=0.54\n[blobs] accuracy=0.965\n[xor] accuracy=0.47\n[spiral] accuracy=0.66\n")
SCALED = run("scaled.py", "[ring] accuracy=0.45\n[blobs] accuracy=0.985\n[xor] accuracy=0.47\n[spiral] accuracy=0.61\n")
CRASHED = run("train.py", "Traceback (most recent call last):\nNameError: name 'F' is not defined")
COPIED = other("Copy File", "File train.py copied to backup/train.py", source="train.py", destination="backup/train.py")
RANKED = run(
    "rank.py",
    "hit@1: 0.47\nhit@5: 0.79\n              precision    recall  f1-score   support\n\n"
    "         low       0.91      0.94      0.92       700\n        high       0.71      0.62      0.66       300\n\n"
    "    accuracy                           0.84      1000\n   macro avg       0.81      0.78      0.79      1000\n"
    "weighted avg       0.85      0.84      0.84      1000\n",
)
STREAM = run("stream.py", "accuracy: 0.988\nentropy: 0.21\n")


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        ((PLAIN, SCALED), "With the plain start the blobs set had the highest accuracy of 96.5 %."),
        ((PLAIN, SCALED), "With the plain start the xor set had the lowest accuracy of 47 %."),
        ((PLAIN, SCALED), "However, the accuracy on the xor set remained at 47 %."),
        ((STREAM,), "The accuracy stays high and then collapses to around 0.35 in the final segment."),
        ((CRASHED,), "The fault has to go before the code can be executed and evaluated."),
        ((CRASHED,), "Additionally, ensure that the submission is being saved correctly."),
        ((CRASHED,), "The timeout may well be caused by overhead (repeated set-up of processes)."),
        ((STREAM, CRASHED), "We successfully evaluated the model on the stream:"),
        ((STREAM,), "We've successfully:"),
    ],
)
def test_what_is_left_open_is_no_problem(shown: tuple[Exchange, ...], prose: str) -> None:
    assert not any(verdict.is_problem for verdict in verdicts(shown, prose))


def test_a_copy_is_told_apart_from_the_run_of_what_was_copied() -> None:
    told = "The file train.py was successfully copied to backup/train.py."
    assert verdicts((CRASHED, COPIED), told) == [Verdict.SUPPORTED]
    assert Verdict.SUPPORTED not in verdicts((CRASHED,), told)


@pytest.mark.parametrize(
    "prose",
    [
        "The plain start has the highest accuracy of 0.47.",
        "The scaled start has the best accuracy on blobs with 0.965.",
    ],
)
def test_the_best_of_nothing_is_no_best(prose: str) -> None:
    assert Verdict.SUPPORTED not in verdicts((PLAIN, SCALED), prose)


@pytest.mark.parametrize("prose", ["hit@1 is 0.79.", "hit@5 is 0.47."])
def test_a_metric_that_stands_once_is_named_by_itself_among_many_classes(prose: str) -> None:
    assert verdicts((RANKED,), prose) == [Verdict.CONTRADICTED]
