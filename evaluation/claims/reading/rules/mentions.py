"""The metrics and splits that a text names, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from environment.metrics.meaning import names_in
from evaluation.claims.reading.rules.numbers import without_held
from evaluation.language.splits import Split, place_of, splits_in
from evaluation.record.known import Known

_STEPS = "steps"
_COUNTED = re.compile(r"\d[\d,.]*[kKmM]?\s+$")
"""In front of what is counted: "50k steps"."""
_WORD = re.compile(r"\w+(?:-\w+)*")


@dataclass(frozen=True)
class Mention:
    """A metric or a split that a text names, and where."""

    what: str
    start: int
    end: int


def metrics_in(text: str, known: Known) -> list[Mention]:
    """Metrics that a text names: well-known ones, and those that only this run measures."""
    lowered, named = _well_known(text)
    found = [Mention(_of_run(name, known), start, end) for name, start, end in named]
    for name in known.measured_names:
        at = place_of(name, lowered)
        if at >= 0 and not any(each.start <= at < each.end for each in found):
            found.append(Mention(name, at, at + len(name)))
    return sorted(found, key=lambda each: each.start)


@lru_cache(maxsize=2048)
def _well_known(text: str) -> tuple[str, tuple[tuple[str, int, int], ...]]:
    """A text in lower case without what only sounds like a metric, and the well-known metrics that it names."""
    text = without_held(text)
    named = (each for each in names_in(text) if not (each[0] == _STEPS and _COUNTED.search(text[: each[1]])))
    return text.lower(), tuple(named)


def _of_run(name: str, known: Known) -> str:
    """As "Score" and the like mean what the run scores by, unless it prints one."""
    return "" if name in ("score", "error rate", "speedup") and name not in known.measured_names else name


def split_mentions(text: str) -> list[Mention]:
    """Splits that a text names."""
    return [Mention(split, start, next(_WORD.finditer(text, start)).end()) for split, start in splits_in(text)]


def first_metric(text: str, known: Known) -> str:
    """The metric that a text names first; "" where it names none."""
    return next((each.what for each in metrics_in(text, known) if each.what), "")


def one_split(text: str) -> Split | None:
    """The split that a text names, where it names but one."""
    found = {split for split, _ in splits_in(text)}
    return found.pop() if len(found) == 1 else None
