"""A benchmark run through the command line, on a real Prefect server, MLflow store and sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records.display import number
from foundation.sizes import MiB
from tests.conftest import variables_of
from tests.flows.command import SLOPE, TUNER, in_terminal, mlab, mlab_json, trajectory
from tests.flows.conftest import Finished
from tests.flows.interface import HTTP

pytestmark = pytest.mark.usefixtures("mlab_environment")


def flow_runs(api: str, tag: str) -> list[dict[str, Any]]:
    asked = {"flow_runs": {"tags": {"all_": [tag]}}, "sort": "START_TIME_ASC"}
    found: list[dict[str, Any]] = HTTP.post(f"{api}/flow_runs/filter", json=asked).json()
    return found


def first_flow_run(api: str, run_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The flow run that began a run, and its subflows; other tests may resume copies of the run."""
    parent = next(run for run in flow_runs(api, f"run:{run_id}") if not run["parent_task_run_id"])
    asked = {"flow_runs": {"parent_flow_run_id": {"any_": [parent["id"]]}}, "sort": "START_TIME_ASC"}
    return parent, HTTP.post(f"{api}/flow_runs/filter", json=asked).json()


def training_runs(home: Path, run_id: str) -> list[Any]:
    from mlflow import MlflowClient

    client = MlflowClient(f"sqlite:///{home}/mlflow/mlflow.db")
    experiments = [found.experiment_id for found in client.search_experiments()]
    (parent,) = client.search_runs(experiments, f"tags.`mlab.run_id` = '{run_id}'")
    return list(client.search_runs(experiments, f"tags.`mlflow.parentRunId` = '{parent.info.run_id}'"))


def test_tuner_improves_and_everything_is_on_record(undisturbed: Finished, prefect_server: str) -> None:
    result = undisturbed.result
    assert result["status"] == "completed"
    assert result["ended_by"] == "final_answer"
    assert result["improvement"] > 0.1
    assert result["success"] is True
    assert result["sandbox"] in {"bubblewrap", "docker"}

    steps = undisturbed.steps
    executed = [step for step in steps if "training_run" in step]
    assert [step["n"] for step in steps] == list(range(result["steps"]))
    assert len(executed) == result["training_runs"] == len(training_runs(undisturbed.home, undisturbed.run_id))
    assert set(result["claims"]) <= {"supported", "uncheckable"}, "the tuner's own words must hold"

    parent, subflows = first_flow_run(prefect_server, result["run_id"])
    assert len(subflows) == result["steps"]
    assert {run["state_type"] for run in (parent, *subflows)} == {"COMPLETED"}
    assert subflows[0]["name"] == "step 00 · Execute Script train.py"
    assert parent["name"] == "slope · tuner · trials 4 · seed 0"


def test_prefect_tells_step_metric_and_score(undisturbed: Finished, prefect_server: str) -> None:
    result = undisturbed.result
    parent, steps = first_flow_run(prefect_server, result["run_id"])
    assert {"task:slope", "agent:tuner", "variant:mini"} <= set(parent["tags"])
    said = parent["state"]["message"]
    assert said.startswith(f"success: {result['metric']} {number(result['score'])}, ")
    assert steps[0]["state"]["message"].startswith("exit 0: ")

    asked = {"logs": {"flow_run_id": {"any_": [parent["id"]]}}, "limit": 200}
    lines = [line["message"] for line in HTTP.post(f"{prefect_server}/logs/filter", json=asked).json()]
    assert sum(line.startswith("step ") for line in lines) == result["steps"]
    assert said in lines
    asked = {"artifacts": {"flow_run_id": {"any_": [parent["id"]]}}}
    found = HTTP.post(f"{prefect_server}/artifacts/filter", json=asked).json()
    keyed = {artifact["key"]: artifact["data"] for artifact in found if artifact["key"]}
    shown = {key.removesuffix(f"-{result['run_id']}"): content for key, content in keyed.items()}
    assert set(shown) == {"progress", "result", "steps"}
    assert not set(shown) & set(keyed)
    assert float(shown["progress"]) == 100
    assert "Report: `file://" in shown["result"]
    assert "### Final answer" in shown["result"]


