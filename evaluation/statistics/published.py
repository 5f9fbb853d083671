"""The paper's own figures, so that its tables can stand beside new runs.

Source: Q. Huang, J. Vora, P. Liang and J. Leskovec (2024), *MLAgentBench*, ICML, arXiv:2310.03302. Table 3 has the
success rates of seven models over eight runs of each of thirteen tasks, table 4 their mean improvements over valid
submissions. Success against tokens is of the first version of the paper (2023), as far as its figure can be read.
"""

from __future__ import annotations

import csv
from pathlib import Path

from evaluation.statistics.estimate import Estimate, wilson
from evaluation.statistics.tables import SuccessSummary, success_summary
from foundation.records import Record

TABLE_3 = Path(__file__).parent / "mlagentbench_table3.csv"
TABLE_4 = Path(__file__).parent / "mlagentbench_table4.csv"
EFFICIENCY = Path(__file__).parent / "mlagentbench_efficiency.csv"
RUNS = 8


class PublishedAgent(Record):
    """One column of table 3 with the intervals it was printed without, and of table 4.

    Attributes:
        improvements: Mean improvement over valid submissions by task, relative.
    """

    model: str
    improvements: dict[str, float]
    successes: dict[str, int]
    by_task: dict[str, Estimate]
    overall: SuccessSummary


class PublishedEfficiency(Record):
    """Mean success over the tasks and mean tokens a run, read off a figure: about."""

    agent: str
    success: float
    tokens: float


def paper_table() -> list[PublishedAgent]:
    """Tables 3 and 4 of the paper; rates are recomputed from the counts."""
    rows, improvements = _rows(TABLE_3), _rows(TABLE_4)
    models = [name for name in rows[0] if name != "task"]
    return [
        _agent(
            model,
            {row["task"]: int(row[model]) for row in rows},
            {row["task"]: float(row[model]) / 100 for row in improvements},
        )
        for model in models
    ]


def paper_efficiency() -> list[PublishedEfficiency]:
    """Success against tokens, as the paper's first version draws them."""
    return [PublishedEfficiency.model_validate(row) for row in _rows(EFFICIENCY)]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _agent(model: str, successes: dict[str, int], improvements: dict[str, float]) -> PublishedAgent:
    return PublishedAgent(
        model=model,
        improvements=improvements,
        successes=successes,
        by_task={task: wilson(won, RUNS) for task, won in successes.items()},
        overall=success_summary(list(successes.values()), [RUNS] * len(successes)),
    )
