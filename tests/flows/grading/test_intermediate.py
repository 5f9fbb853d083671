"""``--intermediate``: the run goes as it would without, and every step has a grade afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.journal.tables import read_grades
from environment.mlflow.database import open_client
from environment.store import Store
from tests.conftest import variables_of
from tests.flows.command import TUNER, mlab, mlab_json, trajectory
from tests.flows.conftest import Finished

pytestmark = pytest.mark.usefixtures("mlab_environment")


def graded_curve(home: Path, run_id: str) -> list[tuple[int, float]]:
    client = open_client(f"sqlite:///{home}/mlflow/mlflow.db")
    experiments = [found.experiment_id for found in client.search_experiments()]
    (run,) = client.search_runs(experiments, f"tags.`mlab.run_id` = '{run_id}'")
    return [(point.step, point.value) for point in client.get_metric_history(run.info.run_id, "graded/score")]


def test_a_run_grades_its_steps_afterwards_and_goes_as_without(undisturbed: Finished, home: Path) -> None:
    result: dict[str, Any] = mlab_json(*TUNER, "--intermediate")
    assert trajectory(result["run_id"]) == undisturbed.steps, "an agent must not see that its steps are graded"
    grades = read_grades(Store(str(home / "store")), result["run_id"])
    assert len(grades) == result["steps"]
    assert grades[0].improvement == pytest.approx(0, abs=1e-6), "the starter's run, unchanged"
    assert grades[-1].score == result["score"]
    scores = [grade.score for grade in grades if grade.score is not None]
    assert result["best"]["score"] == min(scores)
    assert result["success_at"] == {str(t): result["improvement"] > t / 100 for t in (5, 10, 15, 20, 30)}
    assert dict(graded_curve(home, result["run_id"])) == {grade.step: grade.score for grade in grades}


def test_a_finished_run_is_graded_from_the_store(undisturbed: Finished, prefect_server: str) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    found = mlab_json("grade", undisturbed.run_id, "--intermediate", env=environment)
    assert len(found["grades"]) == undisturbed.result["steps"]
    unchanged = [grade for grade in found["grades"] if grade["graded_at"] != grade["step"]]
    assert unchanged, "a step that only writes the script submits what the step before did"
    listed = {run["run_id"]: run["result"] for run in mlab_json("show", env=environment)}
    assert listed[undisturbed.run_id]["best"] == found["best"]
    submission = listed[undisturbed.run_id]["submission"]
    assert submission["other"]["score"] == found["grades"][submission["best_validated"]["step"]]["score"]
    ungraded = {"best": None, "submission": {**submission, "other": None}}
    assert {**listed[undisturbed.run_id], **ungraded} == undisturbed.result


def test_several_runs_are_graded_by_one_command(undisturbed: Finished, prefect_server: str) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    done = mlab("grade", undisturbed.run_id, undisturbed.run_id, "--json", env=environment)
    assert done.returncode == 0, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["run_id"] == second["run_id"] == undisturbed.run_id
    assert first["changed"] == {}
