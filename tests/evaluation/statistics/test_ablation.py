from __future__ import annotations

import pytest
from pydantic import JsonValue

from environment.records import RunConfig
from evaluation.statistics.ablation import ablation_effects, settings_of
from evaluation.statistics.entries import Entry
from tests.evaluation.statistics.results import entry, result


def run(improvement: float, seed: int, **settings: JsonValue) -> Entry:
    config = RunConfig(task="one", agent="research", seed=seed, settings=settings)
    return entry("research", result(improvement, seed=seed), config)


def test_the_effect_of_one_setting_alone() -> None:
    entries = [run(0.5, seed, retrieval=True) for seed in range(4)] + [
        run(0.0, seed, retrieval=False) for seed in range(4)
    ]
    [effect] = ablation_effects(entries)
    assert (effect.setting, effect.before, effect.after) == ("settings.retrieval", "false", "true")
    assert effect.comparison.first == "retrieval = true", "as it is typed behind --set"
    assert effect.comparison.pairs == 4
    assert effect.comparison.improvement.value == pytest.approx(0.5)


def test_pairs_differ_in_nothing_else() -> None:
    entries = [
        run(0.9, 0, retrieval=True, steps=3),
        run(0.1, 0, retrieval=True, steps=5),
        run(0.4, 0, retrieval=False, steps=3),
        run(0.3, 0, retrieval=False, steps=5),
    ]
    effects = {effect.setting: effect.comparison for effect in ablation_effects(entries)}
    assert effects["settings.retrieval"].pairs == 2
    assert effects["settings.retrieval"].improvement.value == pytest.approx((0.5 - 0.2) / 2)
    assert effects["settings.steps"].improvement.value == pytest.approx((-0.8 - 0.1) / 2)


def test_settings_that_never_vary_alone_have_no_effect_to_show() -> None:
    assert ablation_effects([run(0.1, 0, a=1, b=1), run(0.2, 0, a=2, b=2)]) == []
    assert ablation_effects([entry("research", result(0.1))]) == []


def test_an_unset_setting_is_a_value_too() -> None:
    [effect] = ablation_effects([run(0.1, 0), run(0.2, 0, memory="log")])
    assert {effect.before, effect.after} == {"unset", "log"}


def test_what_identifies_a_run_is_no_setting() -> None:
    names = settings_of(RunConfig(task="one", seed=3, run_id="x", tags=("t",)))
    assert not {"task", "seed", "run_id", "variant", "tags"} & names.keys()
    assert names["agent"] == "tuner"
