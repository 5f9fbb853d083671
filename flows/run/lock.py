"""What a run's result depends on besides its config, and whether a resumed run still has it."""

from __future__ import annotations

import platform
from importlib.metadata import version

from agent.models.prices import load_prices
from agent.models.settings import ModelSettings
from agent.settings import MODEL_PREFIX, read_settings
from environment.records import RunLock
from environment.sandbox.backends import SANDBOXES
from flows.errors import LockMismatchError
from flows.run.memory import digest_of
from flows.run.opened import OpenedRun
from tasks_catalog.library.data.digest import content_digest
from tasks_catalog.library.extras import DISTRIBUTION


def lock_of(run: OpenedRun) -> RunLock:
    """The lock of a run made now, here."""
    config, sandbox, settings = run.config, run.sandbox, run.settings
    return RunLock(
        task_digest=content_digest(*run.task.folders),
        data_digest=run.data.digest,
        code_version=version(DISTRIBUTION),
        python=platform.python_version(),
        sandbox=sandbox.name,
        held_by=sandbox.held_by,
        image=settings.sandbox_image if SANDBOXES.load(sandbox.name).takes_image else None,
        memory=digest_of(run.memory) if run.memory else None,
        gpus=tuple(card.model for card in sandbox.cards),
        gpu_driver=sandbox.cards[0].driver if sandbox.cards else None,
        prices=load_prices(read_settings(ModelSettings, MODEL_PREFIX, config.settings).prices).version,
    )


def check_lock(run_id: str, before: RunLock, now: RunLock) -> None:
    """Make sure that a resumed run goes on with the task and data it began with.

    Raises:
        LockMismatchError: They have changed since.
    """
    changed = [name for name in ("task_digest", "data_digest") if getattr(before, name) != getattr(now, name)]
    if changed:
        raise LockMismatchError(
            f"Run {run_id} cannot go on: {' and '.join(name.removesuffix('_digest') for name in changed)}"
            " changed since it began.",
            hint="Restore the task as it was, or start a new run.",
        )