def test_a_terminal_is_told_what_takes_time_after_the_last_step() -> None:
    shown = in_terminal("run", str(SLOPE), "--agent", "nop")
    told = ["grading what was submitted", "checking what was claimed", "writing the report"]
    places = [shown.find(words) for words in told if words in shown]  # what is done at once is never drawn
    assert places == sorted(places)
    assert told[0] in shown


def test_nop_scores_the_baseline(home: Path) -> None:
    result = mlab_json("run", str(SLOPE), "--agent", "nop")
    assert result["score"] == pytest.approx(result["baseline"], rel=0.01)
    assert result["success"] is False
    assert result["training_runs"] == 1


def test_oracle_reaches_the_reference() -> None:
    result = mlab_json("run", str(SLOPE), "--agent", "oracle")
    assert result["success"] is True
    assert result["normalised"] > 0.95


@pytest.mark.slow
def test_the_same_seed_gives_the_same_trajectory_and_another_one_does_not(undisturbed: Finished) -> None:
    again, other = (mlab_json(*TUNER, "--seed", seed)["run_id"] for seed in ("0", "1"))
    assert trajectory(again) == undisturbed.steps
    assert trajectory(other) != undisturbed.steps


def test_replay_repeats_a_recorded_run(undisturbed: Finished, prefect_server: str) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    arguments = ("run", str(SLOPE), "--agent", "replay", "--recording", undisturbed.run_id)
    replayed = mlab_json(*arguments, env=environment)["run_id"]
    keys = ("prose", "action", "observation", "workspace")
    assert [[step[key] for key in keys] for step in trajectory(replayed, environment)] == [
        [step[key] for key in keys] for step in undisturbed.steps
    ]


def test_a_run_out_of_steps_is_graded_as_it_stands() -> None:
    result = mlab_json("run", str(SLOPE), "--max-steps", "1")
    assert result["ended_by"] == "steps"
    assert result["steps"] == 1
    assert result["score"] == pytest.approx(result["baseline"], rel=0.01)


def test_a_workspace_beyond_its_limit_is_undone_and_never_stored(home: Path) -> None:
    result = mlab_json("run", str(SLOPE), "--agent", "tests.flows.agents:OutgrowsItsDisk", "--max-disk", "10", expect=1)
    _, run, listing, _ = mlab_json("show", result["run_id"])
    assert "what this step wrote in it is undone" in run["observation"]
    assert run["outcome"] == "failed"
    assert "holes.py" in listing["observation"]
    assert "hole0" not in listing["observation"]
    stored = sum(file.stat().st_size for file in (home / "store").rglob("*") if file.is_file())
    assert stored < 10 * MiB


def test_a_run_without_a_submission_fails_with_the_reason_and_its_agents_words_are_no_part_of_the_document() -> None:
    done = mlab("run", str(SLOPE), "--agent", "tests.flows.agents:SubmitsNothing", "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert (result["status"], result["ended_by"]) == ("failed", "final_answer")
    assert "submission.csv" in result["invalid_submission"]
    assert result["score"] is None
    assert "I do nothing." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "no-such-task"], "no-such-task"),
        (["run", str(SLOPE), "--agent", "no-such-agent"], "no-such-agent"),
        (["run", str(SLOPE), "--set", "trails=3"], "trails"),
        (["run", str(SLOPE), "--variant", "full"], "full"),
        (["run", str(SLOPE), "--sandbox", "none"], "--unsafe-no-sandbox"),
        (["tasks", "verify", str(SLOPE), "--sandbox", "none"], "--unsafe-no-sandbox"),
        (["run", str(SLOPE), "--model", "gpt"], "does not say whose"),
        (["run", str(SLOPE), "--model", "openai:gpt", "--agent", "tuner"], "calls no model"),
        (["resume", "no-such-run"], "no-such-run"),
        (["show", "no-such-run"], "no-such-run"),
    ],
)
def test_wrong_usage_is_said_in_words(arguments: list[str], said: str) -> None:
    done = mlab(*arguments)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
