"""Rows, curves and the summary."""

from __future__ import annotations

from math import inf, nan

import pytest

from environment.records import MetricPoint, People, RunConfig, RunStatus
from environment.records.display import percent
from evaluation.report.curves import learning_curves, score_curves
from evaluation.report.digest import digest, name_contestants
from evaluation.report.headline import headline, truth
from evaluation.report.leading import lead_card
from evaluation.report.model import MetricValue, Reached, ReportRun, RunRow
from evaluation.report.summary import summarise
from evaluation.statistics.tables import success_summary
from tasks_catalog.library.spec import Direction, Variant
from tests.evaluation.report.samples import sample_run, sample_runs


def row(values: list[tuple[int, float]], *, contestant: str = "a", name: str = "val_acc", steps: int = 6) -> RunRow:
    run = sample_run(0, steps=steps)
    metrics = tuple(MetricValue(step=step, name=name, split="validation", value=value) for step, value in values)
    return digest(run).model_copy(update={"contestant": contestant, "metrics": metrics})


def test_a_row_keeps_what_the_overview_needs() -> None:
    run = sample_run(0)
    found = digest(run)
    assert found.contestant == "research · openai:large"
    assert found.process.first_execution == 1
    assert sum(found.claims.values()) == len(run.claims)
    assert {value.step for value in found.metrics} <= {1, 3, 5, 7}


def test_contestants_are_told_apart_by_the_settings_that_differ() -> None:
    def with_settings(seed: int, **settings: int) -> ReportRun:
        config = RunConfig(task="cifar10", agent="research", seed=seed, settings={"memory": 3, **settings})
        return sample_run(0).model_copy(update={"config": config})

    rows = name_contestants(
        [digest(with_settings(0, window=1)), digest(with_settings(1, window=5)), digest(sample_run(2))]
    )
    assert [one.contestant for one in rows] == [
        "research · openai:large · window 1",
        "research · openai:large · window 5",
        "tuner",
    ]


def test_a_run_that_sets_something_does_not_rename_the_others() -> None:
    plain = sample_run(0)
    assert plain.config is not None
    asks = plain.config.model_copy(update={"people": People(approve=("Execute Script",))})
    rows = name_contestants([digest(plain), digest(plain.model_copy(update={"config": asks}))])
    assert [one.contestant for one in rows] == [
        "research · openai:large",
        'research · openai:large · approve ["Execute Script"]',
    ]


def test_the_best_so_far_is_carried_on() -> None:
    [curves, *_] = learning_curves([row([(1, 0.5), (3, 0.4), (5, 0.7)])])
    [curve] = curves.curves
    assert list(curve.at) == [1, 2, 3, 4, 5]
    assert curve.median == pytest.approx((0.5, 0.5, 0.5, 0.5, 0.7))
    assert (curves.metric, curves.split) == ("val_acc", "validation")


def test_a_percentage_is_compared_as_a_fraction() -> None:
    run = sample_run(0)
    step = next(step for step in run.steps if step.effect.training_run)
    training = step.effect.training_run
    assert training
    point = MetricPoint(name="accuracy", value=83.0, unit="percent")
    effect = step.effect.model_copy(update={"training_run": training.model_copy(update={"metrics": (point,)})})
    found = digest(run.model_copy(update={"steps": (step.model_copy(update={"effect": effect}),)}))
    assert [value.value for value in found.metrics] == [0.83]


def test_quartiles_over_runs_and_lower_is_better() -> None:
    runs = [row([(0, value)], steps=1) for value in (1.0, 2.0, 3.0, 4.0, 5.0)]
    runs = [
        one.model_copy(update={"result": one.result.model_copy(update={"direction": Direction.MINIMIZE})})
        for one in runs
    ]
    [curves, *_] = learning_curves(runs)
    [curve] = curves.curves
    assert (curve.low, curve.median, curve.high) == ((2.0,), (3.0,), (4.0,))


@pytest.mark.parametrize("direction", list(Direction))
def test_the_best_so_far_never_gets_worse_as_more_runs_begin(direction: Direction) -> None:
    sign = 1 if direction is Direction.MAXIMIZE else -1
    runs = [row([(0, 0.9 * sign)]), row([(2, 0.1 * sign), (4, 0.5 * sign)]), row([(3, 0.2 * sign)])]
    runs = [one.model_copy(update={"result": one.result.model_copy(update={"direction": direction})}) for one in runs]
    [curves, *_] = learning_curves(runs)
    [curve] = curves.curves
    assert list(curve.at) == [2, 3, 4, 5]
    assert [sign * value for value in curve.median] == [0.1, 0.2, 0.5, 0.5]
    worst, best = (curve.low, curve.high) if sign == 1 else (curve.high, curve.low)
    assert worst[0] is None
    assert [sign * value for value in worst[1:] if value is not None] == pytest.approx([0.15, 0.35, 0.35])
    assert [sign * value for value in best if value is not None] == pytest.approx([0.5, 0.55, 0.7, 0.7])


