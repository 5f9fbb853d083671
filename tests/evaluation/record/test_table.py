"""Everything a verdict can rest on is a row with an id."""

from __future__ import annotations

import pytest

from environment.records import MetricPoint
from evaluation.claims.audit import audit
from evaluation.claims.judging.noise import is_within_noise
from evaluation.record.log import from_steps
from evaluation.record.run import RunModel
from evaluation.record.table import record_rows
from tasks_catalog.library.spec import Figure, VariantSpec
from tests.evaluation.claims.scenarios import log, run
from tests.evaluation.claims.worlds.regression import REGRESSION
from tests.evaluation.claims.worlds.vision import VISION


def test_every_event_and_value_is_a_row_with_an_id_of_its_own() -> None:
    made = log(*VISION.exchanges, *REGRESSION.exchanges, prose="Done.")
    rows = list(record_rows(made))
    known = RunModel.of(made).before(len(made.steps))
    assert len({row.id for row in rows}) == len(rows)
    assert {row.id for row in rows} == set(known.rows)


def test_ids_tell_the_step_and_the_line() -> None:
    rows = list(record_rows(log(run("train.py", "Loss: 0.5\nval_loss: 0.7, val_acc: 0.8"), prose="Done.")))
    assert [row.id for row in rows if row.kind != "measurement"] == ["e0"]
    assert {row.id for row in rows if row.metric == "acc"} == {"m0:3a"}


def test_a_derived_value_names_what_it_follows_from() -> None:
    rows = list(record_rows(log(run("train.py", "Train accuracy: 0.9\nTest accuracy: 0.8"), prose="Done.")))
    gap = next(row for row in rows if row.quantity == "gap")
    assert gap.value == pytest.approx(0.1)
    assert gap.derived_from == ("m0:2", "m0:3")
    assert gap.read_from == "derived"


def test_what_came_later_changes_no_earlier_row() -> None:
    whole = list(record_rows(log(*REGRESSION.exchanges, prose="Done.")))
    part = list(record_rows(log(*REGRESSION.exchanges[:3], prose="Done.")))
    assert [row for row in whole if row.step < 3] == part


def test_a_value_that_was_only_logged_through_mlflow_is_evidence() -> None:
    logged = MetricPoint(name="accuracy", value=0.8431, split="validation", source="mlflow")
    printed = MetricPoint(name="loss", value=0.5, line=2, text="loss: 0.5")
    twice = MetricPoint(name="loss", value=0.5, source="mlflow")
    shown = run("train.py", "loss: 0.5").model_copy(update={"metrics": (printed, logged, twice)})
    made = log(shown, prose="The validation accuracy is 84.31%.")
    (claim,) = audit(made)
    assert (claim.verdict.value, claim.evidence_step, claim.evidence) == ("supported", 0, None)
    values = [(row.metric, row.read_from) for row in record_rows(made) if row.kind == "measurement"]
    assert values[:2] == [("loss", "stdout"), ("accuracy", "mlflow")]
    assert [read_from for _, read_from in values[2:]] == ["derived"]


def test_the_scatter_of_a_task_is_that_of_its_baseline_over_seeds() -> None:
    figures = VariantSpec(source="made up", licence="none", stand_in=True, baseline=Figure(mean=0.8, std=0.02, how="x"))
    assert from_steps([], source="x", figures=figures).spread == 0.02
    assert from_steps([], source="x").spread is None
    made = from_steps([], source="x", metric="accuracy", figures=figures)
    runs = log(run("train.py", "test accuracy: 0.81"), run("train.py", "test accuracy: 0.82"), prose="Done.")
    known = RunModel.of(made.model_copy(update={"steps": runs.steps})).before(2)
    first, second = (value for value in known.values if value.metric == "accuracy")
    assert is_within_noise(known, first, second)
