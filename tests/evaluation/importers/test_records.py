from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.journal.entries import Journal
from environment.journal.tables import read_table
from environment.records import Action
from environment.store import Store
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.compared import compared
from evaluation.importers.detect import read_logs
from evaluation.importers.records import import_log, run_id_of
from evaluation.record.log import Exchange, LogStep, RunLog, from_steps
from evaluation.statistics.efficiency import efficiency
from evaluation.statistics.entries import is_graded
from tasks_catalog.catalog import load_task
from tasks_catalog.library.spec import Direction, Variant
from tests.evaluation.importers.logs import WRITERS
from tests.evaluation.importers.writing.agents import AGENT_WRITERS

EVERY = {**WRITERS, **AGENT_WRITERS}


@pytest.mark.parametrize("harness", EVERY)
def test_an_imported_log_is_a_run_of_the_store(harness: str, tmp_path: Path) -> None:
    (log,) = read_logs(EVERY[harness](tmp_path / "run_0"))
    store = Store(str(tmp_path / "store"))
    result = import_log(store, log)
    steps = Journal(store, result.run_id).steps()
    assert result.steps == len(steps) >= 2
    assert result.training_runs >= 1
    trained = next(step.effect.training_run for step in steps if step.effect.training_run)
    assert {(point.split, point.value) for point in trained.metrics} >= {("test", 59.03), ("train", 61.2)}
    assert import_log(store, log) == result


def test_the_audit_of_the_imported_run_is_the_audit_of_the_log(tmp_path: Path) -> None:
    (log,) = read_logs(WRITERS["compact"](tmp_path / "run_0"))
    store = Store(str(tmp_path / "store"))
    result = import_log(store, log)
    steps = Journal(store, result.run_id).steps()
    direct = [(claim.step, claim.quote, claim.verdict) for claim in audit(log)]
    again = [(claim.step, claim.quote, claim.verdict) for claim in audit(from_steps(steps, source=result.run_id))]
    assert again == direct
    kept = [(row["step"], row["quote"], row["verdict"]) for row in read_table(store, result.run_id, "claims")]
    assert kept == [(step, quote, verdict.value) for step, quote, verdict in direct]
    kinds = {row["kind"] for row in read_table(store, result.run_id, "evidence") if row["id"]}
    assert {"run", "measurement"} <= kinds


def test_what_a_model_wrote_of_a_file_is_no_measurement_in_the_imported_run_either(tmp_path: Path) -> None:
    summary = Exchange(
        action=Action(name="Understand File", args={"file_name": "train.py"}), observation="Test Accuracy: 93.10%"
    )
    claim = LogStep(prose={"thought": "The test accuracy is 93.1%."})
    log = RunLog(source="logs/run", steps=(LogStep(exchanges=(summary,)), claim))
    store = Store(str(tmp_path / "store"))
    steps = Journal(store, import_log(store, log).run_id).steps()
    assert steps[0].decision.answer == steps[0].effect.observation
    (found,) = audit(from_steps(steps, source="logs/run"))
    assert found.verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("harness", "model", "tokens", "cost", "seconds"),
    [
        ("mlagentbench", "provider-model", None, None, 612.5),
        ("mlgym", None, 960, 0.5, None),
        ("inspect json", "provider/model", 960, 0.02, 12.5),
        ("inspect eval", "provider/model", 960, 0.02, 12.5),
        ("atif", "model", 15, None, None),
        ("aide", None, None, None, 4.2),
        ("compact", None, None, None, None),
        ("swe-agent", "model", 360, 0.25, None),
        ("neutral", "model", 360, 0.25, 9.0),
        ("claude code", "model", 360, None, 6.0),
        ("claude sdk", "model", None, 0.25, 5.0),
        ("messages", "model", None, None, None),
        ("codex", "model", 360, None, 21.0),
        ("codex printed", None, 360, None, None),
        ("codex told", None, 360, None, None),
        ("response items", None, None, None, None),
        ("gemini printed", "model", 360, None, 8.0),
        ("gemini", "model", 360, None, 9.0),
        ("gemini json", "model", 360, None, 9.0),
        ("openhands", None, None, None, 9.0),
        ("openhands output", "model", 360, 0.25, 9.0),
        ("openhands sdk", None, None, None, None),
        ("mini-swe-agent", "model", None, 0.25, 9.0),
    ],
)
def test_what_a_log_counts_is_taken_over_and_what_not_is_named(
    harness: str, model: str | None, tokens: int | None, cost: float | None, seconds: float | None, tmp_path: Path
) -> None:
    (log,) = read_logs(EVERY[harness](tmp_path / "run_0"))
    result = import_log(Store(str(tmp_path / "store")), log)
    assert (result.model, result.tokens, result.cost, result.seconds) == (model, tokens or 0, cost, seconds or 0.0)
    assert ("tokens" in result.not_counted, "seconds" in result.not_counted) == (tokens is None, seconds is None)
    per_run = efficiency([result]).per_run
    assert (per_run.tokens, per_run.seconds, per_run.working_seconds) == (tokens, seconds, None)