def test_other_metrics_and_broken_values_make_no_curve() -> None:
    assert learning_curves([row([(1, 0.5)], name="loss")]) == []
    [curves, *_] = learning_curves([row([(1, nan)])])
    assert curves.curves == ()
    [curves, *_] = learning_curves([row([(1, inf), (2, 0.5)])])
    assert list(curves.curves[0].at) == [2, 3, 4, 5]


def test_variants_never_meet() -> None:
    rows = [digest(run) for variant in Variant for run in sample_runs(9, variant=variant)]
    summary = summarise(rows)
    assert [part.variant for part in summary.variants] == [Variant.FULL, Variant.MINI]
    for part in summary.variants:
        assert sum(one.runs for one in part.table.summaries) == 9
        assert sum(one.runs for one in part.claims) == 9


def test_supported_orders_within_noise_are_counted_apart() -> None:
    runs = list(sample_runs(9))
    noisy = [
        run.model_copy(update={"claims": (run.claims[0].model_copy(update={"within_noise": True}), *run.claims[1:])})
        for run in runs[:2]
    ]
    [part] = summarise([digest(run) for run in (*noisy, *runs[2:])]).variants
    assert sum(one.within_noise for one in part.claims) == 2
    assert any("2 of the supported orders are within noise" in sentence for sentence in truth(part))
    [quiet] = summarise([digest(run) for run in runs]).variants
    assert [one.within_noise for one in quiet.claims] == [0] * len(quiet.claims)
    assert not any("within noise" in sentence for sentence in truth(quiet))


def test_sentences_say_no_more_than_the_intervals_bear() -> None:
    [part] = summarise([digest(run) for run in sample_runs(9)]).variants
    text = " ".join(headline(part))
    assert "do not put any two contestants in an order" in text
    [small] = summarise([digest(sample_run(0))]).variants
    assert "succeeds" in headline(small)[0]


def test_nobody_succeeds_most_often_where_contestants_share_no_task() -> None:
    runs = [digest(run) for run in sample_runs(9)]
    first, second = (
        next(row for row in runs if row.contestant == name) for name in sorted({r.contestant for r in runs})[:2]
    )
    won = first.result.model_copy(update={"success": True, "improvement": 0.5})
    lost = second.result.model_copy(update={"task": "another", "success": False, "improvement": 0.0})
    rows = [first.model_copy(update={"result": won}), second.model_copy(update={"result": lost})]
    [part] = summarise(rows).variants
    assert "most often" not in " ".join(headline(part))


def test_the_ends_of_the_scale_are_no_contestants() -> None:
    runs = [digest(run) for run in sample_runs(9)]
    oracle = runs[0].result.model_copy(update={"agent": "oracle", "model": None, "success": True, "improvement": 0.9})
    anchor = runs[0].model_copy(update={"contestant": "oracle", "result": oracle, "config": None})
    whole = summarise([*runs, anchor])
    assert (whole.finished, whole.graded, whole.anchors_apart) == (len(runs) + 1, summarise(runs).graded, 1)
    [part] = whole.variants
    assert [one.contestant for one in part.table.summaries if one.anchor] == ["oracle"]
    assert "oracle" not in part.table.ranking.ranks
    assert "oracle" not in " ".join(headline(part))


def test_a_task_that_only_an_end_of_the_scale_ran_is_no_task_of_the_contestants() -> None:
    runs = [digest(run) for run in sample_runs(4)]
    alone = runs[0].result.model_copy(update={"agent": "oracle", "model": None, "task": "apart", "success": True})
    anchor = runs[0].model_copy(update={"contestant": "oracle", "result": alone, "config": None})
    (before,), (after,), (only,) = (summarise(rows).variants for rows in (runs, [*runs, anchor], [anchor]))
    assert "apart" in after.table.tasks
    assert (after.tasks, only.contestants, only.tasks) == (before.tasks, 0, 1)


def test_the_headline_has_the_rate_of_the_table_below_it() -> None:
    [part] = summarise([digest(run) for run in sample_runs(40)]).variants
    first = part.table.summaries[0]
    assert first.success.same_tasks.has_interval
    assert percent(first.success.same_tasks.value) != percent(first.success.pooled.value)
    assert f"{percent(first.success.same_tasks.value)} (" in headline(part)[0]
    assert "tasks weighing alike; the 95 % interval" in headline(part)[0]


def test_success_is_the_mean_over_tasks_and_of_one_task_the_rate_of_its_cell() -> None:
    uneven = success_summary([1, 0], [1, 3])
    assert (uneven.same_tasks.value, uneven.same_tasks.has_interval) == (0.5, True)
    single = success_summary([2], [8])
    assert (single.same_tasks.low, single.same_tasks.high) == (single.pooled.low, single.pooled.high)


