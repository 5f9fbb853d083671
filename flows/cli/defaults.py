"""Defaults of options that a person's ``mlab.toml`` sets; like ``flows.cli.tree``, this imports nothing heavy."""

from __future__ import annotations

import json
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from flows.config_files import OptionDefault, config_files, is_no_number, options_of
from flows.errors import UsageError
from foundation.errors import MlabError
from foundation.text import meant, shown

_OF_FILES = "mlab.defaults"
_AT_ONCE = "--local"
_ELSEWHERE_AT_ONCE = frozenset(
    {"-j", "--jobs", "--n-jobs", "--parallel", "--processes", "--workers", "--num-workers", "--concurrency"}
)


class TellingCommand(TyperCommand):
    """A command whose errors carry, as a note, which of its options a person's file set."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Read the command line.

        Raises:
            UsageError: How many runs go on at once is asked for by a name that other programs have for it.
        """
        ours = {option for parameter in self.params for option in parameter.opts}
        for option in (argument.partition("=")[0] for argument in args):
            if option in _ELSEWHERE_AT_ONCE - ours and _AT_ONCE in ours:
                raise UsageError(f"No such option: {option}", hint=f"{_AT_ONCE} N sets how many runs go on at once.")
        return super().parse_args(context, args)

    def invoke(self, context: Any) -> Any:
        """Run it."""
        try:
            return super().invoke(context)
        except MlabError as error:
            if held := _that_held(context):
                error.add_note(f"Not from the command line: {', '.join(held)}.")
            raise


def _that_held(context: typer.Context) -> list[str]:
    """The options that have their value from a file, each with its place."""
    of_files: dict[str, OptionDefault] = context.meta.get(_OF_FILES, {}).get(context.info_name, {})
    return [
        f"{default.option.replace('_', '-')} = {default.value!r} ({default.place})"
        for name, default in of_files.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "DEFAULT_MAP"
    ]


def take_defaults(context: typer.Context) -> None:
    """Let the files' tables of options speak where the command line says nothing.

    Raises:
        UsageError: A table names a command or an option that there is not, or a value that the option cannot have.
    """
    found: dict[str, dict[str, OptionDefault]] = {}
    for default in options_of(config_files()):
        options = _options(context, default)
        parameter = options.get(default.option)
        if parameter is None or parameter.name is None:
            raise UsageError(
                f"{default.place}: [{shown(default.command)}] has the option {shown(default.option)}, which there is "
                "not.",
                hint=f"{meant(default.option, options)}`mlab {default.command} --help` lists its options.",
            )
        _check(context, parameter, default)
        found.setdefault(default.command, {}).setdefault(parameter.name, default)
    context.meta[_OF_FILES] = found
    context.default_map = {
        command: {name: default.value for name, default in options.items()} for command, options in found.items()
    }


def _check(context: typer.Context, parameter: TyperOption, default: OptionDefault) -> None:
    if parameter.multiple and not isinstance(default.value, list):
        option = default.option.replace("_", "-")
        raise UsageError(
            f"{default.place}: {shown(option)} of [{default.command}] takes a list.",
            hint=f"Write {option} = {json.dumps([default.value], ensure_ascii=False, default=str)}",
        )
    try:
        if is_no_number(default.value) and not parameter.is_flag:
            raise typer.BadParameter("it is not true or false")
        parameter.process_value(context, default.value)
    except (typer.BadParameter, TypeError) as error:
        said = error.message if isinstance(error, typer.BadParameter) else "it is of another kind"
        option = f"{shown(default.option)} of [{default.command}]"
        raise UsageError(
            f"{default.place}: {option} cannot be {_written(default.value)}: {said}",
            hint=f"`mlab {default.command} --help` says what it can be.",
        ) from error


def _written(value: Any) -> str:
    """A value about as its file has it."""
    return json.dumps(value) if is_no_number(value) else repr(value)


def _options(context: typer.Context, default: OptionDefault) -> dict[str, TyperOption]:
    """The options of a command, by how each is called without its dashes."""
    group = context.command
    commands = group.commands if isinstance(group, TyperGroup) else {}
    command = commands.get(default.command)
    if command is None:
        raise UsageError(
            f"{default.place}: [{shown(default.command)}] is no command.",
            hint=f"{meant(default.command, commands)}`mlab --help` lists the commands.",
        )
    return {
        written.lstrip("-").replace("-", "_"): parameter
        for parameter in command.params
        if isinstance(parameter, TyperOption)
        for written in parameter.opts
        if written.startswith("--")
    }
