"""Defaults of options that a person's ``mlab.toml`` sets; like ``flows.cli.app``, this imports nothing heavy."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from flows.config_files import config_files, options_of
from flows.errors import UsageError
from foundation.text import shown


def take_defaults(context: typer.Context) -> None:
    """Let the files' tables of options speak where the command line says nothing.

    Raises:
        UsageError: A table names a command or an option that there is not.
    """
    found: dict[str, dict[str, Any]] = {}
    for command, option, value, path in options_of(config_files()):
        name = _parameters(context, command).get(option)
        if name is None:
            raise UsageError(
                f"{path}: [{shown(command)}] has the option {shown(option)}, which there is not.",
                hint=f"`mlab {command} --help` lists its options.",
            )
        found.setdefault(command, {}).setdefault(name, value)
    context.default_map = found


def _parameters(context: typer.Context, command: str) -> dict[str, str]:
    """The options of a command: how each is called without its dashes, and as code knows it."""
    group = context.command
    known = group.commands.get(command) if isinstance(group, TyperGroup) else None
    if known is None:
        raise UsageError(
            f"mlab.toml has the table [{shown(command)}], and there is no such command.",
            hint="`mlab --help` lists the commands.",
        )
    return {
        written.lstrip("-").replace("-", "_"): parameter.name
        for parameter in known.params
        if parameter.name and parameter.param_type_name == "option"
        for written in parameter.opts
        if written.startswith("--")
    }
