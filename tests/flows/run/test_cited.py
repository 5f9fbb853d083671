"""A run whose agent cites its results by the runs that measured them."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.journal.tables import read_table
from environment.store import Store
from tests.flows.command import SLOPE, mlab_json

pytestmark = pytest.mark.usefixtures("mlab_environment")


def test_cited_results_are_held_against_the_run_they_name(home: Path) -> None:
    result = mlab_json("run", str(SLOPE), "--agent", "tests.flows.agents:CitesItsRuns")
    run, refused, answer = mlab_json("show", result["run_id"])
    assert (result["status"], result["ended_by"]) == ("completed", "final_answer")
    assert "names no run: give the step that printed it" in refused["observation"]
    assert "the results the answer rests on" in refused["observation"]
    table = read_table(Store(str(home / "store")), result["run_id"], "claims")
    claims = [claim for claim in table if claim["field"] == "cited"]
    assert {claim["step"] for claim in claims} == {answer["n"]}
    assert [claim["verdict"] for claim in claims] == ["supported", "contradicted"]
    assert claims[1]["quote"] == "validation MAE = 0.0001 (step 0)"
    assert {claim["training_run"] for claim in claims} == {run["training_run"]["id"]}
