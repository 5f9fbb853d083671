"""Defaults that a person keeps in a file: ``mlab.toml``, or ``[tool.mlab]`` of a ``pyproject.toml``.

The file in the current folder comes before the one in the user's own configuration folder. At the top stand settings
of the machine (``home = "…"``); a table named after a command (``[run]``) holds defaults of its options.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from flows.errors import UsageError
from foundation.records import Record

FILE = "mlab.toml"
PROJECT, TOOL = "pyproject.toml", "mlab"


class ConfigFile(Record):
    """What one file says.

    Attributes:
        path: The file.
        settings: Settings of the machine, by name.
        commands: Defaults of options, by command and option.
    """

    path: Path
    settings: Mapping[str, Any]
    commands: Mapping[str, Mapping[str, Any]]

    def place_of(self, setting: str) -> str:
        """The file, with the line where one begins with the setting's name."""
        return _place(self.path, TOOL if self.path.name == PROJECT else "", setting)


class OptionDefault(NamedTuple):
    """What a file says of one option.

    Attributes:
        command: The command's name.
        option: The option's, without dashes and as in code: ``max_steps``.
        value: Its value, as TOML has it.
        path: The file.
    """

    command: str
    option: str
    value: Any
    path: Path

    @property
    def place(self) -> str:
        """The file, with the line where one begins with the option's name, or its table does."""
        return _place(self.path, self.command, self.option)


def _place(path: Path, table: str, name: str) -> str:
    """The file, with the line where one of the table begins with the name, or the table does."""
    written, within, begun = name.replace("_", "[-_]"), "", None
    for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if head := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            within = head[1].rpartition(".")[2]
            begun = n if within == table else begun
        elif within == table and re.match(rf"""\s*["']?{written}["']?\s*=""", line):
            return f"{path}, line {n}"
    return f"{path}, line {begun}" if begun else str(path)


def config_files() -> list[ConfigFile]:
    """The files that hold for this process, the first before the second.

    Raises:
        UsageError: One cannot be read.
    """
    user = Path(platformdirs.user_config_dir("mlab")) / FILE
    tables = (_table(Path(FILE)) or _tool_table(Path(PROJECT)), _table(user))
    return [_parted(*found) for found in tables if found is not None]


def settings_of(files: list[ConfigFile]) -> dict[str, Any]:
    """The settings of all files."""
    return {name: value for file in reversed(files) for name, value in file.settings.items()}


def options_of(files: list[ConfigFile]) -> Iterator[OptionDefault]:
    """Each default, those that hold before others."""
    for file in files:
        for command, options in file.commands.items():
            for option, value in options.items():
                yield OptionDefault(command, option.replace("-", "_"), value, file.path)


def _table(path: Path) -> tuple[Path, dict[str, Any]] | None:
    try:
        state = path.stat()
        return path.absolute(), _read(path.absolute(), state.st_ino, state.st_size, state.st_mtime_ns)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(path, error) from error


def is_no_number(value: object) -> bool:
    """Whether a value is true or false, or has such a one in it, which Python would count as 1 or 0."""
    return any(isinstance(one, bool) for one in (value if isinstance(value, list) else [value]))


def unreadable(path: Path, error: Exception) -> UsageError:
    """What to raise for a file of settings that is there and cannot be read."""
    hint = "Mend it, or move it away: mlab does without it."
    return UsageError(f"{path.absolute()} cannot be read: {error}", hint=hint)


@functools.lru_cache(maxsize=8)
def _read(path: Path, *state: int) -> dict[str, Any]:
    """What a file says, read once for each state in which it is met: settings are made many times a command."""
    del state
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _tool_table(path: Path) -> tuple[Path, dict[str, Any]] | None:
    """A project's file may be wrong in what is none of ours: then it has nothing to say."""
    try:
        found = _table(path)
    except UsageError:
        return None
    tool = found[1].get("tool") if found else None
    ours = tool.get(TOOL) if isinstance(tool, dict) else None
    return (found[0], ours) if found and isinstance(ours, dict) else None


def _parted(path: Path, table: dict[str, Any]) -> ConfigFile:
    commands = {name: value for name, value in table.items() if isinstance(value, dict)}
    # As with a variable, an empty value says nothing.
    settings = {name: value for name, value in table.items() if name not in commands and value != ""}
    return ConfigFile(path=path, settings=settings, commands=commands)
