from __future__ import annotations

from importlib.metadata import version

from typer.testing import CliRunner

from flows.cli import app
from flows.lock import DISTRIBUTION


def test_the_version_is_told() -> None:
    told = CliRunner().invoke(app, ["--version"])
    assert (told.exit_code, told.stdout.strip()) == (0, f"mlab {version(DISTRIBUTION)}")
