"""``mlab transfer``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from agent.registry import TRANSFER
from environment.store import Store
from flows.cli.commands.asked import new_config
from flows.cli.commands.run import run_benchmark
from flows.errors import UsageError
from flows.run.finding import find_run
from flows.settings import Settings
from flows.sweep.reading import read_yaml


def transfer_run(
    source: str, mapping: Path | None, fields: Mapping[str, object], *, unsafe: bool, as_json: bool
) -> None:
    """Run the transfer agent, print the result with both gains, and exit with its code.

    Args:
        source: The run whose script is taken, as typed.
        mapping: What is called otherwise on the other task.
        fields: Of the run's config.
        unsafe: Allow no sandbox.
        as_json: Print JSON.
    """
    run_id = find_run(Store(Settings().store_url), source)
    settings = {"replace": read_mapping(mapping)} if mapping else {}
    config = new_config(agent=TRANSFER, recording=run_id, settings=settings, **fields)
    run_benchmark(config, as_json=as_json, unsafe=unsafe)


def read_mapping(path: Path) -> list[list[str]]:
    """The pairs of a mapping file: texts and what they become, flat or under headings such as ``columns``.

    Raises:
        UsageError: It says something else.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise UsageError(f"{path} must be a mapping.", hint="Its lines are such as `SalePrice: Transported`.")
    return [list(pair) for pair in _pairs(content, path)]


def _pairs(content: Mapping[object, object], path: Path) -> Iterator[tuple[str, str]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _pairs(value, path)
        elif isinstance(name, str) and isinstance(value, str):
            yield name, value
        else:
            raise UsageError(f"{path}: {name!r}: {value!r} is no text and what it becomes.", hint="Quote both.")
