"""Runs the flow of one benchmark run in this process, and tells a failure from an interruption."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from environment.errors import CorruptObjectError, RunBusyError, RunInterrupted
from environment.records import RunConfig, RunResult
from environment.store import Store
from flows.data import data_of
from flows.errors import LockMismatchError
from flows.limits import meaning_limit
from flows.names import task_of
from flows.run.observer import Observer, watched_by
from flows.run.stopping import give_up_soon, handled, soon_given_up
from flows.run.unended import in_store, interrupted
from flows.services.server import begin, connect, kept_alive
from flows.services.variables import configure_process
from flows.settings import Settings
from foundation.disk import is_full, meaning_full
from foundation.errors import MlabError
from foundation.faults import with_place

_LOADED_LATE = ("prefect.flow_engine", "fastapi.encoders")
"""What Prefect would load only as a flow is called, when the server is there and waits."""


def execute(config: RunConfig, settings: Settings, view: Observer) -> RunResult:
    """Run the flow in this process, on the configured Prefect server or the shared local one.

    Raises:
        RunInterrupted: It stopped before its end and can be resumed.
    """
    configure_process(settings)
    logging.raiseExceptions = False  # what Prefect can't be told is said once, by the run, and not by Prefect's logging
    with view, _terminated_like_interrupted(), soon_given_up(view.stopping) as stopped:
        begin(settings)
        # While the server starts: Prefect takes seconds to import, and data as long to be fetched and made.
        data = _meanwhile(lambda: data_of(task_of(config), config.variant, settings))
        import httpx

        from flows.run.flow import benchmark_run
        from flows.run.flow_runs import crash_dead

        with suppress(MlabError, OSError):  # the run itself meets it again, and says it
            _ = settings.open_sandbox(config.sandbox, config.run_id or "").held_by  # it is found out once
        for module in _LOADED_LATE:
            import_module(module)
        data.join()
        view.connected(connect(settings))
        with suppress(MlabError, httpx.HTTPError):  # as above
            crash_dead(Store(settings.store_url))
        try:
            with kept_alive(settings, view.warned, give_up_soon), watched_by(view):
                state = benchmark_run(config, return_state=True)
        except KeyboardInterrupt as error:
            raise interrupted(config.run_id, settings, "Interrupted.") from error
        except httpx.HTTPError as error:
            # How it ended could not be told to Prefect, which matters only where nobody stopped it.
            if stopped.is_set():
                raise interrupted(config.run_id, settings, "Interrupted.") from error
            raise interrupted(config.run_id, settings, _told_meanwhile(error) or _away(settings, error)) from error
    if state.is_completed():
        return RunResult.model_validate(state.result())
    if stopped.is_set():
        raise interrupted(config.run_id, settings, "Interrupted.")
    raise _failure(config, settings, state.result(raise_on_failure=False))


def _meanwhile(work: Callable[[], object]) -> threading.Thread:
    """Work beside this thread, whose failure the run itself meets again, and says; an interruption does not wait."""

    def attempt() -> None:
        with suppress(MlabError, OSError):
            work()

    thread = threading.Thread(target=attempt, daemon=True, name="make data")
    thread.start()
    return thread


def _failure(config: RunConfig, settings: Settings, error: object) -> MlabError:
    """What to raise for a flow that failed: resumable once the run is in the store."""
    error = meaning_full(error) or meaning_limit(error) or error
    if isinstance(error, MlabError) and not in_store(config.run_id, settings):
        return error
    if not isinstance(error, BaseException):
        return interrupted(config.run_id, settings, str(error))
    if isinstance(error, RunBusyError):
        return error
    if isinstance(error, LockMismatchError | CorruptObjectError):
        # Trying again would end the same way; what helps is in its own hint.
        return RunInterrupted(error.message, hint=error.hint)
    text = str(error) if isinstance(error, MlabError) else with_place(error)
    failure = interrupted(config.run_id, settings, "\n".join([text, *getattr(error, "__notes__", ())]))
    failure.__cause__ = error
    return failure


def _told_meanwhile(error: BaseException) -> str | None:
    """What was being told to Prefect when that failed: an error of our own that ended the run."""
    context = error.__context__
    while context is not None and not isinstance(context, MlabError):
        context = context.__context__
    return str(context) if context is not None else None


def _away(settings: Settings, error: Exception) -> str:
    """Why the server does not answer, as far as that can be seen from here."""
    if settings.prefect_api_url is None and is_full(settings.layout.home):
        return f"The disk of {settings.layout.home} is full, and the Prefect server can note nothing any more."
    if settings.prefect_api_url is None and _is_refused(error):
        return "The run's Prefect server was stopped, and the server of another home folder now has its port."
    return f"The Prefect server could not be reached any more: {error}"


def _is_refused(error: Exception) -> bool:
    """Whether a server answered that knows another password: this home's own knows the one that it is asked with."""
    import httpx

    return isinstance(error, httpx.HTTPStatusError) and error.response.status_code == httpx.codes.UNAUTHORIZED


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    # A terminal that is closed hangs up; without a handler the flow run would look alive for ever.
    with handled((signal.SIGTERM, signal.SIGHUP), interrupt):
        yield
