"""Cells: the runs of a sweep, each with an id that says what its result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import product
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from agent.registry import WITHOUT_MODEL
from environment.gpus.choice import GpuChoice
from environment.records import RunConfig
from environment.records.display import joined
from flows.data import data_of
from flows.errors import UsageError
from flows.names import SWEEP_TAG, new_run_id
from flows.settings import Settings
from flows.sweep.exclusions import idle, without
from flows.sweep.spec import SweepSpec
from foundation.records import Record
from foundation.validation import faults
from tasks_catalog.catalog import load_task
from tasks_catalog.library.data.digest import content_digest
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.extras import DISTRIBUTION
from tasks_catalog.library.spec import Task, Variant

NOT_IDENTITY = frozenset({"run_id", "branch", "tags", "intermediate", "share_gpus"})
"""Fields of a config that its result doesn't depend on."""

_OF_THE_SWEEP = ("variant", "sandbox", "gpus", "share_gpus", "profile", "budget", "intermediate")
_OF_AN_AGENT = {"guard", "guard_model", "submit", "memory", "memory_of_same_data", "gateway"}
_MODELS = ("model", "fast_model", "edit_model")
MOST_RUNS = 100_000
_ID_LENGTH = 16
_NOT_MADE = "not made"


class TaskLock(Record):
    """What a task's results depend on besides the config."""

    task_digest: str
    data_digest: str
    code_version: str


class Cells(NamedTuple):
    """Runs with their ids, and by its id why a run cannot begin: its task is missing or wrong, or has no data."""

    configs: list[RunConfig]
    unready: dict[str, TaskError]


def expand(spec: SweepSpec) -> list[RunConfig]:
    """The configs of a sweep in the order of its file, each once.

    Raises:
        UsageError: There is none, there are too many, or one is wrong.
    """
    _check_size(spec)
    found = without(_product(spec), spec.exclude)
    found += [_included(spec, fields) for fields in spec.include]
    unique = list({config.model_dump_json(): config for config in found}.values())
    if not unique:
        raise UsageError(f"The sweep {spec.name} has no runs.", hint=_what_is_missing(spec))
    return unique


def _what_is_missing(spec: SweepSpec) -> str:
    """What to write so that there are runs."""
    lines = {"tasks": "tasks: [house-price]", "agents": "agents: [tuner]"}
    missing = [line for name, line in lines.items() if not getattr(spec, name)]
    if missing:
        return f"It names no {joined([line.partition(':')[0] for line in missing])}. Add a line such as `{missing[0]}`."
    return "All are excluded: exclude less."


def slips(spec: SweepSpec, configs: Sequence[RunConfig]) -> list[str]:
    """What a sweep says to no effect, in words: an exclusion that no run of it is like, a model of who calls none."""
    found = idle(_product(spec), spec.exclude)
    for config in configs:
        named = [field for field in _MODELS if getattr(config, field) is not None]
        if named and config.agent in WITHOUT_MODEL:
            have = "has" if len(named) == 1 else "have"
            found.append(f"The agent {config.agent} calls no model: {joined(named)} {have} no effect.")
        if config.memory_of_same_data and config.memory is None:
            found.append("memory_of_same_data says which lessons of a memory count; without `memory` it has no effect.")
    return list(dict.fromkeys(found))


def cells_of(configs: list[RunConfig], spec: SweepSpec, settings: Settings) -> Cells:
    """The configs with their run ids; equal work has an equal id in every sweep and on every machine.

    Makes the data of tasks that state no checksum of it.
    """
    locks: dict[tuple[str, Variant], TaskLock] = {}
    unready: dict[tuple[str, Variant], TaskError] = {}
    cells = Cells([], {})
    for config in configs:
        key = config.task, config.variant
        if key not in locks:
            try:
                locks[key] = _lock(load_task(config.task), config.variant, settings)
            except TaskError as error:
                locks[key], unready[key] = _lock_of_none(config.task), error
        known = run_id(config, locks[key])
        cells.configs.append(config.model_copy(update={"run_id": known, "tags": (f"{SWEEP_TAG}{spec.name}",)}))
        if key in unready:
            cells.unready[known] = unready[key]
    return cells


def run_id(config: RunConfig, lock: TaskLock) -> str:
    """The id of a run by all that its result depends on; what is left at its default counts as not said."""
    asked = config.model_dump(mode="json", exclude=set(NOT_IDENTITY), exclude_defaults=True)
    if "gpus" in asked:  # which card it is makes no difference
        asked["gpus"] = GpuChoice.parse(config.gpus).count
    # The same folder may lie elsewhere on another machine; its digest says what it is.
    del asked["task"]
    identity = json.dumps({"config": asked, "lock": lock.model_dump()}, sort_keys=True)
    return new_run_id(config, hashlib.sha256(identity.encode()).hexdigest(), length=_ID_LENGTH)


def _check_size(spec: SweepSpec) -> None:
    count = len(spec.include)
    for named in spec.agents:
        choices = (len(spec.models if named.models is None else named.models) or 1) * (
            len(spec.settings if named.settings is None else named.settings) or 1
        )
        count += len(spec.tasks) * choices * (spec.seeds if isinstance(spec.seeds, int) else len(spec.seeds))
    if count > MOST_RUNS:
        raise UsageError(
            f"The sweep {spec.name} has {count:,} runs; at most {MOST_RUNS:,} are taken.",
            hint="Name fewer seeds, or split it into several files.",
        )


def _product(spec: SweepSpec) -> Iterator[RunConfig]:
    seeds = range(spec.seeds) if isinstance(spec.seeds, int) else spec.seeds
    for task, named in product(spec.tasks, spec.agents):
        models = spec.models if named.models is None else named.models
        settings = spec.settings if named.settings is None else named.settings
        for model, chosen, seed in product(models or (None,), settings or ({},), seeds):
            own = {"task": task, "agent": named.agent, "model": model, "seed": seed, "settings": chosen}
            how = named.model_dump(include=_OF_AN_AGENT)
            yield _config(spec, {**own, **how})


def _common(spec: SweepSpec) -> dict[str, object]:
    return {name: getattr(spec, name) for name in _OF_THE_SWEEP}


def _included(spec: SweepSpec, fields: Mapping[str, JsonValue]) -> RunConfig:
    return _config(spec, fields)


def _config(spec: SweepSpec, fields: Mapping[str, object]) -> RunConfig:
    try:
        return RunConfig.model_validate({**_common(spec), **fields})
    except ValidationError as error:
        raise UsageError(
            "\n".join([f"A run of the sweep {spec.name} is wrong:", *faults(error, of=RunConfig)])
        ) from error


def _data_digest(task: Task, variant: Variant, settings: Settings) -> str:
    stated = task.spec.variants.get(variant)
    if stated is not None and stated.digest is not None:
        return stated.digest
    return data_of(task, variant, settings).digest


def _lock(task: Task, variant: Variant, settings: Settings) -> TaskLock:
    data_digest = _data_digest(task, variant, settings)
    digest = content_digest(*task.folders)
    return TaskLock(task_digest=digest, data_digest=data_digest, code_version=version(DISTRIBUTION))


def _lock_of_none(task: str) -> TaskLock:
    """Of a task that cannot be run: tells such tasks apart, and no run that has begun has it."""
    return TaskLock(task_digest=f"{_NOT_MADE}: {task}", data_digest=_NOT_MADE, code_version=version(DISTRIBUTION))
