"""Temporary files lie in the run's home and outlive neither the run nor, for long, a kill."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from environment.sandbox.owner import Owner
from environment.snapshots.walk import scratch_folder
from environment.workspace.scratch import reap_scratch, scratch_in

_KILLED = """
import os, signal, sys
from pathlib import Path
from environment.snapshots.walk import scratch_folder
from environment.workspace.scratch import scratch_in
with scratch_in(Path(sys.argv[1])), scratch_folder("mlab-test-") as folder:
    (folder / "file").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_temporary_files_lie_below_and_go_with_the_run(tmp_path: Path) -> None:
    before = tempfile.gettempdir()
    with scratch_in(tmp_path / "scratch"), scratch_folder("mlab-test-") as folder:
        assert folder.parent == tmp_path / "scratch" / Owner.current().mark
    assert tempfile.gettempdir() == before
    assert not list((tmp_path / "scratch").iterdir())


def test_what_a_killed_process_left_is_collected(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
    assert len(list(tmp_path.rglob("file"))) == 1
    (tmp_path / "unrelated").mkdir()
    assert reap_scratch(tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["unrelated"]
