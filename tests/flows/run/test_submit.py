"""``--submit best-validated``: the step is graded whose training run was best on validation data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from environment.mlflow.database import open_client
from tests.flows.command import SLOPE, mlab, mlab_json

pytestmark = pytest.mark.usefixtures("mlab_environment")
RUINS = "tests.flows.agents:RuinsItsSubmission"


def run(agent: str, *options: str) -> dict[str, Any]:
    result: dict[str, Any] = mlab_json("run", str(SLOPE), "--agent", agent, *options)
    return result


def test_a_ruined_submission_is_not_the_one_that_is_graded(home: Path, tmp_path: Path) -> None:
    last, best = run(RUINS, "--intermediate"), run(RUINS, "--submit", "best-validated")
    good, ruined = best["score"], last["score"]
    assert good < 30 < ruined
    assert best["success"]
    assert not last["success"]
    made = best["submission"]
    assert (made["rule"], made["step"], made["best_validated"]["step"]) == ("best-validated", 1, 1)
    assert made["best_validated"]["metric"] == "validation MAE"
    assert (made["other"]["step"], made["other"]["score"]) == (4, ruined)
    assert last["submission"]["step"] == 4
    assert last["submission"]["other"]["score"] == good, "where every step was graded, the other rule is known too"
    _shown_everywhere(home, tmp_path, best, last)


def _shown_everywhere(home: Path, folder: Path, best: dict[str, Any], last: dict[str, Any]) -> None:
    shown = " ".join(mlab("show", best["run_id"]).stdout.split())
    assert "submitted step 1, best-validated" in shown
    assert mlab_json("grade", best["run_id"])["changed"] == {}
    regraded = mlab_json("grade", best["run_id"], "--intermediate")
    assert [row["score"] for row in regraded["grades"]][1] == best["score"]
    done = mlab("report", "--out", str(folder / "report"))
    assert done.returncode == 0, done.stderr
    table = (folder / "report" / "runs.csv").read_text()
    assert "RuinsItsSubmission · best-validated" in table
    assert "lost by going on" in table
    client = open_client(f"sqlite:///{home}/mlflow/mlflow.db")
    experiments = [found.experiment_id for found in client.search_experiments()]
    runs = client.search_runs(experiments, "tags.`mlab.submit` = 'best-validated'")
    (seen,) = [one for one in runs if "mlab.run_id" in one.data.tags]
    assert seen.data.metrics["submitted/step"] == 1
    assert seen.data.metrics["not_submitted/score"] == pytest.approx(last["score"])


def test_without_a_validation_value_the_last_one_counts() -> None:
    asked = ("run", str(SLOPE), "--agent", "tests.flows.agents:SubmitsNothing", "--submit", "best-validated")
    result = mlab_json(*asked, expect=1)
    assert (result["submission"]["step"], result["submission"]["best_validated"]) == (0, None)
