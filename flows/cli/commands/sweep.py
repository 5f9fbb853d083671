"""``mlab sweep``."""

from __future__ import annotations

import signal
from contextlib import nullcontext
from pathlib import Path

from rich.text import Text

from environment.journal.runs import summaries
from environment.records import run_name
from environment.records.display import duration, money
from environment.store import Store
from flows.cli.app import INTERRUPTED
from flows.cli.commands.beginning import require_all, tell_faults
from flows.cli.failure import FAILED, say
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.limits import require_room
from flows.run.cards import choice_of, require_cards
from flows.services.server import connect
from flows.services.variables import configure_process
from flows.settings import Settings, choose
from flows.sweep.budget_share import check_cap
from flows.sweep.cells import Cells, cells_of, expand, slips
from flows.sweep.estimate import Estimate, History
from flows.sweep.failures import FailureKind
from flows.sweep.lease import SweepLease, shared_with
from flows.sweep.local import LocalRunner
from flows.sweep.outcome import CellState, SweepReport
from flows.sweep.progress import ProgressView, opening, summary
from flows.sweep.running import Runner, Sweep, Watcher
from flows.sweep.spec import SweepSpec, read_sweep


def sweep_file(
    file: Path,
    *,
    at_once: int,
    deployment: str | None,
    dry_run: bool,
    retry_failed: bool,
    intermediate: bool,
    gpus: str | None,
    share_gpus: bool,
    unsafe: bool,
    as_json: bool,
) -> None:
    """Run a sweep file, print what came out, and exit with 1 where something is left to do.

    Args:
        file: The sweep file.
        at_once: Runs at once: processes of this machine, or flow runs waited for.
        deployment: Prefect deployment of ``benchmark-run`` to run them, with or without the flow's name before it;
            ``None`` for this machine.
        dry_run: Only say what would be run, and what it would cost.
        retry_failed: Also run again what an agent failed at.
        intermediate: Grade every step of every run, also of those that are done.
        gpus: Cards of each run, in place of what the file says.
        share_gpus: Let runs use the same cards, whatever the file says.
        unsafe: Allow runs without a sandbox.
        as_json: Print JSON.
    """
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings, spec = Settings(), read_sweep(file)
    spec = spec.with_options(gpus=gpus, share_gpus=share_gpus or None, intermediate=intermediate or None)
    expanded = expand(spec)
    for slip in slips(spec, expanded):
        say(slip)
    cells = cells_of(expanded, spec, settings)
    configs = cells.configs
    check_cap(configs, spec.money)
    if deployment is None and not dry_run:
        for choice in {config.gpus: choice_of(config, settings) for config in configs}.values():
            require_cards(choice)
    store = Store(settings.store_url)
    sweep = Sweep(spec, configs, store, retry_failed=retry_failed, unready=cells.unready)
    history = History(found.result for found in summaries(store) if found.result is not None)
    if dry_run:
        require_all(cells, settings, store, here=deployment is None)
        if deployment is None:
            for kind in {config.sandbox for config in configs}:
                settings.open_sandbox(kind, "dry-run")
        print_plan(sweep, history.estimate(sweep.to_run), at_once, as_json=as_json)
        return
    if deployment is None:
        tell_faults(Cells(sweep.todo, cells.unready), settings, store)
    report = run_sweep(sweep, history, settings, at_once, deployment=deployment, quiet=as_json)
    _print_report(report, as_json=as_json)
    end_with(report)


def end_with(report: SweepReport) -> None:
    """Exit as a sweep does that has something left to do."""
    if any(cell.state is CellState.STOPPED for cell in report.cells):
        raise SystemExit(INTERRUPTED)
    if not report.ended:
        raise SystemExit(FAILED)


def run_sweep(
    sweep: Sweep, history: History, settings: Settings, at_once: int, *, deployment: str | None, quiet: bool
) -> SweepReport:
    """Run what a sweep has left to do, with a bar on the terminal unless it is to be quiet.

    Raises:
        UsageError: Another process makes the same runs.
    """
    if deployment is None:
        require_room()
    configure_process(settings)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with SweepLease(sweep.store, sweep.spec.name, sweep.configs):
        for words in shared_with(sweep.store, sweep.configs):
            say(words)
        if not quiet:
            # Connecting may start a server, which takes half a minute.
            plain_console().print(Text(opening(sweep)))
        if sweep.todo:
            connect(settings)
        watcher = Watcher() if quiet else ProgressView(sweep, history, at_once)
        with watcher if isinstance(watcher, ProgressView) else nullcontext():
            return sweep.run(_runner(sweep, deployment, watcher), at_once, watcher)


def _runner(sweep: Sweep, deployment: str | None, watcher: Watcher) -> Runner:
    if deployment is None:
        return LocalRunner()
    # Prefect's client takes seconds to import, and runs on this machine don't need it here.
    from flows.sweep.deployed import DeployedRunner

    notice = watcher.notice if isinstance(watcher, ProgressView) else None
    return DeployedRunner(deployment, sweep.store, retry_failed=sweep.retry_failed, notice=notice)


def print_plan(sweep: Sweep, estimate: Estimate, at_once: int, *, as_json: bool) -> None:
    """Say what a sweep would run, and what it is expected to cost."""
    if as_json:
        runs = [
            {"run_id": config.run_id, "done": config.run_id in sweep.done, "config": config.model_dump(mode="json")}
            for config in sweep.configs
        ]
        print_json(
            {
                "name": sweep.spec.name,
                "runs": runs,
                "spent": sweep.budget_share.spent,
                "estimate": estimate.model_dump(),
            }
        )
        return
    print_table(
        [{"run": run_name(config), "state": _state(sweep, config.run_id)} for config in sweep.configs],
        title=opening(sweep),
    )
    plain_console().print(Text(_plan_line(sweep.spec, estimate, sweep.budget_share.spent, at_once)))


def _state(sweep: Sweep, run_id: str | None) -> str:
    if run_id in sweep.ungraded:
        return "to grade by step"
    return sweep.done[run_id].state.value if run_id in sweep.done else "to do"


def _plan_line(spec: SweepSpec, estimate: Estimate, spent: float, at_once: int) -> str:
    parts = [f"{money(spent)} spent so far", f"{money(estimate.cost)} expected"]
    if estimate.at_most is not None:
        parts.append(f"{money(estimate.at_most)} at most")
    if estimate.without_cost:
        parts.append(f"unknown for {estimate.without_cost} runs: none like them has ended, and they have no limit")
    if spec.money is not None:
        parts.append(f"the cap is {money(spec.money)}")
    if estimate.runs > estimate.without_time:
        parts.append(f"about {duration(estimate.seconds / at_once)} at {at_once} at once for those with a known time")
    return "; ".join(parts)


def _print_report(report: SweepReport, *, as_json: bool) -> None:
    if as_json:
        cells = [{"run_id": cell.run_id, **cell.model_dump(mode="json")} for cell in report.cells]
        print_json({"name": report.name, "cells": cells, "cost": report.cost, "seconds": report.seconds})
        return
    plain_console().print(Text(summary(report)))
    if not report.ended:
        plain_console().print(Text(_going_on(report)))


def _going_on(report: SweepReport) -> str:
    again = "un the same command again for what is left: nothing is done twice."
    if any(cell.failure is not None and cell.failure.kind is FailureKind.SETUP for cell in report.cells):
        return f'First mend what is named after "setup:" above, then r{again}'
    return f"R{again}"
