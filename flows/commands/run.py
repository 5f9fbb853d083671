"""``mlab run`` and ``mlab resume``."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import JsonValue, ValidationError

from environment.errors import RunInterrupted
from environment.journal import Journal
from environment.layout import RunKeys
from environment.records import Branch, RunConfig, RunResult, RunStatus
from environment.store import Store
from flows.commands.failure import FAILED
from flows.errors import UsageError
from flows.live import LiveView
from flows.names import new_run_id
from flows.observer import Silent, watched_by
from flows.open import check_config
from flows.process import configure_process
from flows.runs import find_run
from flows.server import connect
from flows.settings import Settings
from tasks_catalog.errors import MlabError


def parse_settings(pairs: list[str]) -> dict[str, JsonValue]:
    """``name=value`` pairs; a value is JSON where it can be read as such, else text."""
    settings: dict[str, JsonValue] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            raise UsageError(f"{pair!r} is not a setting.", hint="Write --set name=value.")
        try:
            settings[name] = json.loads(value)
        except json.JSONDecodeError:
            settings[name] = value
    return settings


def new_config(**fields: object) -> RunConfig:
    """A run's config from the command line's options.

    Raises:
        UsageError: An option has a value that the config refuses.
    """
    try:
        return RunConfig.model_validate(fields)
    except ValidationError as error:
        problems = (
            f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors(include_url=False)
        )
        raise UsageError("\n".join(problems)) from error


def run_benchmark(config: RunConfig, *, as_json: bool, unsafe: bool = False) -> None:
    """Run, print the result, and exit with its code."""
    if unsafe:
        os.environ["MLAB_UNSAFE_NO_SANDBOX"] = "true"
    settings = Settings()
    check_config(config, settings, Store(settings.store_url))
    if config.run_id is None:
        config = config.model_copy(update={"run_id": new_run_id(config)})
    result = execute(config, settings, LiveView(settings) if not as_json else None)
    if as_json:
        print(result.model_dump_json())
    if result.status is not RunStatus.COMPLETED:
        raise SystemExit(FAILED)


def resume_run(run: str, *, from_step: int | None, as_json: bool, unsafe: bool = False) -> None:
    """Continue ``run``, or branch a new run off one of its steps."""
    settings = Settings()
    store = Store(settings.store_url)
    run_id = find_run(store, run)
    config = Journal(store, run_id).config()
    if from_step is None:
        config = config.model_copy(update={"run_id": run_id})
    else:
        branch = Branch(run_id=run_id, step=from_step)
        config = config.model_copy(update={"run_id": new_run_id(config), "branch": branch})
    run_benchmark(config, as_json=as_json, unsafe=unsafe)


def execute(config: RunConfig, settings: Settings, view: LiveView | None) -> RunResult:
    """Run the flow in this process, on the configured Prefect server or the shared local one.

    Raises:
        RunInterrupted: It stopped before its end and can be resumed.
    """
    configure_process(settings)
    with view or _nothing(), _terminated_like_interrupted():
        ui_url = connect(settings)
        if view:
            view.connected(ui_url)
        from flows.benchmark import benchmark_run

        try:
            with watched_by(view or Silent()):
                state = benchmark_run(config, return_state=True)
        except KeyboardInterrupt as error:
            raise _interrupted(config, "Interrupted.") from error
    if state.is_completed():
        return RunResult.model_validate(state.result())
    raise _failure(config, settings, state.result(raise_on_failure=False))


def _failure(config: RunConfig, settings: Settings, error: object) -> MlabError:
    """What to raise for a flow that failed: resumable once the run is in the store."""
    if isinstance(error, MlabError) and not _in_store(config, settings):
        return error
    text = str(error) if isinstance(error, MlabError) else f"{type(error).__name__}: {error}"
    failure = _interrupted(config, text)
    failure.__cause__ = error if isinstance(error, BaseException) else None
    return failure


def _in_store(config: RunConfig, settings: Settings) -> bool:
    store = Store(settings.store_url)
    return config.run_id is not None and store.exists(RunKeys(run_id=config.run_id).config)


def _interrupted(config: RunConfig, why: str) -> RunInterrupted:
    return RunInterrupted(why, hint=f"Nothing committed is lost. Continue with: mlab resume {config.run_id}")


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
