"""The script of a run applied to the task's sibling, whose column is called otherwise."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import variables_of
from tests.flows.command import SLOPE, mlab_json
from tests.flows.conftest import Finished


@pytest.fixture
def sibling(tmp_path: Path) -> Path:
    """The same line, whose values are called z, three times as steep."""
    task = Path(shutil.copytree(SLOPE, tmp_path / "incline"))
    for file in (task / "task.toml", task / "prepare.py", task / "grade.py", task / "workspace" / "train.py"):
        text = file.read_text().replace('"slope"', '"incline"').replace('"y"', '"z"').replace("2.5 * x", "2.0 * x")
        file.write_text(text)
    return task


def test_both_gains_are_told(undisturbed: Finished, prefect_server: str, sibling: Path, tmp_path: Path) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    mapping = tmp_path / "map.yaml"
    mapping.write_text("columns:\n  y: z\n")
    asked = ("transfer", "--from", undisturbed.run_id, "--to", str(sibling), "--map", str(mapping))
    result = mlab_json(*asked, env=environment)
    assert (result["task"], result["agent"], result["status"]) == ("incline", "transfer", "completed")
    origin = result["transferred"]
    assert (origin["task"], origin["improvement"]) == ("slope", undisturbed.result["improvement"])
    assert result["improvement"] != pytest.approx(origin["improvement"])
    write = mlab_json("show", result["run_id"], env=environment)[0]
    assert "p['z']" in write["action"]["args"]["content"]
    report = undisturbed.home / "reports" / result["run_id"]
    assert "| slope | incline |" in (report / "report.md").read_text()
    assert "Scripts applied to another task" in (report / "report.html").read_text()


def test_without_the_map_the_script_fails_and_the_run_says_so(
    undisturbed: Finished, prefect_server: str, sibling: Path
) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    result = mlab_json("transfer", "--from", undisturbed.run_id, "--to", str(sibling), expect=1, env=environment)
    assert result["invalid_submission"]
