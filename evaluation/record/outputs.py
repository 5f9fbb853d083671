"""What outputs hold besides the values that were read from them."""

from __future__ import annotations

import re
from collections import defaultdict

from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_SEED = re.compile(r"(?:--)?(?:random_)?seeds?[ =_:]*\d+", re.IGNORECASE)
PART = re.compile(r"(?:seed|fold|run|trial)\W{0,3}\d+", re.IGNORECASE)


def repeats(known: Known, like: Measurement) -> list[list[float]]:
    """The final values of the metric and split of one under one setting and several seeds, setting by setting."""
    settings: defaultdict[object, list[float]] = defaultdict(list)
    for value in known.finals_of(like):
        setting = _setting(value)
        if setting is not None:
            settings[setting].append(value.value)
    return [values for values in settings.values() if len(values) > 1]


def _setting(value: Measurement) -> object:
    """What stays the same when only the seed is changed; ``None`` where nothing tells of seeds."""
    if PART.fullmatch(value.label.strip()):
        return value.event.id
    command = value.event.command.partition("\n")[0]
    return _SEED.sub("", command) if _SEED.search(command) else None
