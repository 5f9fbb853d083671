"""``mlab ablate``."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue, ValidationError
from rich.text import Text

from environment.journal.runs import summaries
from environment.records import RunConfig, RunResult
from environment.records.display import NONE, counted, number, percent
from environment.store import Store
from evaluation.report.wording import interval, p_text
from evaluation.statistics.entries import is_graded
from evaluation.statistics.switches import Ablation, SwitchEffect, ablation
from flows.cli.commands.beginning import require_all, tell_faults
from flows.cli.commands.sweep import end_with, print_plan, run_sweep
from flows.cli.output import print_json, print_table
from flows.cli.pairs import parse_settings
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.settings import Settings, choose
from flows.sweep.budget_share import check_cap
from flows.sweep.cells import Cells, cells_of, expand
from flows.sweep.estimate import History
from flows.sweep.outcome import SweepReport
from flows.sweep.running import Sweep
from flows.sweep.spec import AgentEntry, SweepSpec
from foundation.validation import faults

GUARD = "guard"


class Asked(NamedTuple):
    """What the command line says.

    Attributes:
        switches: Settings to turn off one at a time: ``log``, or ``history=0`` where off is another value than false.
        settings: Of every run.
        money: US dollars for each run.
    """

    agent: str
    switches: tuple[str, ...]
    tasks: tuple[str, ...]
    model: str | None
    settings: dict[str, JsonValue]
    seeds: int
    variant: str
    money: float | None


def ablate_agent(asked: Asked, *, at_once: int, dry_run: bool, unsafe: bool, as_json: bool) -> None:
    """Run an agent whole and with each switch off, and print what each is worth."""
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings, spec = Settings(), spec_of(asked)
    cells = cells_of(expand(spec), spec, settings)
    check_cap(cells.configs, spec.money)
    store = Store(settings.store_url)
    sweep = Sweep(spec, cells.configs, store, retry_failed=False, unready=cells.unready)
    history = History(found.result for found in summaries(store) if found.result is not None)
    if dry_run:
        require_all(cells, settings, store, here=True)
        print_plan(sweep, history.estimate(sweep.to_run), at_once, as_json=as_json)
        return
    tell_faults(Cells(sweep.todo, cells.unready), settings, store)
    report = run_sweep(sweep, history, settings, at_once, deployment=None, quiet=as_json)
    found = ablation_of(report, asked)
    if as_json:
        print_json({"sweep": report.name, "cost": report.cost, **found.model_dump(mode="json")})
    else:
        _print(found)
    end_with(report)


def spec_of(asked: Asked) -> SweepSpec:
    """The sweep of an ablation: the agent whole, then with each switch off.

    Raises:
        UsageError: A value that is none, no switch, or one named twice.
    """
    if not asked.switches:
        raise UsageError("No switch is named.", hint="--switch log,fact_check: settings of the agent to turn off.")
    if len(set(asked.switches)) < len(asked.switches):
        raise UsageError("A switch is named twice.")
    models = (asked.model,) if asked.model else ()
    try:
        entries = [
            AgentEntry(agent=asked.agent, models=models, settings=(settings,), guard=guard)
            for settings, guard in (_arm(asked, None), *(_arm(asked, switch) for switch in asked.switches))
        ]
        return SweepSpec.model_validate(
            {
                "name": f"ablate-{asked.agent.rpartition(':')[2].lower()}",
                "tasks": asked.tasks,
                "agents": entries,
                "seeds": asked.seeds,
                "variant": asked.variant,
                "budget": {"money": asked.money},
            }
        )
    except ValidationError as error:
        raise UsageError("\n".join(faults(error))) from error


def ablation_of(report: SweepReport, asked: Asked) -> Ablation:
    """What the runs of the sweep say of each switch."""

    def arm(switch: str | None) -> list[RunResult]:
        wanted = _arm(asked, switch)
        return [
            cell.result
            for cell in report.cells
            if cell.result and _is_of(cell.config, wanted) and is_graded(cell.result)
        ]

    return ablation(arm(None), {_name(switch): arm(switch) for switch in asked.switches})


def _is_of(config: RunConfig, arm: tuple[dict[str, JsonValue], bool]) -> bool:
    return (config.settings, config.guard) == arm


def _arm(asked: Asked, off: str | None) -> tuple[dict[str, JsonValue], bool]:
    """Settings of the agent with one switch off, and whether it is guarded; the guard is on where it is a switch."""
    guard = GUARD in asked.switches and off != GUARD
    if off is None or off == GUARD:
        return asked.settings, guard
    return {**asked.settings, **(parse_settings([off]) if "=" in off else {off: False})}, guard


def _name(switch: str) -> str:
    return switch.partition("=")[0]


def _print(found: Ablation) -> None:
    print_table(
        [_row(effect) for effect in found.effects],
        title="What each switch is worth: with it less without it, same tasks and seeds",
        empty="No two runs differ in a switch alone: nothing can be compared.",
    )
    console = plain_console()
    for trend in found.trends:
        trend_line = "fewer than four tasks, or all alike: not held against difficulty"
        if trend.correlation is not None:
            trend_line = f"rank correlation {number(trend.correlation)}, p = {p_text(trend.p_value)}"
        console.print(Text(f"{trend.switch} against difficulty of the task (failures of both arms): {trend_line}"))
    console.print(Text("Intervals hold together with 95 %; p values are corrected for all rows of a kind (Holm)."))


def _row(effect: SwitchEffect) -> dict[str, str]:
    compared = effect.comparison
    return {
        "switch": effect.switch,
        "on": effect.scope,
        "pairs": counted(compared.pairs, "pair"),
        "improvement": f"{percent(compared.improvement.value, signed=True)} ({interval(compared.improvement)})",
        "success": f"{percent(compared.success.value, signed=True)} ({interval(compared.success)})",
        "p": p_text(effect.p_value),
        "seeds that would tell": str(compared.seeds_needed) if compared.seeds_needed else NONE,
    }
