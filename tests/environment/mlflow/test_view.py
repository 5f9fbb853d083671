"""What MLflow shows of a run: complete, repeatable, under names that people use."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from environment.gpus.card import CardSample, CardUse
from environment.journal.entries import Journal
from environment.journal.tables import write_tables
from environment.mlflow.metrics import system_metrics
from environment.mlflow.mirror import MlflowMirror
from environment.records import MetricPoint, RunConfig, TrainingRun
from tests.benchmarks.report import fill
from tests.environment.gpus.fake_driver import card
from tests.environment.mlflow.conftest import RUN_ID, Shown
from tests.environment.training.journalled import finish_run, training_run, write_run
from tests.evaluation.report.samples import sample_run

HOSTILE = "=1+1 \ud800 \0 \x1b[31m </script> ../.. \u202e %00 \n"


def test_every_training_run_is_nested_with_its_name_and_status(shown: Shown, finished: Journal) -> None:
    children = shown.children(shown.parent(finished.run_id))
    statuses = {name: run.info.status for name, run in children.items()}
    assert statuses == {
        "step 00 · LR 0.2 · train.py": "FAILED",
        "step 01 · LR 0.2 · train.py": "KILLED",
        "step 02 · LR 0.2 · train.py": "FINISHED",
    }
    assert children["step 01 · LR 0.2 · train.py"].data.tags["mlab.killed_by"] == "timeout"
    assert children["step 02 · LR 0.2 · train.py"].data.params == {"LR": "0.2", "script.diff": "-LR = 0.1\n+LR = 0.2"}


def test_every_metric_is_there_by_epoch(shown: Shown, finished: Journal) -> None:
    child = shown.children(shown.parent(finished.run_id))["step 02 · LR 0.2 · train.py"]
    history = shown.client.get_metric_history(child.info.run_id, "loss")
    assert [(point.step, point.value) for point in history] == [(1, 0.5), (2, 0.133)]
    assert child.data.metrics["validation/mae"] == 8


def test_script_changes_output_and_artifacts_are_kept(shown: Shown, finished: Journal) -> None:
    child = shown.children(shown.parent(finished.run_id))["step 02 · LR 0.2 · train.py"]
    files = {file.path for file in shown.client.list_artifacts(child.info.run_id)}
    assert files == {"artifacts", "changes.diff", "output.txt"}
    folder = Path(str(child.info.artifact_uri).removeprefix("file://"))
    assert "val_mae: 8" in (folder / "output.txt").read_text()
    assert (folder / "artifacts" / "plots" / "loss.txt").read_text() == "a plot"


def test_the_benchmark_run_answers_the_usual_questions(shown: Shown, finished: Journal) -> None:
    parent = shown.parent(finished.run_id)
    assert parent.info.run_name == "tuner · seed 0 · house-price"
    assert parent.info.status == "FINISHED"
    assert parent.data.tags["prefect.flow_run_id"] == "f1"
    assert parent.data.params["agent"] == "tuner"
    assert parent.data.metrics["score"] == 8
    assert parent.data.metrics["claims/unsupported_rate"] == 0.25
    assert "cost" not in parent.data.metrics
    assert parent.inputs is not None
    assert parent.inputs.dataset_inputs[0].dataset.name == "house-price (mini)"
    inputs = shown.client.get_run(parent.info.run_id).inputs
    assert inputs is not None
    (agent,) = inputs.model_inputs
    assert shown.client.get_logged_model(agent.model_id).name == "tuner"
    curve = shown.client.get_metric_history(parent.info.run_id, "training/validation/mae")
    assert [(point.step, point.value) for point in curve] == [(0, 10), (1, 9), (2, 8)]
    files = {file.path for file in shown.client.list_artifacts(parent.info.run_id)}
    assert files == {"changes.json", "claims.parquet", "evidence.parquet", "result.json", "trajectory.parquet"}


def test_which_change_helped_is_a_table_and_stands_in_the_description(shown: Shown, finished: Journal) -> None:
    parent = shown.parent(finished.run_id)
    folder = Path(str(parent.info.artifact_uri).removeprefix("file://"))
    found = json.loads((folder / "changes.json").read_text())
    rows = [dict(zip(found["columns"], row, strict=True)) for row in found["data"]]
    assert [(row["step"], row["value"], row["came"]) for row in rows] == [
        (0, 10, "failed"),
        (1, 9, "failed"),
        (2, 8, "better"),
    ]
    assert rows[0]["change"] == "LR 0.2"
    assert json.loads(parent.data.tags["mlflow.loggedArtifacts"]) == [{"path": "changes.json", "type": "table"}]
    experiment = shown.client.get_experiment(parent.info.experiment_id)
    assert experiment.tags["mlflow.note.content"].startswith("MAE, lower is better: Predict house prices in Ames")
    note = parent.data.tags["mlflow.note.content"]
    assert "**tuner** on **house-price**, mini data, seed 0" in note
    assert "[Flow run in Prefect](http://prefect/runs/flow-run/f1)" in note
    assert "| 2 | +1 −1 lines | validation mae 8 | +11.1 % |" in note


def test_a_training_run_says_how_it_differs_from_the_starter(shown: Shown, finished: Journal) -> None:
    child = shown.children(shown.parent(finished.run_id))["step 02 · LR 0.2 · train.py"]
    assert "```diff\n-LR = 0.1\n+LR = 0.2\n```" in child.data.tags["mlflow.note.content"]
    assert child.data.tags["mlflow.user"]


def test_a_run_that_fails_before_its_first_step_has_begun_when_it_did(shown: Shown) -> None:
    journal = Journal(shown.store, "house-price-tuner-0-none")
    journal.write_config(RunConfig(task="house-price", agent="tuner", run_id=journal.run_id))
    before = time.time()
    mirror = MlflowMirror(shown.uri, shown.artifacts, shown.store, journal.run_id, patience=600)
    time.sleep(1)
    assert mirror.close()
    info = shown.parent(journal.run_id).info
    assert info.start_time is not None
    assert info.end_time is not None
    assert info.start_time / 1_000 - before < 1
    assert info.end_time - info.start_time >= 1_000


@pytest.mark.parametrize(
    ("former", "now"),
    [
        (
            "Houses. Benchmark runs of agents; nested in each are the training runs of the scripts that it executed.",
            "MAE, lower is better",
        ),
        ("Our baseline; ask Ada before you delete any.", "Our baseline; ask Ada before you delete any."),
    ],
)
def test_a_former_version_s_description_is_made_anew_and_a_person_s_is_kept(
    shown: Shown, finished: Journal, former: str, now: str
) -> None:
    experiment = shown.parent(finished.run_id).info.experiment_id
    shown.client.set_experiment_tag(experiment, "mlflow.note.content", former)
    shown.sync(write_run(shown.store, f"house-price-tuner-0-{len(former)}", 1).run_id)
    assert shown.client.get_experiment(experiment).tags["mlflow.note.content"].startswith(now)


def test_a_run_shown_under_a_former_name_stays_there(shown: Shown) -> None:
    journal = write_run(shown.store, "house-price-tuner-0-former", 1)
    experiment = shown.client.create_experiment("house-price", artifact_location=shown.artifacts.as_uri())
    shown.client.create_run(experiment, tags={"mlab.run_id": journal.run_id})
    shown.sync(journal.run_id)
    found = shown.client.search_runs([experiment])
    assert {run.data.tags.get("mlab.run_id") or run.data.tags["mlab.step"] for run in found} == {journal.run_id, "0"}
    assert all(run.data.tags.get("mlab.run_id") != journal.run_id for run in shown.runs())


def test_verdicts_are_feedback_on_the_trace_of_their_step(shown: Shown, finished: Journal) -> None:
    from mlflow.entities import Feedback
    from mlflow.tracing.client import TracingClient

    parent = shown.parent(finished.run_id)
    traces = TracingClient(shown.uri).search_traces([parent.info.experiment_id], include_spans=True)
    mine = {trace.info.tags["mlab.step"]: trace for trace in traces if trace.info.tags["mlab.run_id"] == RUN_ID}
    assert set(mine) == {"0", "1", "2"}
    (verdict,) = mine["1"].info.assessments
    assert isinstance(verdict, Feedback)
    assert (verdict.name, verdict.value) == ("claim: result", "unsupported")
    assert "The error is 1.0 now." in str(verdict.rationale)
    assert [span.name for span in mine["1"].data.spans] == ["step 01", "main · fake", "Execute Script"]
    assert (mine["1"].info.token_usage or {})["total_tokens"] == 10
    call = mine["1"].data.spans[1]
    assert (call.inputs, call.outputs) == (["prompt 1"], {"content": "answer 1"})


def test_showing_it_again_adds_nothing(shown: Shown, finished: Journal) -> None:
    from mlflow.tracing.client import TracingClient

    def everything() -> object:
        runs = {run.info.run_id: (run.info.status, run.data.metrics, run.data.tags) for run in shown.runs()}
        child = shown.children(shown.parent(finished.run_id))["step 02 · LR 0.2 · train.py"]
        experiment = child.info.experiment_id
        verdicts = [len(t.info.assessments) for t in TracingClient(shown.uri).search_traces([experiment])]
        return runs, len(shown.client.get_metric_history(child.info.run_id, "loss")), sorted(verdicts)

    before = everything()
    shown.sync(finished.run_id)
    assert everything() == before


def test_what_a_crash_left_half_written_is_completed(shown: Shown) -> None:
    run_id = "house-price-tuner-0-torn"
    journal = write_run(shown.store, run_id, 2)
    shown.sync(run_id)
    parent = shown.parent(run_id)
    assert parent.info.status == "KILLED"
    torn = shown.children(parent)["step 01 · LR 0.2 · train.py"]
    shown.client.update_run(torn.info.run_id, status="RUNNING")
    finish_run(shown.store, journal)

    shown.sync(run_id)

    assert shown.parent(run_id).info.status == "FINISHED"
    children = shown.children(parent)
    assert len(children) == 2
    assert children["step 01 · LR 0.2 · train.py"].info.status == "KILLED"
    assert len(shown.client.get_metric_history(torn.info.run_id, "loss")) == 2


def test_what_cards_did_is_shown_under_mlflows_own_names(shown: Shown) -> None:
    samples = (CardSample(seconds=0.5, utilisation=40, memory_mib=2_048), CardSample(seconds=1, power_watts=300))
    uses = tuple(CardUse(card=card(n), samples=samples) for n in range(2))
    run = training_run(shown.store, RUN_ID, 0).model_copy(update={"gpus": uses})
    points = [(point.key, point.value, point.step) for point in system_metrics(run)]
    assert points[:4] == [
        ("system/gpu_0_utilization_percentage", 40, 0),
        ("system/gpu_0_memory_usage_megabytes", pytest.approx(2_147.483648), 0),
        ("system/gpu_0_memory_usage_percentage", 25, 0),
        ("system/gpu_0_power_usage_watts", 300, 1),
    ]
    assert [name.replace("gpu_1", "gpu_0") for name, _, _ in points[4:]] == [name for name, _, _ in points[:4]]


def test_any_text_of_an_agent_or_a_script_is_shown(shown: Shown, tmp_path: Path) -> None:
    sample = sample_run(0, steps=3, text=HOSTILE)
    run = TrainingRun.model_validate(
        training_run(shown.store, sample.result.run_id, 0).model_dump()
        | {
            "script": HOSTILE,
            "args": (HOSTILE, "x" * 10_000),
            "diff": HOSTILE,
            "params": {HOSTILE: HOSTILE, "long": "ü" * 10_000},
            "artifacts": {
                f"{HOSTILE}/{HOSTILE}": shown.store.put_object(b"x"),
                "ü" * 300: shown.store.put_object(b"y"),
            },
            "metrics": (
                MetricPoint(name=HOSTILE, value=float("inf"), step=2**63, epoch=1e300),
                MetricPoint(name="loss", value=float("nan"), step=-(2**70), epoch=float("inf")),
            ),
        }
    )
    steps = [
        step.model_copy(update={"effect": step.effect.model_copy(update={"training_run": None if step.n else run})})
        for step in sample.steps
    ]
    config = RunConfig(task=f"{'ü' * 300}/%2e{HOSTILE}", agent=f"x:{HOSTILE}", model=HOSTILE)
    (tmp_path / "workspace").mkdir()
    fill(shown.store, sample.model_copy(update={"steps": tuple(steps), "config": config}), tmp_path / "workspace")
    write_tables(shown.store, sample.result.run_id, steps, sample.claims)
    shown.sync(sample.result.run_id)
