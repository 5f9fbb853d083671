"""What foreign code leaves running ends with the block that it ran in, and nothing else does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, subprocess
from multiprocessing import resource_tracker
from foundation.copies import ending_leftovers, lasting

def sleeper(*before, **more):
    return subprocess.Popen([*before, "sleep", "60"], env={**os.environ, **more})

earlier = sleeper()
with ending_leftovers():
    left = sleeper("setsid")
    below = subprocess.run(["sh", "-c", "setsid sleep 60 > /dev/null 2>&1 & echo $!"], capture_output=True, text=True)
    service = sleeper(**lasting("/home/prefect"))
    resource_tracker.ensure_running()
for process in (earlier, service):
    print(process.poll())
    process.kill()
print(*(os.path.exists(f"/proc/{pid}") for pid in (left.pid, below.stdout.strip())))
print(resource_tracker._resource_tracker._check_alive())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")
@pytest.mark.parametrize("inherited", [{}, {"MLAB_SERVICE": "/home/worker"}])
def test_what_was_left_running_is_ended_and_nothing_else(inherited: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **inherited},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert done.stdout.splitlines() == ["None", "None", "False False", "True"]
