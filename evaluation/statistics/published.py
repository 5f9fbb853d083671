"""The paper's own counts, so that its table can stand, with intervals, beside new runs.

Source: Q. Huang, J. Vora, P. Liang and J. Leskovec (2024), *MLAgentBench*, ICML, arXiv:2310.03302,
table 3: success rates of seven models over eight runs of each of thirteen tasks.
"""

from __future__ import annotations

import csv
from pathlib import Path

from evaluation.statistics.estimate import Estimate, wilson
from evaluation.statistics.tables import SuccessSummary, success_summary
from foundation.records import Record

TABLE_3 = Path(__file__).parent / "mlagentbench_table3.csv"
RUNS = 8


class PublishedAgent(Record):
    """One column of table 3 with the intervals it was printed without."""

    model: str
    successes: dict[str, int]
    by_task: dict[str, Estimate]
    overall: SuccessSummary


def paper_table() -> list[PublishedAgent]:
    """Table 3 of the paper, recomputed from its counts."""
    with TABLE_3.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    models = [name for name in rows[0] if name != "task"]
    return [_agent(model, {row["task"]: int(row[model]) for row in rows}) for model in models]


def _agent(model: str, successes: dict[str, int]) -> PublishedAgent:
    return PublishedAgent(
        model=model,
        successes=successes,
        by_task={task: wilson(won, RUNS) for task, won in successes.items()},
        overall=success_summary(list(successes.values()), [RUNS] * len(successes)),
    )
