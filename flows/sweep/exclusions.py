"""Which runs a sweep leaves out, and what its exclusions say to no effect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from environment.records import RunConfig
from flows.errors import UsageError
from flows.sweep.spec import Pattern
from foundation.text import known_names

_NAMES = ("task", "agent", "model")


def without(configs: Iterable[RunConfig], patterns: Sequence[Pattern]) -> list[RunConfig]:
    """The runs that no pattern is like.

    Raises:
        UsageError: A pattern has a name that no run has: as misspelt, it would let runs begin that are not wanted.
    """
    runs = list(configs)
    for pattern in patterns:
        _check_names(runs, pattern)
    return [config for config in runs if not any(_matches(config, pattern) for pattern in patterns)]


def idle(configs: Iterable[RunConfig], patterns: Sequence[Pattern]) -> list[str]:
    """Patterns that no run is like, in words: their names are right, and a short trial of a sweep may lack the rest."""
    left = list(patterns)
    for config in configs:
        if not left:
            break
        left = [pattern for pattern in left if not _matches(config, pattern)]
    return [f"{_entry(pattern)} matches no run of this sweep, and excludes nothing." for pattern in left]


def _check_names(runs: Sequence[RunConfig], pattern: Pattern) -> None:
    for field in _NAMES:
        if field in pattern:
            there = {getattr(config, field) for config in runs}
            wrong = [name for name in _listed(pattern[field]) if name not in there]
            _refuse(pattern, field, wrong, sorted(filter(None, there)))
    if "settings" in pattern:
        there = {name for config in runs for name in config.settings}
        wrong = [name for each in _listed(pattern["settings"]) if isinstance(each, dict) for name in each]
        _refuse(pattern, "setting", [name for name in wrong if name not in there], sorted(there))


def _refuse(pattern: Pattern, field: str, wrong: Sequence[JsonValue], there: Sequence[str]) -> None:
    if wrong:
        raise UsageError(
            f"{_entry(pattern)}: no run of this sweep has the {field} {json.dumps(wrong[0], ensure_ascii=False)}.",
            hint=known_names(str(wrong[0]), there, intro="There are") if there else f"No run has any {field}.",
        )


def _entry(pattern: Pattern) -> str:
    return f"exclude: {json.dumps(pattern, ensure_ascii=False)}"


def _listed(wanted: JsonValue) -> list[JsonValue]:
    return wanted if isinstance(wanted, list) else [wanted]


def _matches(config: RunConfig, pattern: Pattern) -> bool:
    return all(_agrees(getattr(config, name), wanted) for name, wanted in pattern.items())


def _agrees(value: JsonValue, wanted: JsonValue) -> bool:
    """Equality; for a list, with any of it; for settings, in each that is named."""
    if isinstance(wanted, list):
        return any(_agrees(value, each) for each in wanted)
    if isinstance(wanted, dict) and isinstance(value, dict):
        return all(name in value and value[name] == each for name, each in wanted.items())
    return value == wanted
