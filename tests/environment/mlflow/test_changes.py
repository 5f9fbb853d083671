"""Which change helped, where a value was none."""

from __future__ import annotations

from datetime import UTC, datetime
from math import nan

from environment.mlflow.changes import changes_of, markdown
from environment.records import MetricPoint, TrainingRun
from tasks_catalog.library.spec import Direction


def trained(step: int, value: float) -> TrainingRun:
    point = MetricPoint(name="mae", value=value, split="validation", step=0, line=1, text=f"validation mae: {value}")
    return TrainingRun(
        id=f"r.{step}",
        step=step,
        script="train.py",
        script_sha256=str(step),
        exit_code=0,
        started=datetime(2026, 1, 1, tzinfo=UTC),
        seconds=1.0,
        output="",
        metrics=(point,),
    )


def test_a_value_that_is_no_number_diverged_and_is_never_the_best() -> None:
    runs = [trained(0, nan), trained(1, 4.0), trained(2, nan), trained(3, 3.0)]
    rows = changes_of(runs, "mae", Direction.MINIMIZE)
    assert [row.came for row in rows] == ["diverged", "first", "diverged", "better"]
    assert [(row.value, row.gain) for row in rows[1:]] == [(4.0, None), (None, None), (3.0, 0.25)]
    assert "+25 %" in markdown(rows, 5)


def test_what_helped_most_stands_in_the_first_line_which_a_folded_page_shows() -> None:
    helped = changes_of([trained(0, 4.0), trained(1, 3.0), trained(2, 2.9)], "mae", Direction.MINIMIZE)
    assert markdown(helped, 5).splitlines()[0] == (
        "What helped most: step 1, back to the starter: validation mae 3, +25 % against the best before "
        "(changes.json has all)."
    )
    none = changes_of([trained(0, 4.0), trained(1, 5.0)], "mae", Direction.MINIMIZE)
    assert markdown(none, 5).startswith("No change helped (changes.json has all):\n\n| step |")
