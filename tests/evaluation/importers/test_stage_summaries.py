"""Summaries that AI-Scientist v2 writes of its stages: the metrics of the best nodes, without what was printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import read_logs
from tests.evaluation.importers.reading import read_one


def node(analysis: str, **accuracies: float) -> dict[str, Any]:
    data = [{"dataset_name": name, "final_value": value, "best_value": 0.95} for name, value in accuracies.items()]
    metric = {"metric_name": "validation accuracy", "lower_is_better": False, "description": "", "data": data}
    return {
        "overall_plan": "A linear probe on frozen features.",
        "analysis": analysis,
        "metric": {"value": {"metric_names": [metric]}, "maximize": None, "name": None, "description": None},
        "code": "probe.fit(x, y)",
        "plot_analyses": [],
        "exp_results_dir": "experiment_results/experiment_1",
    }


def written(folder: Path, name: str, data: object) -> Path:
    path = folder / "2026-01-05_probes" / "logs" / "0-run" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


def test_the_best_node_and_its_seeds_are_steps_and_their_metrics_evidence(tmp_path: Path) -> None:
    said = "The validation accuracy on birds is 0.81. The first loss that was printed is 2.31."
    other = "On cars the validation accuracy was 0.93 before epoch 5."
    summary = {
        "best node": node(said, birds=0.81, cars=0.72),
        "best node with different seeds": [node(other, birds=0.80, cars=0.71)],
    }
    log = read_one(written(tmp_path, "baseline_summary.json", summary))
    assert (log.task, log.agent, log.metric, len(log.steps)) == (
        "2026-01-05_probes", "ai-scientist-v2", "validation accuracy", 3,
    )  # fmt: skip
    verdicts = {claim.value: claim.verdict for claim in audit(log)}
    assert verdicts[0.81] is Verdict.SUPPORTED
    assert not any(verdict.is_problem for verdict in verdicts.values()), "what was printed is not in it"


def test_a_list_of_ablations_is_a_summary_and_other_lists_are_none(tmp_path: Path) -> None:
    ablations = [{**node("Worse.", birds=0.61), "ablation_name": "no warmup"}, node("Better.", birds=0.83)]
    assert len(read_one(written(tmp_path, "ablation_summary.json", ablations)).steps) == 3
    written(tmp_path, "plots.json", [{"overall_plan": "", "metric": None}])
    (log,) = read_logs(tmp_path)
    assert log.source.endswith("ablation_summary.json")


def test_a_summary_beside_the_journals_that_it_sums_up_is_not_read_again(tmp_path: Path) -> None:
    written(tmp_path, "baseline_summary.json", {"best node": node("Good.", birds=0.81)})
    written(tmp_path, "stage_1_initial/journal.json", {"nodes": [{"step": 0, **node("Good.", birds=0.81)}]})
    notes: list[str] = []
    assert read_one(tmp_path, notes).source.endswith("journal.json")
    assert not notes
