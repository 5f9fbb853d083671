"""``mlab close``."""

from __future__ import annotations

from environment.mlflow.mirror import sync_runs
from environment.records import RunStatus
from environment.store import Store
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.grading.closing import close
from flows.run.finding import find_run
from flows.settings import Settings


def close_run(run: str, end: str, reason: str, *, as_json: bool) -> None:
    """End an interrupted run by hand, and show so in MLflow."""
    settings = Settings()
    store = Store(settings.store_url)
    result = close(store, find_run(store, run), RunStatus(end), reason)
    sync_runs(settings.mlflow_uri, settings.layout.mlflow_artifacts, store, [result.run_id])
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        plain_console().print(f"Closed {result.run_id} as {end}.", soft_wrap=True)
