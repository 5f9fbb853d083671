"""``mlab config``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from pydantic_settings import DotEnvSettingsSource

from flows.cli.output import print_json, print_table
from flows.config_files import ConfigFile, config_files, options_of
from flows.services.server import api_url, prefect_service
from flows.settings import ENV_FILE, Settings
from foundation.records import Record

DEFAULT = "default"


class Known(Record):
    """A setting or an option's default, its value as text, and the variable or file that says so."""

    name: str
    value: str | None
    source: str


def print_config(*, as_json: bool) -> None:
    """Print each setting and each option's default from a file, with where it comes from."""
    found = [*_settings(), *_options()]
    if as_json:
        print_json([known.model_dump() for known in found])
    else:
        empty = {"prefect_api_url": "(a server begins with the next run)"}
        print_table(
            [{"name": one.name, "value": one.value or empty.get(one.name, ""), "from": one.source} for one in found]
        )


def _settings() -> Iterator[Known]:
    settings, files, from_env_file = Settings(), config_files(), DotEnvSettingsSource(Settings)()
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if value is None and name in _IN_USE:
            value = _IN_USE[name](settings)
        yield Known(name=name, value=_shown(value), source=_source(name, files, from_env_file))


def _prefect(settings: Settings) -> str | None:
    record = prefect_service(settings).running()
    return api_url(record.url) if record else None


_IN_USE: dict[str, Callable[[Settings], str | None]] = {
    "store": lambda settings: settings.store_url,
    "mlflow_tracking_uri": lambda settings: settings.mlflow_uri,
    "prefect_api_url": _prefect,
}
"""What is used where nobody says anything, of settings whose default depends on others."""


def _source(name: str, files: list[ConfigFile], from_env_file: dict[str, Any]) -> str:
    variable = _variable(name)
    if variable in {each.upper() for each, value in os.environ.items() if value}:
        return variable
    if {name, variable.lower(), variable} & from_env_file.keys():
        return str(Path(ENV_FILE).absolute())
    return next((str(file.path) for file in files if name in file.settings), DEFAULT)


def _variable(name: str) -> str:
    alias = Settings.model_fields[name].validation_alias
    return name.upper() if alias is not None else f"MLAB_{name.upper()}"


def _options() -> Iterator[Known]:
    seen = set()
    for default in options_of(config_files()):
        name = f"{default.command} --{default.option.replace('_', '-')}"
        if name not in seen:
            seen.add(name)
            yield Known(name=name, value=_shown(default.value), source=str(default.path))


def _shown(value: object) -> str | None:
    return "(hidden)" if isinstance(value, SecretStr) else None if value is None else str(value)
