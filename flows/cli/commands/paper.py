"""``mlab paper``."""

from __future__ import annotations

from environment.journal.runs import summaries
from environment.records import RunResult
from environment.store import Store
from evaluation.paper import efficiency_table, improvement_table, success_table
from evaluation.statistics.contestants import entries_of
from evaluation.statistics.entries import is_anchor
from evaluation.statistics.tables import Table, tables
from flows.cli.commands.choice import Choice
from flows.cli.output import print_json, print_table
from flows.errors import UsageError
from flows.settings import Settings
from tasks_catalog.library.spec import Variant


def print_paper(choice: Choice, variant: str, *, as_json: bool) -> None:
    """Print the paper's tables from the chosen runs of one data variant.

    Raises:
        UsageError: None of them has a grade.
    """
    store = Store(Settings().store_url)
    wanted = None if choice.of_all else set(choice.ids(store))
    table = _table(store, wanted, Variant(variant))
    shown = {
        "success by task": success_table(table),
        "improvement over the baseline, runs with a score": improvement_table(table),
        "efficiency": efficiency_table(table),
    }
    if as_json:
        print_json({"variant": variant, "tables": shown, "figures": table.model_dump(mode="json")})
        return
    ours = "the benchmark's own data" if table.variant is Variant.FULL else "small stand-in data, not comparable"
    for title, rows in shown.items():
        print_table(rows, title=f"{title} (these runs on {ours}; then the paper's)")


def _table(store: Store, wanted: set[str] | None, variant: Variant) -> Table:
    runs = [
        (run.result, run.config)
        for run in summaries(store)
        if run.result is not None and _is_own(run.result, variant) and (wanted is None or run.run_id in wanted)
    ]
    found = tables(entries_of([(result, config) for result, config in runs if not is_anchor(result)]))
    if not found or not found[0].summaries:
        raise UsageError(
            f"No run with {variant} data has a grade.",
            hint="--variant chooses; mlab show lists the runs. Imported ones do not count: nobody knows their data.",
        )
    return found[0]


def _is_own(result: RunResult, variant: Variant) -> bool:
    """Whether the run was made here, on data of the variant; no imported log names its data."""
    return not result.is_imported and result.variant is variant
