"""What outputs hold besides the values that were read from them."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split
from evaluation.record.events import Event
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_CUT = re.compile(
    r"\.\.\. ?\[trimmed\]|\[(?:output |text |content )?(?:trimmed|truncated|omitted|cut)\b[^\]\n]*\]"
    r"|<(?:truncated|trimmed)[^>\n]*>"
    r"|<response clipped>|<persisted-output>|<elided_chars>|\bOutput too large\b"
    r"|\[\.{3} ?(?:[\w,]+ ){0,4}(?:truncated|omitted|elided)\b|\.{3} ?\[\d+ (?:characters|lines|tokens) truncated\]"
    r"|…\d+ (?:tokens|chars|characters|lines) truncated…"
    r"|\b(?:outputs?|characters|lines|chars|tokens) (?:was |were |is |are )?(?:truncated|trimmed|omitted|elided)\b",
    re.IGNORECASE,
)
_OMITTED = re.compile(r"\[output omitted[^\]]*\]")
"""All that a harness tells of a file that the agent was given."""
_ELAPSED = re.compile(r"\[(\d+):(\d\d)<")
_SEED = re.compile(r"(?:--)?(?:random_)?seeds?[ =_:]*\d+", re.IGNORECASE)
_PART = re.compile(r"(?:seed|fold|run|trial)\W{0,3}\d+", re.IGNORECASE)


def outputs_are_cut(known: Known) -> bool:
    """Whether a harness left out part of what scripts printed, so that nothing follows from its silence."""
    return any(
        is_cut(event) and (event.shows_output or _OMITTED.fullmatch(event.observation)) for event in known.events
    )


def shown_by_progress(known: Known, stated: Quantity) -> bool:
    """Whether a progress bar shows a duration as the time gone by ("[01:17<00:00")."""
    clocks = (clock for event in known.events if event.shows_output for clock in _ELAPSED.findall(event.observation))
    return any(stated.states(60.0 * int(minutes) + int(seconds)) for minutes, seconds in clocks)


def is_cut(event: Event) -> bool:
    """Whether the harness left out part of what came back."""
    return _is_cut(event.observation)


def repeats(known: Known, metric: str, split: Split | None) -> list[list[float]]:
    """The final values of one metric under one setting and several seeds, setting by setting."""
    settings: defaultdict[object, list[float]] = defaultdict(list)
    for value in known.finals:
        if (value.metric, value.split) != (metric, split):
            continue
        setting = _setting(value)
        if setting is not None:
            settings[setting].append(value.value)
    return [values for values in settings.values() if len(values) > 1]


def _setting(value: Measurement) -> object:
    """What stays the same when only the seed is changed; ``None`` where nothing tells of seeds."""
    if _PART.fullmatch(value.label.strip()):
        return value.event.id
    command = value.event.command.partition("\n")[0]
    return _SEED.sub("", command) if _SEED.search(command) else None


@lru_cache(maxsize=4096)
def _is_cut(text: str) -> bool:
    return bool(_CUT.search(text))
