from __future__ import annotations

import pytest

from environment.records import RunStatus
from evaluation.statistics.tables import tables
from evaluation.statistics.thresholds import threshold_summary
from tasks_catalog.library.spec import Variant
from tests.evaluation.statistics.results import entry, result


def test_mini_and_full_are_never_in_one_table() -> None:
    entries = [entry("a", result(0.5)), entry("a", result(0.5, variant=Variant.FULL))]
    full, mini = tables(entries)
    assert (full.variant, mini.variant) == (Variant.FULL, Variant.MINI)
    assert [one.runs for one in (*full.summaries, *mini.summaries)] == [1, 1]


def test_missing_scores_fail_and_count_as_the_baseline() -> None:
    [table] = tables([entry("a", result(improvement, seed=seed)) for seed, improvement in enumerate((0.4, 0.2, None))])
    [cell] = table.cells
    assert (cell.runs, cell.valid, cell.successes) == (3, 2, 2)
    assert cell.success.value == pytest.approx(2 / 3)
    assert cell.improvement_valid is not None
    assert cell.improvement_valid.value == pytest.approx(0.3)
    assert cell.improvement.value == pytest.approx(0.2)


def test_a_task_without_valid_runs_has_no_valid_mean() -> None:
    [table] = tables([entry("a", result(None))])
    assert table.cells[0].improvement_valid is None
    assert table.cells[0].score is None
    assert table.summaries[0].improvement.value == 0


def test_unfinished_runs_are_left_out_and_counted() -> None:
    [table] = tables([entry("a", result(0.5)), entry("a", result(None, seed=1, status=RunStatus.INTERRUPTED))])
    assert table.unfinished == 1
    assert table.summaries[0].runs == 1


def test_a_run_nobody_graded_neither_succeeded_nor_failed() -> None:
    [table] = tables([entry("a", result(0.5)), entry("a", result(None, seed=1, graded=False))])
    assert table.ungraded == 1
    assert (table.summaries[0].runs, table.summaries[0].success.pooled.value) == (1, 1.0)


def test_without_a_reference_there_is_no_normalised_score_and_without_scatter_nothing_beyond_noise() -> None:
    known = result(0.5, seed=1).model_copy(update={"noise_threshold": 0.2, "success_beyond_noise": True})
    unknown = result(0.5).model_copy(update={"reference": None, "normalised": None})
    [table] = tables([entry("a", known), entry("a", unknown)])
    [summary], [cell] = table.summaries, table.cells
    assert (summary.normalised, summary.normalised_iqm, cell.normalised) == (None, None, None)
    assert threshold_summary("a", [known, unknown]).end.beyond_noise is None
    failed = result(None, seed=2)
    [table] = tables([entry("a", known), entry("a", failed)])
    assert table.cells[0].normalised is not None
    assert table.cells[0].normalised.value == 0.25
    beyond = threshold_summary("a", [known, failed]).end.beyond_noise
    assert beyond is not None
    assert beyond.value == 0.5


def test_tasks_weigh_alike_and_repeats_need_enough_runs() -> None:
    entries = [entry("a", result(0.5, task="one", seed=seed)) for seed in range(4)]
    entries += [entry("a", result(0.0, task="two", seed=seed)) for seed in range(2)]
    [table] = tables(entries)
    [summary] = table.summaries
    assert summary.success.same_tasks.value == pytest.approx(0.5)
    assert summary.success.pooled.value == pytest.approx(4 / 6)
    assert summary.pass_at[2] == pytest.approx(0.5)
    assert summary.pass_at[4] is None
    assert summary.runs_of_each_task == 2


def test_contestants_come_best_first_with_ranks_and_front() -> None:
    entries = [entry("bad", result(0.0, seed=s, cost=2.0)) for s in range(20)]
    entries += [entry("good", result(0.5, seed=s, cost=1.0)) for s in range(20)]
    [table] = tables(entries)
    assert [one.contestant for one in table.summaries] == ["good", "bad"]
    assert str(table.ranking.ranks["good"]) == "1"
    assert table.pareto == ("good",)
    assert table.profiles is not None
    assert table.profiles.agents == ("bad", "good")


def test_nothing_in_nothing_out() -> None:
    assert tables([]) == []
    [table] = tables([entry("a", result(None, status=RunStatus.RUNNING))])
    assert table.summaries == ()
