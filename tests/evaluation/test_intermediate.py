"""Every step graded afterwards, in the real sandbox; equal submissions once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from environment.records import Step, StepGrade
from environment.sandbox import open_sandbox
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.intermediate import Grading, best_step, grade_steps, with_best
from tasks_catalog.catalog import load_task
from tasks_catalog.library.prepare import prepare
from tasks_catalog.library.spec import Direction, Variant
from tests.evaluation.process.trajectories import result, trajectory
from tests.flows.command import SLOPE

TRUE_SLOPE = 2.5


@pytest.fixture
def grading(tmp_path: Path) -> Grading:
    task = load_task(SLOPE)
    data = prepare(task, Variant.MINI, tmp_path / "data", tmp_path / "downloads")
    sandbox = open_sandbox("auto", label="test")
    return Grading(task, Variant.MINI, data, None, Store(str(tmp_path / "store")), sandbox)


def steps_with(grading: Grading, folder: Path, slopes: Sequence[float | None]) -> list[Step]:
    """One step for each submission; ``None`` for none. Each step also changes a file that is not submitted."""
    xs = [float(line.partition(",")[0]) for line in (grading.data.public / "test.csv").read_text().split()[1:]]
    folder.mkdir()
    steps = []
    for step, slope in zip(trajectory(*["edit"] * len(slopes)), slopes, strict=True):
        (folder / "notes.txt").write_text(f"step {step.n}")
        submission = folder / "submission.csv"
        if slope is None:
            submission.unlink(missing_ok=True)
        else:
            submission.write_text("\n".join(["x,y", *(f"{x:g},{slope * x}" for x in xs)]))
        checkpoint = step.checkpoint.model_copy(update={"workspace": Snapshots(grading.store).take(folder)})
        steps.append(step.model_copy(update={"checkpoint": checkpoint}))
    return steps


def test_each_step_has_its_score_and_equal_submissions_are_graded_once(grading: Grading, tmp_path: Path) -> None:
    steps = steps_with(grading, tmp_path / "workspace", [None, 0.0, TRUE_SLOPE, TRUE_SLOPE, 1.0, 0.0])
    asked: list[int] = []
    grades = grade_steps(grading, steps, progress=asked.append)
    assert asked == [0, 1, 2, 4]
    assert [grade.step for grade in grades] == [0, 1, 2, 3, 4, 5]
    assert [grade.graded_at for grade in grades] == [0, 1, 2, 2, 4, 1]
    assert grades[0].score is None
    assert "submission.csv is missing" in (grades[0].invalid or "")
    assert grades[1].improvement == pytest.approx(0, abs=1e-6)
    assert grades[2].score is not None
    assert grades[2].score < 1
    best = best_step(grades, Direction.MINIMIZE, noise_threshold=0.1)
    assert best is not None
    assert best.step == 2
    assert best.success_at == {5: True, 10: True, 15: True, 20: True, 30: True}


def test_the_last_submission_keeps_the_score_of_the_result(grading: Grading, tmp_path: Path) -> None:
    steps = steps_with(grading, tmp_path / "workspace", [1.0, 0.0, 1.0])
    asked: list[int] = []
    final = result(steps, score=12.5, improvement=0.3, normalised=0.4)
    grades = grade_steps(grading, steps, final=final, progress=asked.append)
    assert asked == [1]
    assert [grades[n].score for n in (0, 2)] == [12.5, 12.5]
    assert grades[1].score != 12.5


def grades_of(*pairs: tuple[float | None, float | None]) -> list[StepGrade]:
    return [
        StepGrade(step=n, graded_at=n, score=score, improvement=improvement)
        for n, (score, improvement) in enumerate(pairs)
    ]


def test_the_best_step_by_improvement_the_first_of_equals() -> None:
    grades = grades_of((None, None), (0.5, 0.1), (0.6, 0.2), (0.6, 0.2), (0.4, -0.2))
    complete = with_best(result([], noise_threshold=0.25, direction=Direction.MAXIMIZE), grades)
    assert complete.best is not None
    assert complete.best.step == 2
    assert (complete.best.success, complete.best.success_beyond_noise) == (True, False)
    assert complete.best.success_at == {5: True, 10: True, 15: True, 20: False, 30: False}


def test_timings_are_compared_within_their_session() -> None:
    """The second was slower in seconds, but on a slower machine: it gained more."""
    best = best_step(grades_of((1.0, 0.5), (1.2, 0.7)), Direction.MINIMIZE, noise_threshold=None)
    assert best is not None
    assert (best.step, best.score) == (1, 1.2)


def test_without_a_score_there_is_no_best_step() -> None:
    assert best_step(grades_of((None, None)), Direction.MINIMIZE, None) is None
    assert best_step([], Direction.MINIMIZE, None) is None
    unknown_baseline = best_step(grades_of((3.0, None), (2.0, None)), Direction.MINIMIZE, None)
    assert unknown_baseline is not None
    assert (unknown_baseline.step, unknown_baseline.success) == (1, False)
