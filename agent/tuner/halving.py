"""Asynchronous successive halving: settings are tried in short runs, and what does well there is run longer.

After Li et al. 2020, *A system for massively parallel hyperparameter tuning*, as Optuna's pruner has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from agent.tuner.search import TriedSettings, distribution, readable
from agent.tuner.space import Knob, Value, kind_of
from tasks_catalog.library.spec import Direction

if TYPE_CHECKING:
    import optuna

_RESOURCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (r"(?:^|_)epochs?(?:$|_)", r"(?:^|_)(?:steps|iterations?|iters?|rounds)(?:$|_)", r"estimators|trees")
)
"""Names of what a script may do less of: epochs first, then steps, then the number of estimators."""
_ATTEMPTS = 30


def resource_of(knobs: Sequence[Knob]) -> Knob | None:
    """The whole number by which a script's runs are made short; ``None`` where it has none."""
    whole = [knob for knob in knobs if kind_of(knob) == "int" and knob.high > max(knob.low, 1)]
    return next((knob for pattern in _RESOURCES for knob in whole if pattern.search(knob.name)), None)


def levels(resource: Knob, eta: int, rungs: int) -> list[int]:
    """The lengths of runs, shortest first: the longest allowed, divided by ``eta`` again and again."""
    amounts = {max(round(resource.high / eta**k), round(resource.low), 1) for k in range(rungs)}
    return sorted(amounts)


class Halving:
    """One search: settings by the sampler, lengths by the pruner.

    The study is made anew from the trials each time, so that a proposal follows from the arguments alone.

    Args:
        knobs: What may be set; the resource among them.
        resource: What makes a run short or long.
        direction: Of the metric.
        seed: Of the sampler.
        startup: Settings drawn at random before the sampler learns from them.
        eta: One of so many goes on to the next length.
        rungs: How many lengths there are at most.
    """

    def __init__(
        self,
        knobs: Sequence[Knob],
        resource: Knob,
        direction: Direction,
        *,
        seed: int,
        startup: int,
        eta: int,
        rungs: int,
    ) -> None:
        self._knobs = [knob for knob in knobs if knob.name != resource.name]
        self._resource = resource.name
        self._levels = levels(resource, eta, rungs)
        self._direction = direction
        self._seed, self._startup, self._eta = seed, startup, eta

    def propose(self, trials: Sequence[TriedSettings]) -> dict[str, Value] | None:
        """The last settings with a longer run where they did well, else new ones with the shortest.

        Args:
            trials: What was run; the first is the starter, which takes no part.
        """
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(
            direction=self._direction.value,
            sampler=optuna.samplers.TPESampler(seed=self._seed * 10_007 + len(trials), n_startup_trials=self._startup),
            pruner=optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=self._eta),
        )
        space = {knob.name: distribution(knob) for knob in self._knobs}
        groups = [(values, list(runs)) for values, runs in groupby(trials[1:], key=self._without_length)]
        promoted = False
        for values, runs in groups:
            promoted = self._replay(study, space, values, runs)
        if promoted:
            return {**groups[-1][0], self._resource: self._levels[len(groups[-1][1])]}
        seen = [values for values, _ in groups]
        for _ in range(_ATTEMPTS if space else len(seen) == 0):
            values = readable(study.ask(space).params, self._knobs)
            if values not in seen:
                return {**values, self._resource: self._levels[0]}
        return None

    def _without_length(self, trial: TriedSettings) -> dict[str, Value]:
        return {name: value for name, value in trial.values.items() if name != self._resource}

    def _replay(
        self,
        study: optuna.Study,
        space: Mapping[str, optuna.distributions.BaseDistribution],
        values: Mapping[str, Value],
        runs: Sequence[TriedSettings],
    ) -> bool:
        """Tell the study of one choice of settings and its runs, shortest first; whether a longer one is due."""
        from optuna.trial import TrialState

        study.enqueue_trial(dict(values))
        trial = study.ask(dict(space))
        for rung, run in enumerate(runs):
            if run.metric is None:
                study.tell(trial, state=TrialState.FAIL)
                return False
            trial.report(run.metric, self._eta**rung)
            if trial.should_prune():
                study.tell(trial, state=TrialState.PRUNED)
                return False
        if len(runs) < len(self._levels):
            return True
        study.tell(trial, runs[-1].metric)
        return False
