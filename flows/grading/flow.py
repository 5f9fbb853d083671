"""Grading as a flow of its own, for deployments.

No postponed annotations here: Prefect builds the parameter form from the real types.
"""

from typing import Any

from prefect import flow

from environment.journal.entries import Journal
from environment.store import Store
from flows.grading.again import grade_checkpoint, grade_checkpoints
from flows.run.finding import find_run
from flows.settings import Settings


@flow(name="grade", flow_run_name="grade {run_id}")
def grade_run(run_id: str, intermediate: bool = False) -> dict[str, Any]:
    """Grade again what a run submitted, or every checkpoint.

    Args:
        run_id: Id of a run in the store, or a unique beginning of it.
        intermediate: Grade every checkpoint and keep the grades with the run.

    Returns:
        The grade report, or the grades of all steps.
    """
    settings = Settings()
    store = Store(settings.store_url)
    journal = Journal(store, find_run(store, run_id))
    if intermediate:
        grades = grade_checkpoints(store, journal, settings)
        return {"run_id": journal.run_id, "grades": [grade.model_dump(mode="json") for grade in grades]}
    return grade_checkpoint(store, journal, settings).model_dump(mode="json")
