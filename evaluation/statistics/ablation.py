"""What one setting does, all others being equal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations

from environment.records import RunConfig, RunResult
from environment.records.names import CONNECTION
from evaluation.statistics.entries import Entry, group_by
from evaluation.statistics.pairs import Comparison, compare_pairs, match
from foundation.records import Record

Settings = dict[str, str]

UNSET = "unset"
# Not settings of a contestant: they say which run it is, or are what pairs are matched on.
IDENTITY = {"task", "variant", "seed", "run_id", "branch", "tags", "intermediate", "best_of"}


class Effect(Record):
    """The effect of ``setting`` going from ``before`` to ``after``, on runs alike in everything else."""

    setting: str
    before: str
    after: str
    comparison: Comparison


def settings_of(config: RunConfig) -> Settings:
    """Every setting of a contestant by dotted name, its value as JSON text; how its model is reached is none."""
    flat: Settings = {}
    for name, value in config.model_dump(mode="json", exclude=IDENTITY).items():
        nested = value.items() if isinstance(value, dict) else [(None, value)]
        parts = {inner: item for inner, item in nested if inner not in CONNECTION}
        flat.update({f"{name}.{inner}" if inner else name: _text(item) for inner, item in parts.items()})
    return flat


def ablation_effects(entries: Sequence[Entry]) -> list[Effect]:
    """Effects of every setting that varies while all others stay the same.

    Pairs share task, variant, seed and all settings but one. Entries without a config are left out.
    """
    configured = [(settings_of(entry.config), entry.result) for entry in entries if entry.config is not None]
    names = sorted({name for settings, _ in configured for name in settings})
    varying = [name for name in names if len({settings.get(name, UNSET) for settings, _ in configured}) > 1]
    return [effect for name in varying for effect in _effects_of(name, configured)]


def _effects_of(name: str, configured: Sequence[tuple[Settings, RunResult]]) -> list[Effect]:
    by_value = group_by(configured, lambda item: item[0].get(name, UNSET))
    effects = []
    for before, after in combinations(sorted(by_value), 2):
        olds = group_by(by_value[before], lambda item: _others(item[0], name))
        news = group_by(by_value[after], lambda item: _others(item[0], name))
        pairs = [pair for key in news for pair in match(_results(news[key]), _results(olds.get(key, [])))]
        said = name.removeprefix("settings.")  # as it is typed behind --set
        comparison = compare_pairs(f"{said} = {after}", f"{said} = {before}", pairs)
        if comparison:
            effects.append(Effect(setting=name, before=before, after=after, comparison=comparison))
    return effects


def _others(settings: Settings, name: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, value) for key, value in settings.items() if key != name))


def _results(configured: Sequence[tuple[Settings, RunResult]]) -> list[RunResult]:
    return [result for _, result in configured]


def _text(value: object) -> str:
    return value if isinstance(value, str) else UNSET if value is None else json.dumps(value)
