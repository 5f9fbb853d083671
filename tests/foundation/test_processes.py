from __future__ import annotations

import subprocess
import sys

SHOW = """
import os
from foundation.processes import usable_cores
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
print(usable_cores())
"""


def test_the_cores_of_an_allocation_are_counted_and_not_the_machines() -> None:
    assert subprocess.check_output([sys.executable, "-c", SHOW], text=True).strip() == "1"
