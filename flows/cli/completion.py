"""What a shell offers for an argument that is being typed; like ``flows.cli.tree``, this imports nothing heavy."""

from __future__ import annotations

from contextlib import suppress

from foundation.errors import MlabError


def tasks(incomplete: str) -> list[str]:
    """Tasks of the catalogue."""
    from tasks_catalog.catalog import list_tasks

    with suppress(MlabError):
        return [task.name for task in list_tasks(holes=True) if task.name.startswith(incomplete)]
    return []


def agents(incomplete: str) -> list[str]:
    """Agents that have a name."""
    from agent.registry import AGENTS

    return [name for name in AGENTS.names() if name.startswith(incomplete)]


def runs(incomplete: str) -> list[str]:
    """Ids of the store's runs."""
    from environment.journal.runs import run_folders
    from environment.store import Store
    from flows.settings import Settings

    with suppress(MlabError, OSError):
        return [run_id for run_id in run_folders(Store(Settings().store_url)) if run_id.startswith(incomplete)]
    return []


def sweeps(incomplete: str) -> list[str]:
    """Names of the store's sweeps."""
    from environment.store import Store
    from flows.settings import Settings
    from flows.sweep.kept import kept_sweeps

    with suppress(MlabError, OSError):
        names = (sweep.spec.name for sweep in kept_sweeps(Store(Settings().store_url)))
        return [name for name in names if name.startswith(incomplete)]
    return []


def sandboxes(incomplete: str) -> list[str]:
    """Kinds of sandboxes."""
    from environment.sandbox.backends import SANDBOXES

    return [name for name in ("auto", *SANDBOXES.names()) if name.startswith(incomplete)]


def formats(incomplete: str) -> list[str]:
    """Formats of logs."""
    from evaluation.importers.registry import IMPORTERS

    return [name for name in IMPORTERS.names() if name.startswith(incomplete)]


def kinds(incomplete: str) -> list[str]:
    """What ``mlab list`` lists."""
    from flows.cli.commands.listing import REGISTRIES

    return [kind for kind in REGISTRIES if kind.startswith(incomplete)]
