"""Who a run counts for: agent, model, conditions, and the settings that tell it from others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from environment.records import UNKNOWN, RunConfig, RunResult
from environment.records.names import conditions
from evaluation.statistics.ablation import settings_of
from evaluation.statistics.entries import Entry, group_by

Named = tuple[str, RunConfig | None]


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

    What is as it is by default is not named: another run that sets something does not rename it.
    """
    usual = settings_of(RunConfig(task=""))
    names: dict[int, str] = {}
    for same in group_by(enumerate(runs), lambda numbered: numbered[1][0]).values():
        settings = [settings_of(config) if config else {} for _, (_, config) in same]
        values: defaultdict[str, set[str]] = defaultdict(set)
        for name in {name for one in settings for name in one}:
            values[name] = {one.get(name, "unset") for one in settings}
        varying = sorted(name for name, seen in values.items() if len(seen) > 1)
        for (n, (contestant, _)), one in zip(same, settings, strict=True):
            suffix = ", ".join(
                f"{name.rpartition('.')[2]} {one[name]}"
                for name in varying
                if name in one and one[name] != usual.get(name)
            )
            names[n] = f"{contestant} · {suffix}" if suffix else contestant
    return [names[n] for n in range(len(runs))]
