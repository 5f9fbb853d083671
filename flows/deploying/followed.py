"""One benchmark run that a deployment's worker does, followed from here through the store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from environment.errors import RunInterrupted
from environment.journal.entries import Journal
from environment.limits import effective_budget
from environment.records import RunConfig, RunResult
from environment.store import Store
from flows.errors import FlowError
from flows.run.observer import Observer
from flows.run.unended import NOT_BEGUN, in_store
from flows.services.server import connect
from flows.services.variables import configure_process
from flows.settings import Settings
from flows.sweep.failures import Failure
from foundation.errors import MlabError
from tasks_catalog.catalog import load_task

if TYPE_CHECKING:
    from flows.sweep.deployed import DeployedRunner

LOOK_SECONDS = 0.5


def run_deployed(config: RunConfig, deployment: str, settings: Settings, view: Observer) -> RunResult:
    """Start the run through a deployment, and show each step once it is committed.

    Args:
        config: The run, with its id.
        deployment: ``flow/deployment``.
        settings: Lead to the server and to the store, which the worker must share.
        view: Shows it.

    Raises:
        UsageError: The server has no such deployment.
        RunInterrupted: It stopped before its end, or is no longer followed; it can be resumed.
        FlowError: It never began, or not in the store of this machine.
    """
    configure_process(settings)
    store = Store(settings.store_url)
    followed = _Followed(config, Journal(store, config.run_id or ""), view)
    with view:
        ui_url = connect(settings)
        # Prefect's client takes seconds to import.
        from flows.sweep.deployed import DeployedRunner

        runner = DeployedRunner(deployment, store, notice=view.notice)
        view.connected(ui_url, "waiting for a worker")
        failure = followed.until_ended(runner)
        result = followed.journal.result()
        if failure is not None or result is None:
            raise _without_result(config.run_id, settings, failure, runner.flow_run)
        view.connected(f"{ui_url.rstrip('/')}/runs/flow-run/{runner.flow_run}", "done")
        followed.view.finished(result)
    return result


def _without_result(run_id: str | None, settings: Settings, failure: Failure | None, flow_run: object) -> MlabError:
    if in_store(run_id, settings):
        why = failure.message if failure else "The flow run ended without a result."
        elsewhere = f"\nHave a worker continue with: prefect flow-run retry {flow_run}" if flow_run else ""
        return RunInterrupted(why, hint=f"Continue here with: mlab resume {run_id}{elsewhere}")
    if failure is None:
        return FlowError(
            f"The flow run ended, but the run is not in this machine's store, {settings.store_url}.",
            hint="The worker keeps it in another one: give both the same MLAB_STORE.",
        )
    return FlowError(failure.message, hint=NOT_BEGUN)


class _Followed:
    """Tells a view what the journal has gained since it last looked."""

    def __init__(self, config: RunConfig, journal: Journal, view: Observer) -> None:
        self.journal = journal
        self.view = view
        self._config = config
        self._begun = False
        self._shown = 0

    def until_ended(self, runner: DeployedRunner) -> Failure | None:
        """Show what happens until the flow run has ended; returns why it has no result."""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(runner.run, self._config)
            try:
                while not wait([running], LOOK_SECONDS).done:
                    self._look()
            except KeyboardInterrupt as error:
                runner.stop()
                raise self._left(waiting=runner.waiting) from error
        self._look()
        return running.result()

    def _left(self, *, waiting: bool) -> RunInterrupted:
        if waiting:
            return RunInterrupted(
                "No longer followed; the run waits for a worker.",
                hint="A worker begins it, such as that of `mlab ui`; Prefect's interface can cancel it.",
            )
        hint = f"See it with: mlab show {self._config.run_id}"
        return RunInterrupted("No longer followed; the worker goes on with the run.", hint=hint)

    def _look(self) -> None:
        lock = self.journal.lock()
        if lock is None:
            return
        if not self._begun:
            budget = effective_budget(self._config.budget, load_task(self._config.task).spec.budget)
            self.view.prepared(self.journal.run_id, self._config, budget, lock.sandbox)
            self._begun = True
        for step in self.journal.steps()[self._shown :]:
            self.view.decided(step.n, step.decision)
            self.view.executed(step.n, step.effect)
            self.view.committed(step.n, step.decision, step.checkpoint)
            self._shown += 1
