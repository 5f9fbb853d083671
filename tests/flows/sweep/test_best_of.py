"""Best of n: the run that was best on validation data counts, at the cost of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import SLOPE, mlab, mlab_json, trajectory

pytestmark = pytest.mark.usefixtures("mlab_environment")


@pytest.mark.slow
def test_the_best_on_validation_counts_and_is_a_contestant_of_its_own(tmp_path: Path) -> None:
    sweep = tmp_path / "three.yaml"
    sweep.write_text(f"tasks: [{SLOPE}]\nagents: [tuner]\nsettings: [{{trials: 1}}]\nseeds: 3\n")
    assert mlab("sweep", str(sweep)).returncode == 0
    members = {run["run_id"]: run["result"] for run in mlab_json("show")}
    (found,) = mlab_json("best-of", "3", "--sweep", "three")
    result, best = found["result"], members[found["chosen"]]
    assert set(found["members"]) == members.keys()
    assert result["score"] == best["score"] == min(one["score"] for one in members.values())
    assert result["training_runs"] == sum(one["training_runs"] for one in members.values())
    assert result["seconds"] == pytest.approx(sum(one["seconds"] for one in members.values()))
    assert trajectory(found["run_id"]) == trajectory(found["chosen"])
    assert mlab_json("best-of", "3", "--sweep", "three") == [found], "made again, it is the same run"
    assert mlab_json("grade", found["run_id"])["changed"] == {}
    _reported(tmp_path, found)


def _reported(folder: Path, found: dict[str, Any]) -> None:
    done = mlab("report", "--out", str(folder / "report"))
    assert done.returncode == 0, done.stderr
    table = (folder / "report" / "runs.csv").read_text()
    assert sum(line.startswith("tuner · best of 3,") for line in table.splitlines()) == 1
    assert sum(line.startswith("tuner,") for line in table.splitlines()) == 3
    assert "[" not in table.splitlines()[1].split(",")[0]
    assert mlab("best-of", "2", found["run_id"]).returncode == 2, "what stands for several is no run to choose from"
