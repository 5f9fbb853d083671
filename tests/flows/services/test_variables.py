"""What a process that runs benchmarks tells Prefect of itself."""

from __future__ import annotations

import subprocess
import sys

from flows.deploying.register import SILENT_SECONDS

PROGRAM = """
from flows.services.variables import configure_process
from flows.settings import Settings
configure_process(Settings())
from prefect.settings import get_current_settings
print(get_current_settings().flows.heartbeat_frequency)
"""


def test_a_local_run_gives_two_signs_of_life_before_it_is_taken_for_dead() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert 2 * int(done.stdout) < SILENT_SECONDS
