from __future__ import annotations

from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from flows.cli.tree import app
from flows.errors import UsageError
from flows.settings import Settings
from tasks_catalog.library.extras import DISTRIBUTION


def test_the_version_is_told() -> None:
    told = CliRunner().invoke(app, ["--version"])
    assert (told.exit_code, told.stdout.strip()) == (0, f"mlab {version(DISTRIBUTION)}")


def test_a_setting_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_UNSAFE_NO_SANDBOX", "perhaps")
    with pytest.raises(UsageError, match=r"unsafe_no_sandbox: should be true or false"):
        Settings()


@pytest.mark.parametrize("group", [[], ["tasks"], ["server"]])
def test_what_a_command_does_is_said_whole_in_the_list_of_commands(group: list[str]) -> None:
    told = CliRunner().invoke(app, [*group, "--help"], terminal_width=80)
    assert "Commands:" in told.stdout
    assert "..." not in told.stdout.partition("Commands:")[2]
