"""``mlab probe``."""

from __future__ import annotations

import re

from pydantic import JsonValue, ValidationError
from rich.text import Text

from environment.journal.runs import summaries
from environment.journal.tables import read_grades
from environment.records import Budget, RunConfig
from environment.records.display import counted, number
from environment.store import Store
from evaluation.process.probe import MAX_DEPTH, make_probe
from evaluation.process.probe.outcome import DepthSummary, ProbeRun, breaks_at, by_depth, probe_run
from flows.cli.commands.beginning import tell_faults
from flows.cli.commands.sweep import run_sweep
from flows.cli.failure import FAILED
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.settings import Settings, choose
from flows.sweep.cells import Cells, cells_of, expand
from flows.sweep.estimate import History
from flows.sweep.running import Sweep
from flows.sweep.spec import AgentEntry, SweepSpec
from foundation.validation import faults


def probe_agent(
    agent: str,
    model: str | None,
    agent_settings: dict[str, JsonValue],
    *,
    depths: str,
    seeds: int,
    money: float | None,
    at_once: int,
    unsafe: bool,
    as_json: bool,
) -> None:
    """Run an agent on the probe of each depth, and print at which it breaks; runs that are done are not run again.

    Args:
        agent: Name of the agent.
        model: Its model.
        agent_settings: Its settings.
        depths: ``4`` or ``1-10``.
        seeds: Runs of each depth.
        money: US dollars for each run.
        at_once: Runs at once.
        unsafe: Allow runs without a sandbox.
        as_json: Print JSON.
    """
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings = Settings()
    store = Store(settings.store_url)
    tasks = {str(make_probe(depth, settings.layout.probes)): depth for depth in _depths(depths)}
    spec = SweepSpec(
        name=re.sub(r"[^a-z0-9._-]+", "-", f"probe-{agent}-{model or ''}".lower()).strip("-"),
        tasks=tuple(tasks),
        agents=(AgentEntry(agent=agent),),
        models=(model,) if model else (),
        settings=(agent_settings,),
        seeds=seeds,
        budget=_budget(money),
        intermediate=True,
    )
    cells = cells_of(expand(spec), spec, settings)
    sweep = Sweep(spec, cells.configs, store, retry_failed=False, unready=cells.unready)
    tell_faults(Cells(sweep.todo, cells.unready), settings, store)
    history = History(found.result for found in summaries(store) if found.result is not None)
    report = run_sweep(sweep, history, settings, at_once, deployment=None, quiet=as_json)
    runs = [_read(store, cell.config, tasks[cell.config.task], ended=cell.result is not None) for cell in report.cells]
    _print(runs, as_json=as_json)
    if not report.ended:
        raise SystemExit(FAILED)


def _budget(money: float | None) -> Budget:
    try:
        return Budget(money=money)
    except ValidationError as error:
        raise UsageError("\n".join(faults(error))) from error


def _depths(typed: str) -> range:
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", typed.strip())
    if found is None:
        raise UsageError(f"{typed!r} is no depth.", hint="Write --depths 4 or --depths 1-10.")
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last <= MAX_DEPTH:
        raise UsageError(f"The probe has depths 1 to {MAX_DEPTH}, not {typed}.")
    return range(first, last + 1)


def _read(store: Store, config: RunConfig, depth: int, *, ended: bool) -> ProbeRun:
    run_id = config.run_id or ""
    return probe_run(run_id, depth, read_grades(store, run_id)) if ended else probe_run(None, depth, [])


def _print(runs: list[ProbeRun], *, as_json: bool) -> None:
    depths = by_depth(runs)
    if as_json:
        print_json(
            {
                "breaks_at": breaks_at(depths),
                "depths": [found.model_dump(mode="json") for found in depths],
                "runs": [{**run.model_dump(mode="json"), "solved": run.solved} for run in runs],
            }
        )
        return
    print_table([_row(found) for found in depths], title="Planning probe")
    plain_console().print(Text(_sentence(depths)))


def _row(found: DepthSummary) -> dict[str, str]:
    return {
        "changes in a row": str(found.depth),
        "solved": f"{found.solved} of {found.runs}",
        "changes right at the end": number(found.right),
        "steps a change": number(found.steps_per_change),
    }


def _sentence(depths: list[DepthSummary]) -> str:
    broken = breaks_at(depths)
    if broken is None:
        return f"It holds at every depth up to {depths[-1].depth}."
    right = next(found.right for found in depths if found.depth == broken)
    return f"It breaks at {counted(broken, 'change')} in a row, with {number(right)} of them right at the end."
