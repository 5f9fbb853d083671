"""Which metrics and splits a text names, and which a clause takes over from its sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from environment.metrics.meaning import names_in
from evaluation.claims.reading.rules.prose import Clause
from evaluation.language.splits import Split, place_of, splits_in
from evaluation.record.known import Known

_STEPS = "steps"
_COUNTED = re.compile(r"\d[\d,.]*[kKmM]?\s+$")
"""In front of what is counted: "50k steps"."""
_FUNCTION = re.compile(
    r"(?:\b(?:with|using|by) |^)an? (?:(?!train|val|test|final|low|mean|av)[\w-]+ ){1,2}loss\b(?! (?:of|is|was)|[=:(])",
    re.IGNORECASE,
)
"""A loss that is trained with, not one that is measured."""
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
        is_inside = lowered[at - 1 : at] == lowered[at + len(name) : at + len(name) + 1] == "_"
        if at >= 0 and not is_inside and not any(each.start <= at < each.end for each in found):
            found.append(Mention(name, at, at + len(name)))
    return sorted(found, key=lambda each: each.start)


@lru_cache(maxsize=2048)
def _well_known(text: str) -> tuple[str, tuple[tuple[str, int, int], ...]]:
    """A text in lower case without what only sounds like a metric, and the well-known metrics that it names."""
    text = _FUNCTION.sub(lambda loss: " " * len(loss.group()), text)
    named = (
        each
        for each in names_in(text)
        if not (each[0] == _STEPS and _COUNTED.search(text[: each[1]]))
        and not (text[: each[1]].endswith("_") and text[each[2] :].startswith("_"))  # within an identifier
    )
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


def inherited(clause: Clause, known: Known) -> str:
    """The metric of the sentence or its heading, where the clause names none."""
    sentence = clause.sentence
    in_front = clause.start - sentence.start
    named = [each for each in metrics_in(sentence.text, known) if each.what and each.end <= in_front]
    if named:
        return named[-1].what
    pronoun = re.match(r"\W*(?:it|this|that|which|they)\b", sentence.text, re.IGNORECASE)
    texts = (sentence.text, sentence.previous if pronoun else "", sentence.heading)
    return next((metric for text in texts if (metric := first_metric(text, known))), "")


def one_split(text: str) -> Split | None:
    """The split that a text names, where it names but one."""
    found = {split for split, _ in splits_in(text)}
    return found.pop() if len(found) == 1 else None


def inherited_split(clause: Clause, known: Known, metric: str) -> Split | None:
    """The split of the sentence or its heading, where the clause names none and the metric was measured on it."""
    if splits_in(clause.text):
        return None
    in_front = clause.start - clause.sentence.start
    before = {split for split, start in splits_in(clause.sentence.text) if start < in_front}
    split = before.pop() if len(before) == 1 else None if before else one_split(clause.sentence.heading)
    is_of_others = metric in known.measured_names and not known.measured(metric, split)
    return None if is_of_others else split
