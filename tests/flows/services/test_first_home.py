"""What an installation makes, so that the first home of a user is like a later one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_databases_are_made_and_nothing_else_is_left(tmp_path: Path) -> None:
    folders = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "scratch")}
    (tmp_path / "scratch").mkdir()
    made = [sys.executable, "-m", "flows.services.first_home"]
    subprocess.run(made, env={**os.environ, **folders}, timeout=240, check=True)
    kept = {path.name.partition("-")[0] for path in (tmp_path / "cache" / "mlab" / "databases").iterdir()}
    assert kept == {"prefect", "mlflow"}
    assert list((tmp_path / "scratch").iterdir()) == []
