"""What of a store is torn, was changed or is missing, which runs that hits, and what helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast, get_args

from environment.errors import CopiedRunError, CorruptObjectError, NotInStoreError, StoreError
from environment.journal.entries import Journal
from environment.journal.schemas import Table
from environment.journal.tables import check_table
from environment.snapshots.manifest import Kind, get_listing
from environment.store import OBJECTS, RunKeys, Store
from foundation.records import Record

_READERS = 8
_TABLES = cast("tuple[Table, ...]", get_args(Table))


class Damage(Record):
    """Something of a run that cannot be used as it is.

    Attributes:
        run_id: The run that it hits.
        key: Where it lies in the store.
        remedy: What helps, or what is lost.
        table: The table it is or is made with, where it is one.
        what: What is wrong with it.
    """

    run_id: str
    key: str
    remedy: str
    table: Table | None = None
    what: str = "is torn, was changed, is missing or is no file"

    @property
    def sentence(self) -> str:
        """For a person."""
        return f"{self.key} {self.what}; {self.remedy}"


def damaged_objects(store: Store, progress: Callable[[int], None] = lambda _: None) -> set[str]:
    """Digests of the objects whose content is another; all are read, unless the storage keeps checksums itself.

    Args:
        store: The store.
        progress: Told how many objects were looked at.
    """
    digests = [key.rpartition("/")[2] for key in store.list(OBJECTS)]
    with ThreadPoolExecutor(_READERS) as pool:
        found = set()
        for n, (digest, whole) in enumerate(zip(digests, pool.map(store.is_whole, digests), strict=True), start=1):
            progress(n)
            if not whole:
                found.add(digest)
    return found


class RunCheck:
    """Looks through the runs of a store one after the other; folders that they share are read once.

    Args:
        store: The store.
        damaged: Objects known to be damaged.
    """

    def __init__(self, store: Store, damaged: set[str]) -> None:
        self._store = store
        self._damaged = damaged
        self._trees: dict[str, frozenset[str]] = {}

    def damage(self, run_id: str) -> Iterator[Damage]:
        """All that is damaged of a run; a copy of another run's folder is one damage, whatever else it holds."""
        keys, journal = RunKeys(run_id=run_id), Journal(self._store, run_id)
        try:
            journal.config()
        except CopiedRunError as error:
            yield Damage(run_id=run_id, key=keys.config, remedy=error.sentence, what="names another run")
            return
        except StoreError:
            pass  # what lies there is looked at below
        finished = journal.result() is not None
        tables = {keys.table(name): name for name in _TABLES}
        plain = {keys.plain_rows(name): name for name in _TABLES}
        # What is a folder in place of a record is in no list of keys, nor is what is missing.
        for key in sorted({*self._store.list(keys.prefix), *journal.torn, *(tables if finished else ())}):
            table = tables.get(key)
            if not (self._is_table(run_id, table) if table else self._is_sealed(key)):
                again = table or plain.get(key)
                yield Damage(run_id=run_id, key=key, remedy=_remedy(keys, key, finished=finished), table=again)
        lost = self._lost(journal)
        for digest in sorted(lost):
            yield Damage(run_id=run_id, key=f"{OBJECTS}{digest[:2]}/{digest}", remedy=_OBJECT)

    def _is_sealed(self, key: str) -> bool:
        try:
            if key.endswith(".json"):
                self._store.check_sealed(key)
        except StoreError:
            return False
        return True

    def _is_table(self, run_id: str, table: Table) -> bool:
        try:
            check_table(self._store, run_id, table)
        except NotInStoreError:
            return table == "grades"  # most runs have none
        except StoreError:
            return False
        return True

    def _lost(self, journal: Journal) -> set[str]:
        """Objects that the run names and the store does not give."""
        used = self.objects_of(journal)
        return {digest for digest in used if digest in self._damaged or not self._store.has_object(digest)}

    def objects_of(self, journal: Journal) -> set[str]:
        """Digests of all objects that the steps of a run name."""
        used: set[str] = set()
        for step in journal.steps():
            checkpoint, run = step.checkpoint, step.effect.training_run
            used |= {checkpoint.agent_state, checkpoint.environment_state} | self._tree(checkpoint.workspace)
            used |= {run.output, *run.artifacts.values()} if run else set()
            used |= {step.effect.observation.full} - {None} if step.effect.observation.full else set()
        return used

    def _tree(self, digest: str) -> frozenset[str]:
        """All objects of a folder; of one whose listing is damaged, that alone."""
        if digest not in self._trees:
            found = {digest}
            try:
                entries = get_listing(self._store, digest)
            except (NotInStoreError, CorruptObjectError):
                self._damaged.add(digest)
                entries = {}
            for entry in entries.values():
                if entry.kind is Kind.FILE:
                    found.add(entry.content)
                elif entry.kind is Kind.FOLDER:
                    found |= self._tree(entry.content)
            self._trees[digest] = frozenset(found)
        return self._trees[digest]


_OBJECT = "the next run that stores the same content writes it anew"


def _remedy(keys: RunKeys, key: str, *, finished: bool) -> str:
    run = keys.run_id
    if key.startswith(keys.steps):
        return "its result stands, its later steps are lost" if finished else f"`mlab resume {run}` goes on before it"
    if key == keys.table("grades"):
        return f"`mlab grade --intermediate {run}` makes it anew"
    if key.endswith(".parquet") or key in map(keys.plain_rows, _TABLES):
        return "it can be made again from the journal"
    return {
        keys.config: "its result stands, but it cannot be graded again" if finished else "the run cannot go on",
        keys.result: f"`mlab resume {run}` makes it anew",
        keys.judgement: f"`mlab judge {run}` asks again",
    }.get(key, "nothing else depends on it")
