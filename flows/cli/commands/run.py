"""``mlab run`` and ``mlab resume``."""

from __future__ import annotations

import sys

from environment.errors import CorruptObjectError
from environment.journal.entries import Journal
from environment.journal.lease import require_free
from environment.records import Branch, RunConfig, RunResult, RunStatus
from environment.store import Store
from flows.cli.commands.asked import check_models
from flows.cli.failure import FAILED
from flows.cli.live import LiveView, summary
from flows.cli.output import print_json
from flows.consoles import wide_console
from flows.deploying.followed import run_deployed
from flows.limits import require_room
from flows.names import new_run_id
from flows.run.cards import choice_of, require_cards
from flows.run.checking import check_config, handing_on
from flows.run.disk import check_disk
from flows.run.executing import execute
from flows.run.finding import check_branch, find_run
from flows.run.observer import Observer
from flows.settings import Settings, choose
from flows.sweep.outcome import lacks_grades
from foundation.copies import ending_leftovers


@ending_leftovers()
def run_benchmark(config: RunConfig, *, as_json: bool, unsafe: bool = False, deployment: str | None = None) -> None:
    """Run here or through a deployment, print the result, and exit with its code."""
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings, is_new = Settings(), config.run_id is None
    if is_new:
        config = config.model_copy(update={"run_id": new_run_id(config)})
    store = Store(settings.store_url)
    checked = check_config(config, settings, store, Journal(store, config.run_id or "").recorder())
    if deployment is None:
        require_cards(choice_of(config, settings))
        check_disk(config, checked.task, settings)
        require_room()
    if is_new:
        check_models(config)
    view = Observer() if as_json else LiveView(settings)
    with handing_on(checked):
        result = run_deployed(config, deployment, settings, view) if deployment else execute(config, settings, view)
    if as_json:
        print_json(result.model_dump(mode="json"))
    _exit_as(result)


def _exit_as(result: RunResult) -> None:
    if result.status is not RunStatus.COMPLETED:
        raise SystemExit(FAILED)


def _print_result(result: RunResult, settings: Settings, *, as_json: bool) -> None:
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        wide_console().print(summary(result, settings, ""))
    _exit_as(result)


def resume_run(run: str, *, from_step: int | None, as_json: bool, unsafe: bool = False) -> None:
    """Continue ``run``, or branch a new run off one of its steps.

    Raises:
        RunBusyError: It is to be continued, and another process does so.
    """
    settings = Settings()
    store = Store(settings.store_url)
    run_id = find_run(store, run)
    journal = Journal(store, run_id)
    result = journal.result()
    if from_step is None and result is not None:
        print(f"Run {run_id} is already finished; this is its result.", file=sys.stderr)
        if not _lacks_grades(journal, store, result):
            _print_result(result, settings, as_json=as_json)
            return
    config = journal.config()
    if from_step is None:
        require_free(store, run_id)
        config = config.model_copy(update={"run_id": run_id})
    else:
        branch = Branch(run_id=run_id, step=from_step)
        check_branch(store, branch)
        config = config.model_copy(update={"run_id": new_run_id(config), "branch": branch})
    run_benchmark(config, as_json=as_json, unsafe=unsafe)


def _lacks_grades(journal: Journal, store: Store, result: RunResult) -> bool:
    try:
        return lacks_grades(store, journal.config(), result)
    except CorruptObjectError:
        return False
