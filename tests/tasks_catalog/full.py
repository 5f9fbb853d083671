"""Makes a task's full data of small files in the format of its source."""

from __future__ import annotations

from pathlib import Path

from tasks_catalog.catalog import load_task
from tasks_catalog.library.leaks import find_leaks
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Variant


def prepared_from(raw: Path, name: str) -> Prepared:
    """The full data made of what lies in ``raw``, however little disk there is."""
    task = load_task(name)
    small = task.spec.variants[Variant.FULL].model_copy(update={"disk_mib": 1})
    spec = task.spec.model_copy(update={"variants": {Variant.FULL: small}})
    data = raw.parent / "data" / name
    prepared = prepare(task.model_copy(update={"spec": spec}), Variant.FULL, data, raw.parent / "downloads", raw)
    assert find_leaks(prepared.public, prepared.private) == []
    return prepared
