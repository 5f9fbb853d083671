"""What is said of a run that something ended: to go on with it only where there is more to come."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from environment.store import RunKeys, Store
from flows.run.unended import interrupted
from flows.settings import Settings
from tests.flows.command import SLOPE
from tests.flows.conftest import Finished

FEW_THREADS = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (300_000 * 1024,) * 2)
from flows import limits
from flows.cli.app import main
limits.LEAST_ADDRESS_SPACE = 0
main()
"""
"""A limit that a run meets on its way, as it may where more is reserved than it began with."""


@pytest.mark.usefixtures("mlab_environment")
def test_a_finished_run_is_not_to_be_resumed(undisturbed: Finished, home: Path) -> None:
    shutil.copytree(undisturbed.home / "store", home / "store")
    settings = Settings()
    told = interrupted(undisturbed.run_id, settings, "No space left.")
    assert told.hint == f"The run is finished all the same, and its result is kept: mlab show {undisturbed.run_id}"
    Store(settings.store_url).delete(RunKeys(run_id=undisturbed.run_id).result)
    assert "mlab resume" in interrupted(undisturbed.run_id, settings, "No space left.").hint


@pytest.mark.usefixtures("mlab_environment")
def test_nothing_is_said_of_what_an_error_cut_short() -> None:
    command = [sys.executable, "-c", FEW_THREADS, "run", str(SLOPE), "--agent", "nop"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "Memory or threads are too few here" in done.stderr
    assert "RuntimeWarning" not in done.stderr
