"""``mlab learn``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue, TypeAdapter, ValidationError
from rich.text import Text

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.recall import spoken, worded
from environment.records import MemoryName, RunStatus
from environment.records.display import counted
from environment.records.experience import Experience, Lesson
from environment.store import Store
from environment.store.layout import memory_key
from evaluation.learning import learn, lessons_of
from flows.cli.bar import with_bar
from flows.cli.commands.choice import Choice
from flows.cli.failure import warn
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.names import task_of
from flows.settings import Settings
from foundation.errors import MlabError
from foundation.text import shown
from foundation.validation import faults

_SHOWN = 120
_ENDED = (RunStatus.COMPLETED, RunStatus.FAILED)


class Summariser(NamedTuple):
    """The model that is asked for summaries, and what it may cost."""

    model: str | None
    settings: dict[str, JsonValue]
    limit: float | None


def learn_from(choice: Choice, name: str, summariser: Summariser, *, as_json: bool) -> None:
    """Make the knowledge base anew from the chosen runs, and print its lessons.

    Raises:
        UsageError: It cannot be called so.
        FlowError: The model that was asked for gave no summary, or reached its limit; nothing is kept.
    """
    try:
        TypeAdapter(MemoryName).validate_python(name)
    except ValidationError as error:
        raise UsageError(f"No knowledge base is called {shown(name)}.", hint="\n".join(faults(error))) from error
    settings = Settings()
    settings.make_home()
    store = Store(settings.store_url)
    ids = list_runs(store) if choice.of_all else choice.ids(store)
    lessons = (lesson for run_id in with_bar(ids, "reading runs", len(ids)) for lesson in _of_run(store, run_id))
    experience = learn(name, lessons)
    experience = _with_summaries(summariser, experience)
    store.put_record(memory_key(name), experience)
    if as_json:
        print_json(experience.model_dump(mode="json"))
        return
    console = plain_console()
    for lesson in sorted(experience.lessons, key=lambda one: -(one.gain or 0)):
        console.print(Text(worded(lesson, _SHOWN)), soft_wrap=True)
    for summary in experience.summaries:
        console.print(Text(f"\n{spoken(summary)}\n"), soft_wrap=True)
    console.print(
        f"{counted(len(experience.lessons), 'lesson')} in {name}. Recall them with: mlab run … --memory {name}"
    )


def _with_summaries(summariser: Summariser, experience: Experience) -> Experience:
    """The knowledge base with a model's words on it, where one is named; what that took goes to standard error."""
    if summariser.model is None:
        if summariser.settings or summariser.limit is not None:
            raise UsageError("--set and --max-cost are the model's.", hint="Give --model provider:model.")
        return experience
    # LangChain takes a second to import, and the lessons do without.
    from flows.cli.commands.summaries import summaries
    from flows.structured import StructuredModel

    model = StructuredModel(summariser.model, summariser.settings, limit=summariser.limit)
    try:
        written = tuple(summaries(experience.lessons, model, summariser.model))
    finally:
        plain_console(stderr=True).print(f"{summariser.model}: {model.line()}")
    return experience.model_copy(update={"summaries": written})


def _of_run(store: Store, run_id: str) -> Iterator[Lesson]:
    """What a run teaches; one that is imported, unfinished or damaged teaches nothing, the last with a word."""
    try:
        journal = Journal(store, run_id)
        result, lock = journal.result(), journal.lock()
        if result is not None and lock is not None and result.status in _ENDED:
            yield from lessons_of(journal.steps(), task_of(journal.config()), lock.data_digest)
    except MlabError as error:
        warn(error)
