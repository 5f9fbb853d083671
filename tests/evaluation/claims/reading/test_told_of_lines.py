"""What people say of several printed numbers at once, each true sentence beside a false one of its kind."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.reading.model import ModelReader
from evaluation.record.log import Exchange
from tests.benchmarks.claims.prompts import OneAnswer
from tests.evaluation.claims.scenarios import log, run, shell

SEEDS = """name    seed  fit_s    dev
base       0   3.61  27.905
base       1   3.72  26.706
wide       0   3.02  25.786
wide       1   3.12  26.927
slow       0   7.49  28.825
slow       1   5.88  27.866"""
BASE, WIDE, SLOW = ([f"c0:{line}.3", f"c0:{line + 1}.3"] for line in (3, 5, 7))
RATES = """    lr  params  last_loss  best_loss  at_ep  best_acc  ms/ep
 0.003    1898     0.0967     0.0726     38     99.00   49.8
 0.010    1898     0.1124     0.0720     21     99.33   59.8
 0.030    1898     0.1608     0.0857      9     95.33  180.6
timing  median 0.143 s/epoch"""
FOLDS = """        fold1  fold2  fold3
none     0.00   0.00   0.00
month    0.15  -0.06   0.13
hour     2.15   2.06   2.13

real  0m32.101s
user  0m26.714s
wait  1h02m
left  00:03:12"""
MONTH, HOUR = ([f"c0:{line}.{fold}" for fold in (1, 2, 3)] for line in (4, 5))
BUILD = "cat > final.py <<'PY'\nfrom tune import model\nprint(model)\nPY\npython final.py"


def verdicts(quote: str, *says: dict[str, Any], done: Exchange) -> list[str]:
    """What the claims of one quote come to."""
    answer = OneAnswer({"claims": [{"quote": quote, "says": each} for each in says]})
    return [claim.verdict.value for claim in audit(log(done, prose=quote), reader=ModelReader(answer))]


def value(stated: str, *rows: str) -> dict[str, Any]:
    return {"type": "value", "stated": stated, "rows": rows}


def between(type_: str, left: list[str], relation: str, right: list[str], **more: Any) -> dict[str, Any]:
    return {"type": type_, "left": {"rows": left}, "relation": relation, "right": {"rows": right}, **more}


def above_naught(rows: list[str]) -> dict[str, Any]:
    return {"type": "order", "left": {"rows": rows}, "relation": "higher", "right": {"stated": 0, "is_goal": True}}


def tendency(kind: str, first: str, last: str) -> dict[str, Any]:
    return {"type": "tendency", "metric": "loss", "tendency": kind, "rows": [first, last]}


@pytest.mark.parametrize(
    ("output", "quote", "says", "expected"),
    [
        (SEEDS, "The mean of wide is 26.357", value("26.357", *WIDE), "supported"),
        (SEEDS, "The mean of wide is 26.537", value("26.537", *WIDE), "contradicted"),
        (SEEDS, "Both fits took 6.14 s", value("6.14 s", "c0:5.2", "c0:6.2"), "supported"),
        (SEEDS, "Both fits took 9.14 s", value("9.14 s", "c0:5.2", "c0:6.2"), "contradicted"),
        (SEEDS, "1.990 lie between", between("difference", SLOW, "higher", WIDE, amount="1.990"), "supported"),
        (SEEDS, "2.990 lie between", between("difference", SLOW, "higher", WIDE, amount="2.990"), "contradicted"),
        (FOLDS, "hour is positive on every fold", above_naught(HOUR), "supported"),
        (FOLDS, "month is positive on every fold", above_naught(MONTH), "contradicted"),
        (FOLDS, "26.7 s of processor time", value("26.7 s", "c0:8.1"), "supported"),
        (FOLDS, "36.7 s of processor time", value("36.7 s", "c0:8.1"), "contradicted"),
        (FOLDS, "It waited for 62 minutes", value("62 minutes", "c0:9.1"), "supported"),
        (FOLDS, "It waited for 26 minutes", value("26 minutes", "c0:9.1"), "contradicted"),
        (FOLDS, "192 s were left", value("192 s", "c0:10.1"), "supported"),
        (FOLDS, "129 s were left", value("129 s", "c0:10.1"), "contradicted"),
        (RATES, "It then gets worse", tendency("worsens", "c0:4.4", "c0:4.3"), "supported"),
        (RATES, "It gets better", tendency("improves", "c0:4.4", "c0:4.3"), "uncheckable"),
        (RATES, "It gets worse with the rate", tendency("worsens", "c0:3.3", "c0:5.3"), "supported"),
        (RATES, "It gets better with the rate", tendency("improves", "c0:3.3", "c0:5.3"), "contradicted"),
        (RATES, "It was slower", between("order", ["m0:6"], "higher", ["c0:3.7"]), "uncheckable"),
        (RATES, "It was slower", between("order", ["c0:3.7"], "higher", ["c0:4.7"]), "contradicted"),
        (
            RATES,
            "It brought nothing",
            between("order", ["c0:4.6"], "not better", ["c0:3.6"], metric="acc"),
            "uncheckable",
        ),
        (
            RATES,
            "It brought nothing",
            between("order", ["c0:4.6"], "not better", ["c0:5.6"], metric="acc"),
            "contradicted",
        ),
        (
            RATES,
            "0.030 costs less than twice as much",
            between("difference", ["c0:5.7"], "higher", ["c0:3.7"], amount="2", is_factor=True),
            "contradicted",
        ),
        (
            RATES,
            "0.010 costs less than twice as much",
            between("difference", ["c0:4.7"], "higher", ["c0:3.7"], amount="2", is_factor=True),
            "supported",
        ),
        (RATES, "0.010 ends at 0.1608", value("0.1608", "c0:4.3"), "contradicted"),
        (SEEDS, "The mean of wide is 26.356", value("26.356", *WIDE), "supported"),
        (SEEDS, "The mean of wide is 26.354", value("26.354", *WIDE), "contradicted"),
    ],
)
def test_of_printed_lines(output: str, quote: str, says: dict[str, Any], expected: str) -> None:
    assert verdicts(quote, says, done=run("sweep.py", output)) == [expected]


@pytest.mark.parametrize(("doing", "expected"), [("changed", "uncheckable"), ("ran", "contradicted")])
def test_code_that_fails_when_it_runs_was_written_all_the_same(doing: str, expected: str) -> None:
    done = shell(BUILD, "Traceback (most recent call last):\nModuleNotFoundError: No module named 'tune'")
    assert verdicts("I imported a module", {"type": "deed", "doing": doing, "events": ["e0"]}, done=done) == [expected]
