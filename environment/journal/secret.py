"""The secret of a run: what its hidden inputs are drawn from, and known to nobody before."""

from __future__ import annotations

from environment.errors import CorruptObjectError
from environment.store import Store
from environment.store.layout import RunKeys
from environment.store.objects import sealed
from foundation.records import Record
from tasks_catalog.library.drawing import new_secret


class _Secret(Record):
    seed: str


def run_secret(store: Store, run_id: str) -> bytes:
    """The secret of a run, made when a grader first asks for it; whoever asks again gets the same.

    Raises:
        CorruptObjectError: It was damaged, and what it drew cannot be drawn again.
    """
    key = RunKeys(run_id=run_id).secret
    store.create(key, sealed(_Secret(seed=new_secret().hex()))[0])
    try:
        return bytes.fromhex(store.get_record(key, _Secret).seed)
    except (CorruptObjectError, ValueError) as error:
        raise CorruptObjectError(
            f"{key} is damaged: the hidden inputs of run {run_id} cannot be drawn as before",
            hint="A score that the run has stands. To grade it on other inputs, delete that file.",
        ) from error
