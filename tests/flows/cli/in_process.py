"""Runs commands in this process: what starts no run need not pay for a process of its own."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from flows.cli.app import app
from flows.cli.failure import explain
from foundation.errors import MlabError


class Ended(NamedTuple):
    """How a command ended: with its exit code, what it printed, and an error that only a traceback would tell."""

    code: int
    printed: str
    fault: BaseException | None


def command(*arguments: str) -> Ended:
    """Run a command as ``mlab`` would, but start no server, and let go of errors that nothing speaks of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flows.run.early.start_early", lambda _: None)
        done = CliRunner().invoke(app, list(arguments))
    error = done.exception
    if isinstance(error, MlabError):
        return Ended(explain(error), f"{done.output}\n{error}", None)
    return Ended(done.exit_code, done.output, None if isinstance(error, SystemExit) else error)
