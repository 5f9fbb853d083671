"""The names of contestants: as much as tells them apart, and no more."""

from __future__ import annotations

from pydantic import JsonValue

from environment.records import RunConfig
from evaluation.statistics.contestants import distinct_names


def named(*settings: dict[str, JsonValue]) -> list[str]:
    return distinct_names([("cli", RunConfig(task="one", agent="cli", settings=one)) for one in settings])


def test_a_long_setting_is_cut() -> None:
    first, second = named({"command": "mini " + "x" * 200}, {"command": "codex " + "x" * 200})
    assert first.startswith("cli · command mini xxx")
    assert first.endswith("…")
    assert max(len(first), len(second)) < 60


def test_long_settings_that_differ_at_their_end_stay_apart() -> None:
    alike = "export X=1; " * 20
    first, second, third = named({"command": f"{alike} a"}, {"command": f"{alike} b"}, {"command": "short"})
    assert first != second
    assert first.endswith(" a")
    assert third == "cli · command short"


def test_where_a_model_is_reached_tells_no_contestants_apart() -> None:
    assert named({"model.base_url": "http://localhost:1"}, {"model.base_url": "http://localhost:2"}) == ["cli", "cli"]
