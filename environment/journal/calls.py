"""The model answers of a run."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from pydantic import BeforeValidator, JsonValue

from environment.errors import CorruptObjectError, NotInStoreError
from environment.records import ModelCall
from environment.store import RunKeys, Store
from foundation.records import Record
from foundation.storable import storable


class _Call(Record):
    answer: Annotated[JsonValue, BeforeValidator(storable)]
    call: ModelCall


class RecordedCalls:
    """Answers that are kept before they are used, so that none is paid for twice."""

    def __init__(self, store: Store, keys: RunKeys) -> None:
        self._store = store
        self._keys = keys

    def load(self, key: str) -> JsonValue | None:
        """The recorded answer, or ``None``."""
        with suppress(NotInStoreError, CorruptObjectError):
            return self._store.get_record(self._keys.call(key), _Call).answer
        return None

    def save(self, key: str, answer: JsonValue, call: ModelCall) -> None:
        """Keep an answer and what it cost."""
        self._store.put_record(self._keys.call(key), _Call(answer=answer, call=call))

    def by_step(self) -> dict[int, list[JsonValue]]:
        """All recorded answers; keys begin with the number of their step."""
        found: dict[int, list[JsonValue]] = {}
        for path in self._store.list(f"{self._keys.prefix}calls/"):
            name = path.rpartition("/")[2].removesuffix(".json")
            found.setdefault(int(name.partition("-")[0]), []).append(self.load(name))
        return found
