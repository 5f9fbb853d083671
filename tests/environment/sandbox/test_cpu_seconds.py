"""Processor time is seen, with and without a control group that counts it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from environment.sandbox.cgroups import ControlGroup
from environment.sandbox.usage import cpu_seconds, descendants

SPINS = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
STARTS_IT = f"import subprocess, sys, time\nsubprocess.run([sys.executable, '-c', {SPINS!r}])\ntime.sleep(60)"


def test_of_a_process_and_the_children_it_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", STARTS_IT]) as process:
        try:
            deadline = time.monotonic() + 30
            while (used := cpu_seconds(descendants(process.pid))) < 0.5 and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            process.kill()
    assert 0.5 <= used < 5


def test_of_what_is_gone_nothing_is_told() -> None:
    assert cpu_seconds([2**22 + 1]) == 0


def test_a_group_counts_it_where_its_version_does(tmp_path: Path) -> None:
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    assert ControlGroup(version=2, folders={"cpu": tmp_path}).cpu_seconds() == 1.5
    assert ControlGroup(version=1, folders={"cpu": tmp_path}).cpu_seconds() is None
    assert ControlGroup(version=2).cpu_seconds() is None
