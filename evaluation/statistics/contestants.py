"""Who a run counts for: agent, model, conditions, and the settings that tell it from others."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from environment.records import UNKNOWN, RunConfig, RunResult
from environment.records.names import conditions
from evaluation.statistics.ablation import Settings, settings_of
from evaluation.statistics.entries import Entry, group_by
from foundation.text import clipped

Named = tuple[str, RunConfig | None]

_LONGEST_VALUE = 40


def entries_of(runs: Sequence[tuple[RunResult, RunConfig | None]]) -> list[Entry]:
    """Runs under the names of their contestants."""
    names = distinct_names([(contestant_of(result, config), config) for result, config in runs])
    return [
        Entry(contestant=name, result=result, config=config) for name, (result, config) in zip(names, runs, strict=True)
    ]


def contestant_of(result: RunResult, config: RunConfig | None) -> str:
    """Agent, model and conditions; a log that names only its model says nothing of an agent."""
    agent = result.agent.rpartition(":")[2]
    if result.model is None:
        names = [agent]
    else:
        names = [result.model] if result.is_imported and agent == UNKNOWN else [agent, result.model]
    return " · ".join([*names, *(conditions(config) if config else ())])


def distinct_names(runs: Sequence[Named]) -> list[str]:
    """Names with the settings in which runs of the same name differ; the order stays.

    What is as it is by default is not named: another run that sets something does not rename it. A long value is cut,
    unless another one would then look like it.
    """
    names: dict[int, str] = {}
    for same in group_by(enumerate(runs), lambda numbered: numbered[1][0]).values():
        distinguished = _distinguished([settings_of(config) if config else {} for _, (_, config) in same])
        for (n, (contestant, _)), suffix in zip(same, distinguished, strict=True):
            names[n] = f"{contestant} · {suffix}" if suffix else contestant
    return [names[n] for n in range(len(runs))]


def _distinguished(settings: Sequence[Settings]) -> list[str]:
    """By run, the settings in which the runs differ and that are not as they are by default."""
    usual = settings_of(RunConfig(task=""))
    names = {name for one in settings for name in one}
    varying = sorted(name for name in names if len({one.get(name, "unset") for one in settings}) > 1)
    named = [{name: one[name] for name in varying if name in one and one[name] != usual.get(name)} for one in settings]
    whole = [_in_words(one, sys.maxsize) for one in named]
    cut = [_in_words(one, _LONGEST_VALUE) for one in named]
    same_when_cut = group_by(set(zip(cut, whole, strict=True)), lambda pair: pair[0])
    return [short if len(same_when_cut[short]) == 1 else full for short, full in zip(cut, whole, strict=True)]


def _in_words(settings: Settings, longest: int) -> str:
    return ", ".join(f"{name.rpartition('.')[2]} {clipped(value, longest)}" for name, value in settings.items())
