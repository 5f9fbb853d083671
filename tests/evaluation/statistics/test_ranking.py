from __future__ import annotations

from evaluation.statistics.ranking import rank


def test_overlapping_intervals_allow_no_rank() -> None:
    ranking = rank({"a": {"t": (5, 8)}, "b": {"t": (3, 8)}})
    assert ranking.separated == ()
    assert {str(one) for one in ranking.ranks.values()} == {"1–2"}


def test_clear_differences_are_ranked() -> None:
    ranking = rank({"low": {"t": (1, 50)}, "high": {"t": (49, 50)}, "middle": {"t": (25, 50)}})
    assert {name: str(one) for name, one in ranking.ranks.items()} == {"high": "1", "middle": "2", "low": "3"}


def test_a_rank_is_a_range_where_only_some_are_told_apart() -> None:
    ranking = rank({"a": {"t": (48, 50)}, "b": {"t": (46, 50)}, "c": {"t": (5, 50)}})
    assert {name: str(one) for name, one in ranking.ranks.items()} == {"a": "1–2", "b": "1–2", "c": "3"}
    assert set(ranking.separated) == {("a", "c"), ("b", "c")}


def test_who_did_not_run_every_task_is_not_ranked() -> None:
    ranking = rank({"a": {"t": (9, 10), "u": (9, 10)}, "b": {"t": (10, 10)}})
    assert ranking.left_out == ("b",)
    assert set(ranking.ranks) == {"a"}


def test_more_contestants_ask_for_more_evidence() -> None:
    pair = {"a": {"t": (30, 40)}, "b": {"t": (20, 40)}}
    crowd = {**pair, **{f"other-{n}": {"t": (25, 40)} for n in range(10)}}
    assert ("a", "b") in rank(pair).separated
    assert ("a", "b") not in rank(crowd).separated
