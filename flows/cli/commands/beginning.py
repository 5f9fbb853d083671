"""Which runs of a sweep cannot begin as this machine is, told before anything is started."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from environment.records import RunConfig
from environment.records.display import counted
from environment.store import Store
from flows.cli.commands.asked import check_models
from flows.cli.failure import say
from flows.run.checking import check_config
from flows.settings import Settings
from flows.sweep.cells import Cells
from flows.sweep.failures import FailureKind, failure_of
from foundation.errors import MlabError


def require_all(cells: Cells, settings: Settings, store: Store, *, here: bool) -> None:
    """Refuse runs of which one cannot begin.

    Args:
        cells: The runs.
        settings: Of this machine.
        store: Where the runs will be.
        here: Whether this machine makes them, and so needs the keys of their models.

    Raises:
        MlabError: Why it cannot.
    """
    for fault in _faults(cells, settings, store, here=here):
        raise fault.error


def tell_faults(cells: Cells, settings: Settings, store: Store) -> None:
    """Say which runs cannot begin; the others still do.

    Raises:
        MlabError: None of them can.
    """
    faults = _faults(cells, settings, store, here=True)
    if faults and sum(fault.runs for fault in faults) == len(cells.configs):
        first = faults[0].error
        first.hint = f"{first.hint}\nNothing was started. Mend this, then run the same command again.".strip()
        raise first
    for fault in faults:
        say(f"{counted(fault.runs, 'run')} of {len(cells.configs)} cannot begin: {fault.error}")


class _Fault(NamedTuple):
    """Why some runs cannot begin on this machine."""

    error: MlabError
    runs: int


def _faults(cells: Cells, settings: Settings, store: Store, *, here: bool) -> list[_Fault]:
    """What keeps runs from beginning, each with how many runs it keeps; runs that differ in the seed are tried once."""
    found: dict[str, _Fault] = {}
    for error in (cells.unready[config.run_id] for config in cells.configs if config.run_id in cells.unready):
        found[str(error)] = _Fault(error, found[str(error)].runs + 1 if str(error) in found else 1)
    ready = [config for config in cells.configs if config.run_id not in cells.unready]
    alike = Counter(_but_for_the_seed(config).model_dump_json() for config in ready)
    for text, runs in alike.items():
        config = RunConfig.model_validate_json(text)
        try:
            check_config(config, settings, store)
            if here:
                check_models(config)
        except (MlabError, OSError) as error:
            if not isinstance(error, MlabError) or failure_of(error).kind is not FailureKind.SETUP:
                continue  # what is away now may be there when the run begins
            before = found.get(str(error))
            found[str(error)] = _Fault(error, runs + (before.runs if before else 0))
    return list(found.values())


def _but_for_the_seed(config: RunConfig) -> RunConfig:
    return config.model_copy(update={"seed": 0, "run_id": None})
