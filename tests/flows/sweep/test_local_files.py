"""What lies in the folder where a sweep is started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.command import SLOPE


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("mlab_environment")
def test_a_file_called_as_a_package_of_ours_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("raise SystemExit('this is not the package')\n")
    file = tmp_path / "small.yaml"
    file.write_text(f"tasks: [{SLOPE}]\nagents: [nop]\n")
    asked = [sys.executable, "-P", "-m", "flows", "sweep", str(file), "--local", "1"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 run, 1 done" in done.stdout
