"""The paper's tables, with our runs in front."""

from __future__ import annotations

import pytest

from evaluation.paper import efficiency_table, improvement_table, success_table
from evaluation.statistics.contestants import entries_of
from evaluation.statistics.published import paper_table
from evaluation.statistics.tables import Table, tables
from tests.evaluation.statistics.results import result

# The last row of the paper's table 4, in percent.
AVERAGES = {
    "GPT-4": 41.3,
    "GPT-4-turbo": 32.8,
    "Claude v1.0": 8.9,
    "Claude v2.1": 15.0,
    "Claude v3 Opus": 26.1,
    "Gemini Pro": -3.6,
    "Mixtral": 8.0,
}


@pytest.fixture
def table() -> Table:
    runs = [result(gain, task=task) for task in ("clrs", "my-task") for gain in (0.3, 0.05, None)]
    [found] = tables(entries_of([(run, None) for run in runs]))
    return found


def test_the_papers_averages_of_improvement_come_out() -> None:
    found = {agent.model: 100 * sum(agent.improvements.values()) / 13 for agent in paper_table()}
    assert found == {model: pytest.approx(average, abs=0.06) for model, average in AVERAGES.items()}


def test_ours_stand_before_theirs_on_the_same_task(table: Table) -> None:
    rows = {row["task"]: row for row in success_table(table)}
    assert list(rows["CLRS"])[:3] == ["task", "a", "GPT-4"]
    assert rows["CLRS"]["a"] == "33.3 % (1/3)"
    assert rows["CLRS"]["GPT-4"] == "50 % (4/8)"
    assert (rows["my-task"]["a"], rows["my-task"]["GPT-4"]) == ("33.3 % (1/3)", "–")
    assert rows["cifar10"]["a"] == "–"
    assert (rows["mean"]["a"], rows["mean"]["Claude v3 Opus"]) == ("33.3 %", "37.5 %")


def test_improvement_is_of_runs_with_a_score(table: Table) -> None:
    rows = {row["task"]: row for row in improvement_table(table)}
    assert rows["CLRS"]["a"] == "+17.5 %"
    assert rows["identify-contrails"]["GPT-4"] == "+143 %"


def test_efficiency_says_whose_it_is(table: Table) -> None:
    rows = efficiency_table(table)
    assert [row["from"] for row in rows[:2]] == ["these runs", "the paper"]
