"""A sweep as a flow of its own, for deployments: it has the runs done by workers, and watches them.

No postponed annotations here: Prefect builds the parameter form from the real types.
"""

from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import create_markdown_artifact
from prefect.runtime import flow_run
from pydantic import Field

from environment.records import RunConfig, run_name
from environment.store import Store
from flows.names import artifact_key
from flows.settings import Settings
from flows.sweep.budget_share import check_cap
from flows.sweep.cells import cells_of, expand, slips
from flows.sweep.deployed import DeployedRunner
from flows.sweep.failures import Failure
from flows.sweep.lease import SweepLease, shared_with
from flows.sweep.outcome import CellOutcome, SweepReport
from flows.sweep.progress import details, summary
from flows.sweep.running import Sweep, Watcher
from flows.sweep.spec import SweepSpec
from flows.text import one_line, plain_markdown
from foundation.records import Record


class SweepParameters(Record):
    """What to run, and how."""

    spec: SweepSpec
    deployment: str = Field(default="benchmark-run/mlab", description="runs each cell")
    at_once: int = Field(default=4, ge=1, description="flow runs at once")
    retry_failed: bool = Field(default=False, description="also run again what an agent failed at")


class Logged(Watcher):
    """Writes what happens to the flow run's log."""

    def __init__(self) -> None:
        self._log = get_run_logger()

    def unmeant(self, words: str) -> None:
        """What is probably not meant as it is written."""
        self._log.warning("%s", words)

    def begun(self, config: RunConfig) -> None:
        """One line when a run begins."""
        self._log.info("begun: %s", run_name(config))

    def failed(self, config: RunConfig, failure: Failure, wait: float) -> None:
        """Why a run is tried again."""
        self._log.warning("again in %.0f s: %s, after: %s", wait, run_name(config), one_line(failure.message))

    def ended(self, outcome: CellOutcome) -> None:
        """What became of a run."""
        self._log.info("%s: %s: %s", outcome.state.value, run_name(outcome.config), one_line(details(outcome)))


def name_of_sweep() -> str:
    """The flow run's name, from its parameters."""
    return f"sweep {SweepParameters.model_validate(flow_run.parameters['parameters']).spec.name}"


@flow(name="sweep", flow_run_name=name_of_sweep)
def sweep(parameters: SweepParameters) -> dict[str, Any]:
    """Have every run of a sweep done that has no result yet.

    Retrying or starting it again does nothing twice.

    Returns:
        The states of the runs, counted, and what they cost.
    """
    settings, spec, watcher = Settings(), parameters.spec, Logged()
    expanded = expand(spec)
    for slip in slips(spec, expanded):
        watcher.unmeant(slip)
    configs, unready = cells_of(expanded, spec, settings)
    check_cap(configs, spec.money)
    store = Store(settings.store_url)
    runs = Sweep(spec, configs, store, retry_failed=parameters.retry_failed, unready=unready)
    runner = DeployedRunner(parameters.deployment, store, retry_failed=runs.retry_failed)
    with SweepLease(store, spec.name, configs, flow_run.root_flow_run_id):
        for words in shared_with(store, configs):
            watcher.unmeant(words)
        report = runs.run(runner, parameters.at_once, watcher)
    create_markdown_artifact(table(report), key=artifact_key("sweep", report.name), description=summary(report))
    return {"name": report.name, "runs": report.counts, "cost": report.cost, "seconds": report.seconds}


def table(report: SweepReport) -> str:
    """One row a run."""
    rows = [
        f"| {plain_markdown(run_name(cell.config))} | {cell.state.value} | {plain_markdown(details(cell))} |"
        for cell in report.cells
    ]
    return "\n".join(["| run | state | result |", "| --- | --- | --- |", *rows])
