"""Runs commands in this process: what starts no run need not pay for a process of its own."""

from __future__ import annotations

import functools
from typing import NamedTuple

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from flows.cli.failure import explain
from flows.cli.tree import app
from foundation.errors import MlabError

_made_once = functools.cache(get_command)


class Ended(NamedTuple):
    """How a command ended: with its exit code, what it printed, and an error that only a traceback would tell."""

    code: int
    printed: str
    fault: BaseException | None


def command(*arguments: str) -> Ended:
    """Run a command as ``mlab`` would, but start no server, and let go of errors that nothing speaks of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flows.run.early.start_early", lambda _: None)
        patch.setattr("typer.testing._get_command", _made_once)  # it takes longer than many a command
        done = CliRunner().invoke(app, list(arguments))
    error = done.exception
    if isinstance(error, MlabError):
        return Ended(explain(error), f"{done.output}\n{error}", None)
    return Ended(done.exit_code, done.output, None if isinstance(error, SystemExit) else error)