def test_a_run_that_has_not_ended_counts_as_a_failure_where_it_is_asked_for() -> None:
    runs = [digest(run) for run in sample_runs(9)]
    [part] = summarise(runs).variants
    assert part.counting_unfinished is None
    stopped = runs[0].result.model_copy(update={"status": RunStatus.INTERRUPTED, "score": None, "improvement": None})
    stopped = stopped.model_copy(update={"success": False})
    [part] = summarise([runs[0].model_copy(update={"result": stopped}), *runs[1:]]).variants
    counting = part.counting_unfinished
    assert counting is not None
    assert sum(one.runs for one in part.table.summaries) == 8
    assert sum(one.runs for one in counting.table.summaries) == 9
    assert sum(cell.successes for cell in counting.table.cells) == sum(cell.successes for cell in part.table.cells)


def test_curves_run_over_all_that_a_run_uses() -> None:
    rows = [digest(run) for run in sample_runs(9)]
    curves = [one for one in learning_curves(rows) if one.task == "cifar10"]
    assert [one.axis for one in curves] == ["steps", "seconds", "tokens", "money"]
    steps, seconds, *_ = (one.curves[0] for one in curves)
    assert (steps.at[:2], seconds.at[:2]) == ((1, 2), (80, 120))
    assert steps.median == seconds.median
    free = [
        row.model_copy(update={"reached": tuple(Reached(seconds=1, tokens=0, money=None) for _ in row.reached)})
        for row in rows
    ]
    assert [one.axis for one in learning_curves(free) if one.task == "cifar10"] == ["steps", "seconds"]


def test_a_run_that_has_not_ended_is_in_no_curve() -> None:
    rows = [digest(run) for run in sample_runs(9)]
    alone = rows[0].model_copy(
        update={"contestant": "late", "result": rows[0].result.model_copy(update={"status": RunStatus.INTERRUPTED})}
    )
    [part] = summarise([*rows, alone]).variants
    assert part.curves
    assert "late" not in {curve.contestant for task in part.curves for curve in task.curves}


def test_a_card_says_who_is_ahead_or_what_would_tell() -> None:
    [part] = summarise([digest(run) for run in sample_runs(27)]).variants
    assert [lead.task for lead in part.leads] == [None, *part.table.tasks]
    for lead in part.leads:
        card = lead_card(lead)
        first, second = lead.standings[:2]
        assert first.improvement.value >= second.improvement.value
        assert card.sure == lead.beyond_noise == (lead.p_value is not None and lead.p_value < 0.05)
        assert (f"{first.contestant} is ahead" in card.verdict) == card.sure
        assert first.contestant in card.amount
        assert "p = " in card.amount
        assert "n = " in card.amount
        assert card.outlook == "Beyond noise." or "seeds" in card.outlook


def test_nothing_to_report() -> None:
    assert summarise([]).variants == ()


def test_the_hidden_score_stands_when_a_run_is_over() -> None:
    def graded(*scores: float | None) -> RunRow:
        return row([]).model_copy(update={"graded": scores})

    curves, *_ = score_curves([graded(None, 1.0, 2.0, 4.0), graded(None, 3.0), graded()])
    assert (curves.split, curves.metric) == ("hidden", "accuracy")
    (curve,) = curves.curves
    assert curve.runs == 2
    assert list(curve.at) == [1, 2, 3]
    assert curve.median == (2.0, 2.5, 3.5)


def test_shares_of_steps_time_and_tokens() -> None:
    part = summarise([digest(sample_run(0, steps=4))]).variants[0]
    (working,) = part.working
    assert working.steps_by_kind == {"edit": 0.5, "execute": 0.25, "submit": 0.25}
    assert working.tokens_by_kind == {"edit": 0.5, "execute": 0.25, "submit": 0.25}
    assert sum(working.time_by_kind.values()) == pytest.approx(1)


def test_success_at_the_end_and_at_the_best_step() -> None:
    runs = [digest(run) for run in sample_runs(9)]
    summary = summarise(runs).variants[0]
    for one in summary.thresholds:
        own = [row.result for row in runs if row.contestant == one.contestant]
        for threshold, rate in one.end.at.items():
            assert rate.value == sum((result.improvement or 0) > threshold / 100 for result in own) / len(own)
        assert one.best is not None
        assert one.best_runs == sum(result.best is not None for result in own)
        assert one.best.beyond_noise is not None
        assert one.end.beyond_noise is not None
        assert one.best.beyond_noise.value >= one.end.beyond_noise.value
    judged = sum(run.rubric is not None for run in runs)
    assert {one.runs for one in summary.agreement} == {judged}


def test_naming_contestants_keeps_the_order_of_the_runs() -> None:
    """Run pages and claims are found by the position of their run."""
    rows = [digest(sample_run(index)) for index in (0, 1, 3, 2, 4, 6)]
    assert [row.result.run_id for row in name_contestants(rows)] == [row.result.run_id for row in rows]