@pytest.mark.parametrize(
    ("source", "model"),
    [
        ("Collection/gemini-pro/cifar10/0", "gemini-pro"),
        ("MLGym/metagen-gpt4o2__cifar10__default__t-0.00", "gpt4o2"),
        ("logs/cifar10/0", None),
        ("a/b/imdb/0", None),
    ],
)
def test_a_compact_run_s_name_tells_its_model(source: str, model: str | None, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps({"source": source, "task": "cifar10", "steps": [{"prose": {}}]}))
    (log,) = read_logs(file)
    assert log.model == model


def test_the_score_of_a_log_is_held_against_the_baseline_of_the_catalogue(tmp_path: Path) -> None:
    figures = load_task("house-price").spec.variants[Variant.FULL]
    assert figures.baseline is not None
    score = 0.8 * figures.baseline.mean
    log = RunLog(source="logs/run", steps=(LogStep(prose={"thought": "Done."}),), task="house-price", score=score)
    result = import_log(Store(str(tmp_path / "store")), log)
    assert (result.metric, result.direction, result.baseline) == ("MAE", Direction.MINIMIZE, figures.baseline.mean)
    assert result.improvement == pytest.approx(0.2)
    assert result.success
    assert result.success_at == {5: True, 10: True, 15: True, 20: False, 30: False}
    assert is_graded(result)


@pytest.mark.parametrize(("score", "holds"), [(0.92, True), (0.6, False)])
def test_what_a_final_answer_states_is_held_against_the_score_of_the_harness(
    score: float, holds: bool, tmp_path: Path
) -> None:
    training = Exchange(
        action=Action(name="Execute Script", args={"script_name": "train.py"}), observation="accuracy: 0.95"
    )
    answer = LogStep(prose={"final_answer": "The accuracy is 0.95."})
    log = RunLog(
        source="logs/run",
        steps=(LogStep(exchanges=(training,)), answer),
        task="some task",
        metric="accuracy",
        score=score,
    )
    store = Store(str(tmp_path / "store"))
    result = import_log(store, log)
    (stated,) = result.stated
    assert (stated.value, stated.grade, stated.holds, stated.measured) == (0.95, score, holds, True)
    assert len(result.integrity) == (not holds)
    assert import_log(store, log) == result


def test_a_log_that_names_its_own_baseline(tmp_path: Path) -> None:
    log = RunLog(source="a", steps=(), task="some task", metric="validation loss", score=0.5, baseline=1.0)
    result = compared(log).report
    assert (result.direction, result.improvement, result.success) == (Direction.MINIMIZE, 0.5, True)
    other_metric = compared(log.model_copy(update={"task": "house-price", "metric": "R2", "baseline": None})).report
    assert (other_metric.metric, other_metric.baseline, other_metric.improvement) == ("R2", None, None)


def test_mlgym_tells_its_score(tmp_path: Path) -> None:
    (log,) = read_logs(WRITERS["mlgym"](tmp_path / "run_0"))
    assert (log.metric, log.score) == ("accuracy", 0.5903)
    result = import_log(Store(str(tmp_path / "store")), log)
    assert (result.metric, result.score, result.baseline) == ("accuracy", 0.5903, 0.4959)
    assert result.improvement == pytest.approx(0.5903 / 0.4959 - 1)
    assert is_graded(result)
    assert (result.score_from, result.self_measured) == ("the harness's grade", False)
    assert result.baseline_from == "the harness's baseline, told at step 1"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("logs/metagen-claude-3-5-sonnet-20240620__cifar10__t-0.00/run.traj",
         "logs-metagen-claude-3-5-sonnet-20240620-cifar10-t-0-00-run-traj"),
        (f"{'deep/' * 20}gpt-4o-2024-08-06__battleOfSexes__default__t-0.00__p-0.95__c-4.00__install-0_parallel/x.traj",
         "gpt-4o-2024-08-06-battleofsexes-default-t-0-00-p-0-95-c-4-00-install-0-parallel-x-traj"),
        (f"{'word-' * 30}end", f"{'word-' * 19}end"),
        ("x" * 150, "x" * 100),
    ],
)  # fmt: skip
def test_names_are_cut_between_words(source: str, name: str) -> None:
    run_id, _, digest = run_id_of(RunLog(source=source, steps=())).rpartition("-")
    assert len(digest) == 8
    assert run_id.endswith(name)
    assert len(run_id) <= 100
