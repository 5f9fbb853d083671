"""Every command and option that the documents name exists, and every command is documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from environment.records import RunConfig
from flows.cli.tree import app

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CALL = re.compile(r"(?<![\w./-])mlab (?!COMMAND)([^`\n#|]+)")
OF_PREFECT = re.compile(r"^\W*prefect .*", re.MULTILINE)  # where mlab is a work pool

STARTED_BY_PREFECT = re.compile(r"prefect deployment run \S*benchmark-run/\S+(?: -p 'config=(.*)')?")


def command_of(words: list[str]) -> Any:
    """The command that the first words name, groups followed."""
    found: Any = typer.main.get_command(app)
    for word in words:
        commands = getattr(found, "commands", {})
        if not commands or word.startswith("-"):
            break
        assert word in commands, f"no command {word!r} in: mlab {' '.join(words)}"
        found = commands[word]
    return found


def options_of(command: Any) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts if name.startswith("-")} | {"--help"}


def calls(page: Path) -> Iterator[list[str]]:
    """Command lines in code, each as its words."""
    text = page.read_text(encoding="utf-8")
    for code in re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL):
        yield from (call.replace("'", "").split() for call in CALL.findall(OF_PREFECT.sub("", code)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_documented_calls_exist(page: Path) -> None:
    for words in calls(page):
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert options <= options_of(command_of(words)), words


def test_every_command_is_documented() -> None:
    named = {words[0] for page in PAGES for words in calls(page)}
    assert set(getattr(typer.main.get_command(app), "commands", {})) <= named


def test_what_prefects_own_command_starts_is_a_whole_config() -> None:
    started = [found for page in PAGES for found in STARTED_BY_PREFECT.findall(page.read_text(encoding="utf-8"))]
    assert started
    for config in started:
        RunConfig.model_validate_json(config)
