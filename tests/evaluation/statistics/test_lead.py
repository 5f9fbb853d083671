"""Who is ahead, and what the runs bear."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.report.leading import lead_card
from evaluation.statistics.entries import Entry
from evaluation.statistics.lead import leads
from tests.evaluation.statistics.results import result


def entries(contestant: str, gains: Sequence[float], *, task: str = "a", agent: str = "x") -> list[Entry]:
    return [
        Entry(contestant=contestant, result=result(task=task, agent=agent, seed=seed, improvement=gain))
        for seed, gain in enumerate(gains)
    ]


def test_a_difference_that_holds_on_every_seed_is_beyond_noise() -> None:
    [lead] = leads([*entries("one", [0.5, 0.52, 0.48, 0.51]), *entries("two", [0.1, 0.13, 0.09, 0.12])])
    assert [one.contestant for one in lead.standings] == ["one", "two"]
    assert lead.beyond_noise
    assert lead.comparison is not None
    assert lead.comparison.pairs == 4


def test_scatter_as_large_as_the_difference_is_noise_and_more_seeds_would_tell() -> None:
    [lead] = leads([*entries("one", [0.5, 0.1, 0.6]), *entries("two", [0.2, 0.3, 0.2])])
    assert not lead.beyond_noise
    assert lead.comparison is not None
    assert (lead.comparison.seeds_needed or 0) > 3


def test_pairs_that_say_otherwise_than_the_means_put_nobody_ahead() -> None:
    first = [*entries("one", [0.1, 0.1, 0.1]), *(entry for entry in entries("one", [0, 0, 0, 0.9, 0.9, 0.9])[3:])]
    [lead] = leads([*first, *entries("two", [0.2, 0.21, 0.19])])
    assert [one.contestant for one in lead.standings] == ["one", "two"]
    assert lead.is_reversed
    assert not lead.beyond_noise
    card = lead_card(lead)
    assert card.verdict == "Cannot tell who is ahead."
    assert card.amount.startswith(
        "The mean improvement of two is 10 points above that of one on the runs that can be paired"
    )
    assert "disagree" in card.outlook


def test_the_ends_of_the_scale_are_never_ahead() -> None:
    [lead] = leads([*entries("one", [0.2, 0.3]), *entries("oracle", [0.9, 0.9], agent="oracle")])
    assert [one.contestant for one in lead.standings] == ["one"]
    assert [one.contestant for one in lead.anchors] == ["oracle"]
    assert lead.comparison is None


def test_all_tasks_together_hold_only_who_ran_all_of_them() -> None:
    both = [*entries("one", [0.2, 0.3]), *entries("one", [0.2, 0.3], task="b")]
    overall, a, b = leads([*both, *entries("two", [0.1, 0.2])])
    assert (overall.task, a.task, b.task) == (None, "a", "b")
    assert [one.contestant for one in overall.standings] == ["one"]
    assert len(a.standings) == 2
    assert len(b.standings) == 1
    assert lead_card(overall).verdict == "Nobody to compare: only one has runs on both tasks."
    assert lead_card(b).verdict == "Nobody to compare: only one has runs on this task."


def test_tasks_with_ends_of_the_scale_alone_are_said_to_be_left_out() -> None:
    ran = [*entries("one", [0.2, 0.3]), *entries("one", [0.2, 0.3], task="b")]
    overall, a, _ = leads([*ran, *entries("oracle", [0.9], task="c", agent="oracle")])
    card = lead_card(overall)
    assert card.title == "Both tasks"
    assert card.left_out == "Not counted here, as only ends of the scale ran there: c."
    assert lead_card(a).left_out == lead_card(leads(ran)[0]).left_out == ""
    assert lead_card(leads([*ran, *entries("one", [0.1], task="c")])[0]).title == "All 3 tasks"


def test_of_many_contestants_a_lead_must_be_clearer() -> None:
    two = [*entries("one", [0.5, 0.3, 0.45]), *entries("two", [0.2, 0.15, 0.1])]
    [alone] = leads(two)
    others = [entry for n in range(6) for entry in entries(f"other {n}", [0.0, 0.05 * n, 0.01])]
    [among] = leads([*two, *others])
    assert alone.p_value is not None
    assert among.p_value is not None
    assert among.p_value > alone.p_value


def test_runs_that_share_no_seed_are_not_compared() -> None:
    moved = [
        entry.model_copy(update={"result": entry.result.model_copy(update={"seed": 9})})
        for entry in entries("two", [0.1])
    ]
    [lead] = leads([*entries("one", [0.5, 0.4]), *moved])
    assert lead.comparison is None
    assert lead.p_value is None


def test_who_do_alike_in_every_pair_are_said_to() -> None:
    [lead] = leads([*entries("one", [0.2, 0.3]), *entries("two", [0.2, 0.3])])
    card = lead_card(lead)
    assert card.verdict == "one and two do alike."
    assert card.amount.startswith("The mean improvement of one is equal to that of two (no test; n = 2 pairs")
    [scattered] = leads([*entries("one", [0.2, 0.3]), *entries("two", [0.3, 0.2])])
    assert lead_card(scattered).verdict == "Cannot tell who is ahead."
    assert lead_card(scattered).outlook == "Within noise: no difference is seen."


def test_a_difference_too_small_to_print_is_not_called_zero() -> None:
    [lead] = leads([*entries("one", [0.2, 0.3, 0.1001]), *entries("two", [0.2, 0.3, 0.1])])
    assert "is less than 0.1 points above that of two" in lead_card(lead).amount


def test_among_many_contestants_it_takes_more_seeds_and_a_pair_that_stands_out_alone_is_told_as_noise() -> None:
    two = [*entries("one", [0.30, 0.34]), *entries("two", [0.20, 0.238])]
    [alone] = leads(two)
    [among] = leads([*two, *(entry for n in range(8) for entry in entries(f"low {n}", [0.01 * n, 0.02 * n + 0.01]))])
    assert alone.comparison
    assert among.comparison
    assert alone.comparison.improvement == among.comparison.improvement
    assert alone.beyond_noise
    assert not among.beyond_noise
    assert (among.comparison.seeds_needed or 0) > max(2, alone.comparison.seeds_needed or 0)
    assert "among 45 pairs of contestants chance alone shows as much" in lead_card(among).outlook


def test_runs_without_a_score_are_not_called_equal() -> None:
    failed = [
        entry.model_copy(update={"result": entry.result.model_copy(update={"improvement": None, "score": None})})
        for name in ("one", "two")
        for entry in entries(name, [0.0, 0.0])
    ]
    [lead] = leads(failed)
    card = lead_card(lead)
    assert (card.verdict, card.sure) == ("No run has a score.", False)
    assert card.amount == "one has 2 runs and no score; two has 2 runs and no score."
    [alone] = leads(failed[:2])
    assert lead_card(alone).amount == "one has 2 runs and no score."
    [mixed] = leads([*failed, *entries("three", [0.2, 0.3])])
    assert "three" in lead_card(mixed).amount
