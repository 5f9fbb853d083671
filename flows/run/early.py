"""The local Prefect server starts while a command still imports what it needs."""

from __future__ import annotations

from contextlib import suppress

from flows.services.server import prefect_service
from flows.settings import Settings
from foundation.errors import MlabError
from tasks_catalog.catalog import find_task


def start_early(task: str) -> None:
    """Have the server start that a run on the task will use; for a task that is not there, none will be used."""
    with suppress(MlabError, OSError):  # the run itself meets it again, and says it
        settings = Settings()
        if settings.prefect_api_url is None and find_task(task) is not None:
            settings.make_home()
            prefect_service(settings).begin()
