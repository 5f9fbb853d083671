"""How well predicted claims agree with labelled ones."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

PROBLEM = {"contradicted", "unsupported"}
CHECKABLE = PROBLEM | {"supported"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

Matches = Callable[[str, str], bool]


@dataclass(frozen=True)
class Outcome:
    """What was said of one label.

    Attributes:
        source: The run.
        kind: Of the label: a claim's kind or ``not_claim``.
        label: The right verdict; ``None`` of what is no claim.
        said: The verdict on it; of what is no claim, all verdicts that were given.
        chance: How likely a problem it was thought; ``None`` of readers that only give verdicts.
    """

    source: str
    kind: str
    label: str | None
    said: tuple[str, ...]
    chance: float | None = None

    @property
    def is_problem(self) -> bool:
        """Whether the claim should not have been made."""
        return self.label in PROBLEM

    @property
    def is_called(self) -> bool:
        """Whether it was called a problem."""
        return any(verdict in PROBLEM for verdict in self.said)

    @property
    def suspicion(self) -> float:
        """How likely a problem it was thought."""
        return float(self.is_called) if self.chance is None else self.chance


def answers(label: dict[str, Any], predictions: Sequence[dict[str, Any]], matches: Matches) -> list[dict[str, Any]]:
    """Predictions about the label's sentence: of its kind first, then of the nearest length."""
    hits = [
        p
        for p in predictions
        if (not label.get("field") or not p.get("field") or label["field"] == p["field"])
        and matches(label["quote"], p["quote"])
    ]
    return sorted(hits, key=lambda p: (p["kind"] != label["kind"], abs(len(p["quote"]) - len(label["quote"]))))


def within(a: str, b: str) -> bool:
    """Whether one quote holds the other."""
    a, b = " ".join(a.split()), " ".join(b.split())
    return a in b or b in a


def overlap(a: str, b: str) -> bool:
    """Whether one quote holds the other, or they share half their words and a number, where both have any."""
    if within(a, b):
        return True
    words_a, words_b = (set(re.findall(r"[a-z]+", text.lower())) for text in (a, b))
    shared = len(words_a & words_b) / max(1, min(len(words_a), len(words_b)))
    numbers_a, numbers_b = set(_NUMBER.findall(a)), set(_NUMBER.findall(b))
    return shared >= 0.5 and (bool(numbers_a & numbers_b) or not (numbers_a and numbers_b))


def outcomes(
    labels: Sequence[dict[str, Any]], predictions: Iterable[dict[str, Any]], matches: Matches = overlap
) -> list[Outcome]:
    """For each label what was said of it: the verdict of the nearest prediction, and of a non-claim all of them."""
    by_step = defaultdict(list)
    for prediction in predictions:
        by_step[prediction["source"], prediction["step"]].append(prediction)
    found = []
    for label in labels:
        hits = answers(label, by_step[label["source"], label["step"]], matches)
        said = tuple(hit["verdict"] for hit in hits)
        found.append(Outcome(label["source"], label["kind"], label["verdict"], said[:1] if label["verdict"] else said))
    return found


def counted(found: Iterable[Outcome]) -> Counter[str]:
    """What the shares are made of."""
    counts: Counter[str] = Counter()
    for each in found:
        of = "claims" if each.label else "not_claims"
        counts[of] += 1
        counts["called"] += each.is_called
        if each.label:
            counts["met"] += bool(each.said)
            counts["right"] += each.label in each.said
            counts["wanted"] += each.is_problem
            counts["true"] += each.is_problem and each.is_called
        else:
            counts["alarms"] += any(verdict in CHECKABLE for verdict in each.said)
    return counts


def shares(counts: Counter[str]) -> dict[str, float]:
    """Agreement, from counts; not a number where nothing was counted."""

    def share(part: float, whole: float) -> float:
        return part / whole if whole else nan

    return {
        "found": share(counts["met"], counts["claims"]),
        "verdict": share(counts["right"], counts["met"]),
        "precision": share(counts["true"], counts["called"]),
        "recall": share(counts["true"], counts["wanted"]),
        "problem_f1": share(2 * counts["true"], counts["called"] + counts["wanted"]),
        "false_alarm": share(counts["alarms"], counts["not_claims"]),
    }


def tally(found: Sequence[Outcome]) -> dict[str, float | int]:
    """Agreement over some labels."""
    counts = counted(found)
    sizes = {name: counts[name] for name in ("claims", "not_claims")}
    measured = {name: 0.0 if isnan(value) else round(value, 3) for name, value in shares(counts).items()}
    return {**sizes, **measured}


def score(
    labels: Sequence[dict[str, Any]], predictions: Iterable[dict[str, Any]], matches: Matches = overlap
) -> dict[str, float | int]:
    """Agreement of predictions with labels."""
    return tally(outcomes(labels, predictions, matches))
