"""A folder of the user's that is called like a package of this program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.cli.in_process import command


def test_another_package_in_place_of_ours_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "__init__.py").touch()
    done = subprocess.run(
        [sys.executable, "-m", "flows", "--version"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert f"Python finds another in its place: {tmp_path}/agent/__init__.py" in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_an_agent_in_a_file_called_agent_is_named_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.py").write_text("class My:\n    pass\n")
    done = command("run", "house-price", "--agent", "agent:My")
    assert done.code == 2
    assert "agent.py:My" in done.printed


@pytest.mark.parametrize("module", ["flows", "flows.cli.app"])
def test_the_command_is_there_as_a_module(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("mlab ")
