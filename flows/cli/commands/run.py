"""``mlab run`` and ``mlab resume``."""

from __future__ import annotations

import sys

from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from agent.models.factory import make_model
from agent.models.secrets import read_secrets
from agent.models.settings import ModelSettings
from agent.registry import WITH_MODEL, WITHOUT_MODEL
from agent.settings import MODEL_PREFIX, read_settings
from environment.errors import CorruptObjectError
from environment.journal.entries import Journal
from environment.journal.runs import summaries
from environment.records import Branch, RunConfig, RunResult, RunStatus, run_name
from environment.records.display import duration, money
from environment.store import Store
from flows.cli.failure import FAILED
from flows.cli.live import LiveView, summary
from flows.cli.output import print_json
from flows.deploying.followed import run_deployed
from flows.errors import UsageError
from flows.names import new_run_id
from flows.run.cards import choice_of, require_cards
from flows.run.executing import execute
from flows.run.finding import check_branch, find_run
from flows.run.needs import check_disk
from flows.run.observer import Observer
from flows.run.opening import check_config, handing_on
from flows.settings import Settings, choose
from flows.sweep.estimate import History
from flows.sweep.outcome import lacks_grades
from foundation.validation import faults


def new_config(**fields: object) -> RunConfig:
    """A run's config from the command line's options.

    Raises:
        UsageError: An option has a value that the config refuses.
    """
    try:
        return RunConfig.model_validate(fields)
    except ValidationError as error:
        raise UsageError("\n".join(faults(error))) from error


def agent_for(agent: str | None, model: str | None) -> str:
    """The agent that was asked for, or the usual one with or without a model.

    Raises:
        UsageError: A model for an agent that calls none.
    """
    if agent is None:
        return "research" if model else "tuner"
    if model and agent in WITHOUT_MODEL:
        callers = ", ".join(WITH_MODEL)
        raise UsageError(f"The agent {agent} calls no model.", hint=f"Leave out --model, or take one of: {callers}.")
    return agent


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
    if is_new:
        _check_models(config)
    view = Observer() if as_json else LiveView(settings)
    with handing_on(checked):
        result = run_deployed(config, deployment, settings, view) if deployment else execute(config, settings, view)
    if as_json:
        print_json(result.model_dump(mode="json"))
    _exit_as(result)


def plan_run(config: RunConfig, *, as_json: bool, unsafe: bool = False) -> None:
    """Check a run on this machine without starting it; print what it would cost and take by earlier runs like it."""
    if unsafe:
        choose(unsafe_no_sandbox=True)
    settings = Settings()
    store = Store(settings.store_url)
    checked = check_config(config, settings, store)
    require_cards(choice_of(config, settings))
    check_disk(config, checked.task, settings)
    settings.open_sandbox(config.sandbox, "dry-run")
    _check_models(config)
    history = History(found.result for found in summaries(store) if found.result is not None)
    cost, seconds = history.cost(config), history.seconds(config)
    if as_json:
        print_json({"config": config.model_dump(mode="json"), "cost": cost, "seconds": seconds})
        return
    unknown = "unknown: none like it has ended"
    expected = unknown if cost is None else money(cost)
    took = unknown if seconds is None else f"about {duration(seconds)}"
    Console().print(Text(f"{run_name(config)}\ncost {expected}, time {took}"), soft_wrap=True)


def _exit_as(result: RunResult) -> None:
    if result.status is not RunStatus.COMPLETED:
        raise SystemExit(FAILED)


def _print_result(result: RunResult, settings: Settings, *, as_json: bool) -> None:
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        Console().print(summary(result, settings, ""))
    _exit_as(result)


def _check_models(config: RunConfig) -> None:
    """Find a missing key or library before anything is started."""
    if config.model is None or config.agent not in WITH_MODEL:
        return
    settings, secrets = read_settings(ModelSettings, MODEL_PREFIX, config.settings), read_secrets()
    for name in {config.model, config.fast_model or config.model, config.edit_model or config.model}:
        make_model(name, settings, secrets)


def resume_run(run: str, *, from_step: int | None, as_json: bool, unsafe: bool = False) -> None:
    """Continue ``run``, or branch a new run off one of its steps."""
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
