"""What an agent may recall of earlier runs: fixed when its run begins, and never from the data it is graded on."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from environment.errors import NotInStoreError
from environment.journal.entries import Journal
from environment.recall import Recall
from environment.records import RunConfig
from environment.records.experience import Experience
from environment.store import Store
from environment.store.layout import memory_key
from flows.errors import UsageError
from tasks_catalog.library.spec import Task

if TYPE_CHECKING:
    from flows.run.opened import OpenedRun
    from tasks_catalog.library.prepare import Prepared


def check_memory(config: RunConfig, store: Store) -> None:
    """Make sure that the knowledge base is there.

    Raises:
        UsageError: It is not.
    """
    if config.memory is not None and not store.exists(memory_key(config.memory)):
        raise UsageError(
            f"There is no knowledge base {config.memory!r}.", hint=f"Make it with: mlab learn --name {config.memory}"
        )


def memory_of(config: RunConfig, task: Task, data: Prepared, store: Store, journal: Journal) -> Recall | None:
    """What the run may know; a run that goes on knows what it knew.

    Raises:
        StoreError: It cannot be read.
    """
    if config.memory is None:
        return None
    try:
        known = store.get_record(journal.keys.memory, Experience)
    except NotInStoreError:
        known = store.get_record(memory_key(config.memory), Experience)
        if not config.memory_of_same_data:
            known = known.besides(data.digest, task.data_name)
    return Recall(known)


def keep_memory(run: OpenedRun) -> None:
    """Keep with a new run what it may know, whatever is learned later under the name."""
    if run.memory is not None:
        known = Experience(name=run.config.memory or "", lessons=run.memory.lessons, summaries=run.memory.summaries)
        run.store.put_record(run.journal.keys.memory, known)


def digest_of(recall: Recall) -> str:
    """SHA-256 over all of it: two runs knew the same where it is the same."""
    known = Experience(name="", lessons=recall.lessons, summaries=recall.summaries)
    return hashlib.sha256(known.model_dump_json().encode()).hexdigest()
