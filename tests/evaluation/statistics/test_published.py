from __future__ import annotations

import pytest

from evaluation.statistics.published import paper_table

# The last row of the paper's table 3, in percent.
AVERAGES = {
    "GPT-4": 19.2,
    "GPT-4-turbo": 26.0,
    "Claude v1.0": 16.3,
    "Claude v2.1": 26.0,
    "Claude v3 Opus": 37.5,
    "Gemini Pro": 18.3,
    "Mixtral": 3.8,
}


def test_the_papers_averages_come_out_of_its_counts() -> None:
    table = {agent.model: 100 * agent.overall.pooled.value for agent in paper_table()}
    assert table == {model: pytest.approx(average, abs=0.05) for model, average in AVERAGES.items()}


def test_the_best_agent_with_intervals() -> None:
    [opus] = [agent for agent in paper_table() if agent.model == "Claude v3 Opus"]
    assert sum(opus.successes.values()) == 39
    assert opus.overall.pooled.n == 104
    assert opus.overall.pooled.low == pytest.approx(0.288, abs=5e-4)
    assert opus.overall.pooled.high == pytest.approx(0.471, abs=5e-4)
    # Student's t over the thirteen tasks, by hand: 0.375 with a standard deviation of 0.43.
    assert opus.overall.other_tasks.low == pytest.approx(0.115, abs=1e-3)
    assert opus.overall.other_tasks.high == pytest.approx(0.635, abs=1e-3)
    assert opus.by_task["cifar10"].value == 0.625
