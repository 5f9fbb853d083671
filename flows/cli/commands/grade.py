"""``mlab grade``."""

from __future__ import annotations

from rich.text import Text

from environment.journal.entries import Journal
from environment.records import RunResult, Step, StepGrade, Thresholds
from environment.records.display import number, percent
from environment.store import Store
from evaluation.competence import success_at
from evaluation.grading import GradeReport
from flows.cli.failure import FAILED
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.grading.again import grade_checkpoint, grade_checkpoints
from flows.names import action_label
from flows.outcomes import best_line
from flows.run.finding import find_run
from flows.settings import Settings
from foundation.errors import MlabError

COMPARED = ("score", "baseline", "improvement", "normalised", "success")


def grade_runs(runs: list[str], *, intermediate: bool, as_json: bool) -> None:
    """Grade each run, as one JSON document a line or as tables; one that cannot be graded does not stop the others.

    Args:
        runs: Ids, or unique beginnings of them.
        intermediate: Grade every step instead of the last one.
        as_json: Print JSON.

    Raises:
        RunNotFoundError: A run is not in the store; nothing is graded then.
        MlabError: The only run cannot be graded.
    """
    store = Store(Settings().store_url)
    found = [find_run(store, run) for run in runs]
    failed = False
    for run in found:
        try:
            (grade_steps if intermediate else grade_again)(run, as_json=as_json)
        except MlabError as error:
            if len(found) == 1:
                raise
            failed = True
            plain_console(stderr=True).print(Text(f"{run}: {error.message}", style="red"), soft_wrap=True)
    if failed:
        raise SystemExit(FAILED)


def grade_again(run: str, *, as_json: bool) -> None:
    """Grade from the store what a run submitted, or would submit as it stands; print it beside its result."""
    settings = Settings()
    store = Store(settings.store_url)
    journal = Journal(store, find_run(store, run))
    report = grade_checkpoint(store, journal, settings)
    before = journal.result()
    if as_json:
        figures = {**report.model_dump(mode="json"), "changed": _changed(before, report)}
        print_json({"run_id": journal.run_id, "ended": before is not None, **figures})
        return
    if before is None:
        now = [
            {"figure": name, "would be": shown} for name in (*COMPARED, "invalid") if (shown := _shown(report, name))
        ]
        print_table(now, title=f"{journal.run_id} has not ended: what it would score as it stands")
        note = f"None of it is kept; `mlab resume {journal.run_id}` goes on with the run."
        plain_console().print(Text(note), soft_wrap=True)
        return
    rows = [
        {"figure": name, "before": _shown(before, name), "now": _shown(report, name)} for name in (*COMPARED, "invalid")
    ]
    print_table([row for row in rows if row["before"] or row["now"]], title=f"{journal.run_id} graded again")


def grade_steps(run: str, *, as_json: bool) -> None:
    """Grade every step of a run, keep the grades with it, show them in MLflow, and print them."""
    from environment.mlflow.mirror import sync_runs

    settings, console = Settings(), plain_console(stderr=as_json)
    store = Store(settings.store_url)
    journal = Journal(store, find_run(store, run))
    with console.status("grading") as status:
        grades = grade_checkpoints(
            store, journal, settings, progress=lambda n: status.update(f"grading the workspace after step {n}")
        )
        status.update("showing the grades in MLflow")
        sync_runs(settings.mlflow_uri, settings.layout.mlflow_artifacts, store, [journal.run_id])
    result = journal.result()
    best = result.best if result else None
    if as_json:
        rows = [grade.model_dump(mode="json") for grade in grades]
        print_json({"run_id": journal.run_id, "grades": rows, "best": best.model_dump(mode="json") if best else None})
        return
    steps = zip(journal.steps(), grades, strict=True)
    print_table([_step_row(step, grade) for step, grade in steps], title=f"{journal.run_id}, every step graded")
    if result is not None and best is not None:
        console.print(Text(f"best step {best_line(result)}"))


def _step_row(step: Step, grade: StepGrade) -> dict[str, str]:
    same = f"same as step {grade.graded_at}" if grade.graded_at != grade.step else ""
    return {
        "step": str(step.n),
        "action": action_label(step.decision.action),
        "score": number(grade.score),
        "improvement": percent(grade.improvement, signed=True),
        "normalised": number(grade.normalised),
        "success at": _reached(success_at(grade.improvement)),
        "note": same or grade.invalid or "",
    }


def _reached(thresholds: Thresholds) -> str:
    """The highest threshold that is exceeded; the lower ones are then, too."""
    reached = [threshold for threshold, exceeded in thresholds.items() if exceeded]
    return f"{max(reached)} %" if reached else ""


def _changed(before: RunResult | None, now: GradeReport) -> dict[str, list[object]]:
    pairs = {name: [getattr(before, name, None), getattr(now, name)] for name in COMPARED}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _shown(source: RunResult | GradeReport | None, name: str) -> str:
    if name == "invalid":
        return str(getattr(source, "invalid", None) or getattr(source, "invalid_submission", None) or "")
    value = getattr(source, name, None)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return percent(value, signed=True) if name == "improvement" else number(value)
