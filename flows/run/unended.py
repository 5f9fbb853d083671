"""What is said of a run that stopped before its end: whether there is anything to resume."""

from __future__ import annotations

from contextlib import suppress

from environment.errors import RunInterrupted
from environment.journal.entries import Journal
from environment.store import RunKeys, Store
from flows.settings import Settings
from foundation.errors import MlabError

NOT_BEGUN = "The run had not begun, so there is nothing to resume: start it as before."


def in_store(run_id: str | None, settings: Settings) -> bool:
    """Whether the run has begun, so that it can be resumed."""
    return run_id is not None and Store(settings.store_url).exists(RunKeys(run_id=run_id).config)


def _is_finished(run_id: str | None, settings: Settings) -> bool:
    """Whether the run has its result and nothing more to come: where each step is to be graded, some may be."""
    journal = Journal(Store(settings.store_url), run_id or "")
    with suppress(MlabError, OSError):
        return journal.result() is not None and not journal.config().intermediate
    return False


def interrupted(run_id: str | None, settings: Settings, why: str) -> RunInterrupted:
    """What to raise for a run that stopped, with what can be done about it."""
    try:
        has_begun = in_store(run_id, settings)
    except (MlabError, OSError):
        has_begun = True  # nobody can tell, and why it stopped must be told
    if has_begun and _is_finished(run_id, settings):
        return RunInterrupted(why, hint=f"The run is finished all the same, and its result is kept: mlab show {run_id}")
    if has_begun:
        return RunInterrupted(why, hint=f"Nothing committed is lost. Continue with: mlab resume {run_id}")
    return RunInterrupted(why, hint=NOT_BEGUN)
