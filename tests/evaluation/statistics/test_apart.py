from __future__ import annotations

from environment.records import RunResult
from evaluation.statistics.apart import apart
from evaluation.statistics.tables import tables
from tasks_catalog.library.spec import Direction
from tests.evaluation.statistics.results import entry, result


def measured(metric: str, score: float | None, seed: int = 0) -> RunResult:
    direction = Direction.MINIMIZE if metric == "RMSE" else Direction.MAXIMIZE
    return result(0.2, seed=seed).model_copy(update={"metric": metric, "score": score, "direction": direction})


def test_scores_of_several_metrics_are_never_in_one_cell() -> None:
    runs = [
        measured("RMSE", 40_000.0),
        measured("BLEU", 0.3, 1),
        measured("BLEU Score", 0.5, 2),
        measured("x", None, 3),
    ]
    assert [one.task for one in apart(runs)] == ["one (rmse)", "one (bleu)", "one (bleu)", "one (bleu)"]
    (table,) = tables([entry("a", one) for one in runs])
    means = {cell.task: cell.score.value for cell in table.cells if cell.score}
    assert means == {"one (bleu)": 0.4, "one (rmse)": 40_000.0}


def test_tasks_of_one_metric_keep_their_names() -> None:
    runs = [measured("accuracy", 0.5), measured("Accuracy", 0.6, 1), measured("score", None, 2)]
    assert apart(runs) == runs
