"""What a run leaves to be applied to another task, and what it gained by it on its own."""

from __future__ import annotations

from agent.registry import TRANSFER
from environment.journal.entries import Journal
from environment.records import RunConfig, Transferred
from environment.snapshots.manifest import Kind, walk
from environment.store import Store
from flows.errors import UsageError
from flows.names import task_of
from flows.run.finding import find_run
from foundation.sizes import KiB
from tasks_catalog.library.spec import Task

LARGEST_SCRIPT = 256 * KiB


def transferred_files(config: RunConfig, task: Task, store: Store) -> dict[str, str]:
    """The scripts of the submission that the config's recording made, under the names they have on its task.

    The main script, called as the new task calls it, and every other Python file that the run added or changed.

    Raises:
        UsageError: No run is named, or it has no steps.
        StoreError: Its workspace cannot be read.
    """
    if config.recording is None:
        raise UsageError("The transfer agent has no run to take from.", hint="mlab transfer --from RUN --to TASK")
    journal = Journal(store, find_run(store, config.recording))
    steps, result, origin = journal.steps(), journal.result(), task_of(journal.config())
    if not steps:
        raise UsageError(f"Run {journal.run_id} has no steps; there is nothing to transfer.")
    made = result.submission if result else None
    step = steps[-1 if made is None or made.step is None else made.step]
    files = {}
    for path, entry in walk(store, step.checkpoint.workspace):
        if entry.kind is not Kind.FILE or not path.endswith(".py") or entry.size > LARGEST_SCRIPT:
            continue
        content, before = store.get_object(entry.content), origin.starter / path
        if path == origin.spec.script:
            files[task.spec.script] = content.decode("utf-8", "replace")
        elif not before.is_file() or before.read_bytes() != content:
            files[path] = content.decode("utf-8", "replace")
    return files


def transferred_from(config: RunConfig, store: Store) -> Transferred | None:
    """What the run that a transfer took from gained on its own task; ``None`` for any other run."""
    if config.agent != TRANSFER or config.recording is None:
        return None
    result = Journal(store, find_run(store, config.recording)).result()
    if result is None:
        return None
    return Transferred(
        run_id=result.run_id,
        task=result.task,
        score=result.score,
        improvement=result.improvement,
        normalised=result.normalised,
    )
