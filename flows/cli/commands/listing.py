"""``mlab list``: everything that can be named, and where it lies."""

from __future__ import annotations

from agent.registry import AGENTS
from environment.actions.registry import ACTIONS
from environment.sandbox.backends import SANDBOXES
from evaluation.importers.registry import IMPORTERS
from evaluation.report.columns import COLUMNS
from flows.cli.output import print_json, print_table
from flows.errors import UsageError
from foundation.plugins import Plugin, Plugins
from tasks_catalog.library.extras import EXTRAS

REGISTRIES: dict[str, Plugins[object]] = {
    registry.kind: registry  # type: ignore[misc]
    for registry in (AGENTS, ACTIONS, SANDBOXES, IMPORTERS, COLUMNS, EXTRAS)
}


def list_plugins(kind: str, *, as_json: bool) -> None:
    """Print one kind of things with a line each.

    Raises:
        UsageError: There is no such kind.
    """
    registry = REGISTRIES.get(kind)
    if registry is None:
        raise UsageError(f"There are no {kind} to list.", hint=f"Kinds: {', '.join(REGISTRIES)}.")
    plugins = registry.listing()
    if as_json:
        print_json([plugin.model_dump() for plugin in plugins])
        return
    print_table([_row(plugin) for plugin in plugins])
    print(f"A package adds to them by entry points of the group {registry.group}.")


def _row(plugin: Plugin) -> dict[str, str]:
    return {"name": plugin.name, "what": plugin.help, "where": plugin.where, "package": plugin.package or ""}
