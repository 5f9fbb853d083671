"""``mlab show``."""

from __future__ import annotations

from collections import defaultdict

from pydantic import JsonValue

from environment.errors import CorruptObjectError
from environment.journal.entries import Journal
from environment.journal.runs import RunSummary, summaries
from environment.journal.tables import read_tables
from environment.records import RunResult, Step
from environment.records.display import counted, number, percent
from environment.store import Store
from evaluation.search import read_search, search_rows
from evaluation.statistics.entries import is_graded, why_ungraded
from flows.cli.failure import warn
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.run.finding import find_run
from flows.settings import Settings


def list_all(*, as_json: bool) -> None:
    """Print every run of the store."""
    runs = summaries(Store(Settings().store_url))
    if as_json:
        print_json([run.model_dump(mode="json") for run in runs])
    else:
        print_table([_row(run) for run in runs], empty="No runs yet. Start one with: mlab run house-price")


def show_run(run: str, *, step: int | None, full: bool, as_json: bool) -> None:
    """Print the trajectory of one run, or one of its steps.

    Args:
        run: Its id, or the part of it that tells it from others.
        step: Only this one, whole.
        full: Everything of all steps.
        as_json: Print JSON, each step with the verdicts on what was claimed in it.
    """
    store = Store(Settings().store_url)
    journal = Journal(store, find_run(store, run))
    steps = journal.steps()
    for check in (journal.config, journal.check_whole):
        try:
            check()
        except CorruptObjectError as error:
            warn(error)
    if step is not None:
        if step >= len(steps):
            raise UsageError(f"Run {journal.run_id} has {counted(len(steps), 'step')}, numbered from 0.")
        steps = steps[step : step + 1]
    if as_json:
        claims = _claims(journal, store)
        print_json([{**step_json(step), "claims": claims[step.n]} for step in steps])
        return
    from evaluation.overview import overview
    from evaluation.show import render

    whole = full or step is not None
    shown = render(journal, steps, store) if whole else overview(journal, steps, store)
    plain_console().print(shown, crop=False)  # whole lines in a pipe


def show_tree(run: str, *, as_json: bool) -> None:
    """Print the search tree of one run.

    Raises:
        UsageError: Its agent keeps none.
    """
    store = Store(Settings().store_url)
    journal = Journal(store, find_run(store, run))
    steps = journal.steps()
    tree = read_search(store, steps)
    if tree is None:
        raise UsageError(
            f"The agent of run {journal.run_id} keeps no search tree.", hint="mlab show RUN shows its steps."
        )
    if as_json:
        rows: JsonValue = [*search_rows(tree, steps)]
        print_json({**tree.model_dump(mode="json"), "nodes": rows})
        return
    from evaluation.search_view import render_search

    plain_console().print(render_search(tree))


def _claims(journal: Journal, store: Store) -> defaultdict[int, list[object]]:
    """The claims of a finished run by step, as its table has them."""
    by_step: defaultdict[int, list[object]] = defaultdict(list)
    for row in read_tables(store, [journal.run_id], "claims"):
        by_step[int(str(row["step"]))].append(row)
    return by_step


def step_json(step: Step) -> dict[str, JsonValue]:
    """One step of a trajectory, in the words of the design."""
    training_run = step.effect.training_run
    return {
        "n": step.n,
        "prose": dict(step.decision.prose),
        "action": step.decision.action.model_dump(mode="json"),
        "observation": step.effect.observation.text,
        "outcome": step.effect.observation.outcome.value,
        "training_run": training_run.model_dump(mode="json") if training_run else None,
        "workspace": step.checkpoint.workspace,
        "checkpoint": step.checkpoint.model_dump(mode="json"),
    }


def _row(run: RunSummary) -> dict[str, str]:
    result = run.result
    return {
        "run": run.run_id,
        "model": (result.model or "") if result else "",
        "status": "damaged, see mlab doctor" if run.damage else run.status.value,
        "steps": str(run.steps),
        "score": number(result.score) if result else "",
        "improvement": percent(result.improvement, signed=True) if result else "",
        "success": _success(result) if result else "",
    }


def _success(result: RunResult) -> str:
    if not is_graded(result):
        return why_ungraded(result)
    return "yes" if result.success else "no"
