"""Opens a run on this machine: a new one, or one to go on with."""

from __future__ import annotations

from contextlib import ExitStack

from environment.journal import Journal
from environment.lease import RunLease
from environment.records import RunConfig
from environment.sandbox import open_sandbox
from environment.store import Store
from flows.names import new_run_id
from flows.session import RunSession
from flows.settings import Settings
from tasks_catalog.catalog import load_task
from tasks_catalog.prepare import prepare

DATA = "data"
"""Where the workspace shows the task's public data."""


def open_session(config: RunConfig, flow_run_id: str | None) -> RunSession:
    """Open the run of ``config``; where the store knows it, at its last commit.

    Args:
        config: What is asked; of a run that the store knows, only the id counts.
        flow_run_id: Names the run where the config does not, so that a retry finds it again.

    Raises:
        MlabError: Anything that keeps it from starting, said in words.
    """
    settings = Settings()
    store = Store(settings.store_url)
    run_id = config.run_id or new_run_id(config, flow_run_id)
    journal = Journal(store, run_id)
    if journal.exists():
        config = journal.config()
    task = load_task(config.task)
    layout = settings.layout
    data = prepare(task, config.variant, layout.task_data(task.name, config.variant), layout.downloads)
    with ExitStack() as stack:
        stack.enter_context(RunLease(store, run_id))
        sandbox = open_sandbox(config.sandbox, label=run_id)
        _register(journal, config, task, data, sandbox)
    raise NotImplementedError
