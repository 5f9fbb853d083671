"""``mlab grade``."""

from __future__ import annotations

from environment.journal import Journal
from environment.records import RunResult
from environment.store import Store
from environment.words import number, percent
from evaluation.grading import GradeReport
from flows.commands.output import print_json, print_table
from flows.regrade import grade_checkpoint
from flows.runs import find_run
from flows.settings import Settings

COMPARED = ("score", "baseline", "improvement", "normalised", "success")


def grade_again(run: str, *, as_json: bool) -> None:
    """Grade a run's last checkpoint from the store and print what is other than in its result."""
    settings = Settings()
    store = Store(settings.store_url)
    journal = Journal(store, find_run(store, run))
    report = grade_checkpoint(store, journal, settings, step=-1)
    before = journal.result()
    if as_json:
        print_json({"run_id": journal.run_id, **report.model_dump(mode="json"), "changed": _changed(before, report)})
        return
    rows = [
        {"figure": name, "before": _shown(before, name), "now": _shown(report, name)} for name in (*COMPARED, "invalid")
    ]
    print_table([row for row in rows if row["before"] or row["now"]], title=f"{journal.run_id} graded again")


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
