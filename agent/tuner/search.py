"""Chooses the next settings to try: Optuna's TPE over the trials so far."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import model_validator

from agent.tuner.space import Knob, Value, kind_of
from foundation.records import Record
from tasks_catalog.library.spec import Direction

if TYPE_CHECKING:
    import optuna

_ATTEMPTS = 30


class TriedSettings(Record):
    """Settings that were run.

    Attributes:
        metric: ``None`` where the script failed, printed none, or diverged.
        diverged: The script printed NaN or infinity.
    """

    values: dict[str, Value]
    metric: float | None
    diverged: bool = False

    @model_validator(mode="before")
    @classmethod
    def _without_number(cls, fields: dict[str, object]) -> dict[str, object]:
        """What is no finite number is none, in states of earlier versions too."""
        metric = fields.get("metric")
        if metric is None or math.isfinite(float(str(metric))):
            return fields
        return {**fields, "metric": None, "diverged": True}


def best(trials: Sequence[TriedSettings], direction: Direction) -> int | None:
    """Index of the best measured trial, the earliest among equals; ``None`` where none was measured."""
    return next(iter(ranked(trials, direction)), None)


def ranked(trials: Sequence[TriedSettings], direction: Direction) -> list[int]:
    """Indices of the measured trials, best first."""
    sign = 1 if direction is Direction.MINIMIZE else -1
    return [i for _, i in sorted((sign * t.metric, i) for i, t in enumerate(trials) if t.metric is not None)]


def propose(
    knobs: Sequence[Knob], trials: Sequence[TriedSettings], direction: Direction, seed: int, startup: int
) -> dict[str, Value] | None:
    """Settings not tried yet, or ``None`` where the sampler finds no more.

    The study is made anew from the trials each time and its sampler seeded by their number, so that the
    proposal follows from the arguments alone: a resumed run proposes what an undisturbed one does.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=seed * 10_007 + len(trials), n_startup_trials=startup)
    study = optuna.create_study(direction=direction.value, sampler=sampler)
    space = {knob.name: distribution(knob) for knob in knobs}
    study.add_trials([_frozen(trial, space) for trial in trials if trial.metric is not None and _inside(trial, space)])
    tried = [trial.values for trial in trials]
    for _ in range(_ATTEMPTS):
        values = readable(study.ask(space).params, knobs)
        if values not in tried:
            return values
    return None


def distribution(knob: Knob) -> optuna.distributions.BaseDistribution:
    """What Optuna draws a knob's value from."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    match kind_of(knob):
        case "choice":
            return CategoricalDistribution(knob.choices)
        case "int":
            return IntDistribution(int(knob.low), int(knob.high), log=knob.log)
        case "float":
            return FloatDistribution(knob.low, knob.high, log=knob.log)


def _frozen(
    trial: TriedSettings, space: Mapping[str, optuna.distributions.BaseDistribution]
) -> optuna.trial.FrozenTrial:
    import optuna

    return optuna.create_trial(params=dict(trial.values), distributions=dict(space), value=trial.metric)


def _inside(trial: TriedSettings, space: Mapping[str, optuna.distributions.BaseDistribution]) -> bool:
    """Whether Optuna can take the trial: the starter's own value may lie outside what it states."""
    from optuna.distributions import CategoricalDistribution

    return all(
        trial.values[name] in allowed.choices
        if isinstance(allowed, CategoricalDistribution)
        else allowed._contains(allowed.to_internal_repr(trial.values[name]))
        for name, allowed in space.items()
    )


def readable(params: Mapping[str, Value], knobs: Sequence[Knob]) -> dict[str, Value]:
    """Floats to four significant digits, as a person would write them, kept inside their range."""
    values: dict[str, Value] = {}
    for knob in knobs:
        value = params[knob.name]
        is_free = kind_of(knob) == "float"
        values[knob.name] = min(max(float(f"{value:.4g}"), knob.low), knob.high) if is_free else value
    return values
