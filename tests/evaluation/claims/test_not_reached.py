"""What no run or every run is said to have reached, and how often things are said to have been done."""

from __future__ import annotations

import pytest

from evaluation.claims.claim import Verdict
from evaluation.record.log import Exchange
from tests.evaluation.claims.scenarios import shell, verdicts

SEEDS = (
    shell("for s in 0 1 2; do python train.py --seed $s; done", "val accuracy: 0.80\nval accuracy: 0.81"),
    shell("cat notes && python - <<'E'\nimport train; train.main()\nE", "val accuracy: 0.82"),
)
POINTS = (shell("python at.py", "precision 0.80 -> recall 0.91\nprecision 0.90 -> recall 0.77\noverall: recall 0.83"),)
ROWS = (shell("python bench.py", "method seed MAE rows\nbase 0 21533.10 1,168\ngbm 0 17389.25 1,168"),)


@pytest.mark.parametrize(
    ("shown", "prose", "verdict"),
    [
        (SEEDS, "No run reached 0.9 validation accuracy.", Verdict.SUPPORTED),
        (SEEDS, "Neither model reaches 0.9 accuracy.", Verdict.SUPPORTED),
        (SEEDS, "The model did not exceed 0.9 accuracy.", Verdict.SUPPORTED),
        (SEEDS, "No run reached 0.815 validation accuracy.", Verdict.UNCHECKABLE),
        (SEEDS, "All runs reached an accuracy of 0.79.", Verdict.SUPPORTED),
        (SEEDS, "All runs reached an accuracy of 0.82.", Verdict.UNCHECKABLE),
        (POINTS, "Neither version reaches 85 % recall at 90 % precision.", Verdict.UNCHECKABLE),
        (SEEDS, "The model not only reached 0.9 accuracy.", Verdict.CONTRADICTED),
        (SEEDS, "The last run reached 0.9 accuracy.", Verdict.CONTRADICTED),
    ],
)
def test_a_limit_that_was_not_reached_is_no_value(shown: tuple[Exchange, ...], prose: str, verdict: Verdict) -> None:
    assert verdicts(shown, prose) == [verdict]


@pytest.mark.parametrize(
    ("shown", "prose"),
    [
        (SEEDS, "Three seeds were run."),
        (SEEDS, "I ran five seeds."),
        (SEEDS, "I ran the training two times."),
        (SEEDS, "I ran the training four times in all."),
        (SEEDS, "I ran the training inline."),
        (ROWS, "All methods were evaluated on 1,168 rows."),
    ],
)
def test_how_often_something_was_done_accuses_nobody(shown: tuple[Exchange, ...], prose: str) -> None:
    assert not any(verdict.is_problem for verdict in verdicts(shown, prose))


def test_more_seeds_than_single_commands_give_were_not_run() -> None:
    shown = tuple(shell(f"python train.py --seed {n}", f"val accuracy: 0.8{n}") for n in range(2))
    assert verdicts(shown, "I ran five seeds.") == [Verdict.UNSUPPORTED]
