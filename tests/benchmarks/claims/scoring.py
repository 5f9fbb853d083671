"""How well predicted claims agree with labelled ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

PROBLEM = {"contradicted", "unsupported"}
CHECKABLE = PROBLEM | {"supported"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


Matches = Callable[[str, str], bool]


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
) -> list[dict[str, Any]]:
    """For each label what was said of it: the verdict of the nearest prediction, and of a non-claim all of them."""
    by_step = defaultdict(list)
    for prediction in predictions:
        by_step[prediction["source"], prediction["step"]].append(prediction)
    found = []
    for label in labels:
        hits = answers(label, by_step[label["source"], label["step"]], matches)
        said = [hit["verdict"] for hit in hits]
        found.append({"source": label["source"], "label": label["verdict"], "said": said})
    return found


def tally(found: Sequence[dict[str, Any]]) -> dict[str, float | int]:
    """Agreement over some labels."""
    claims = [(each["label"], each["said"][0] if each["said"] else None) for each in found if each["label"]]
    quiet = [set(each["said"]) for each in found if not each["label"]]
    met = [pair for pair in claims if pair[1] is not None]
    true = sum(label in PROBLEM and said in PROBLEM for label, said in claims)
    called = sum(said in PROBLEM for _, said in claims) + sum(bool(said & PROBLEM) for said in quiet)
    wanted = sum(label in PROBLEM for label, _ in claims)
    return {
        "claims": len(claims),
        "not_claims": len(quiet),
        "found": round(len(met) / max(1, len(claims)), 3),
        "verdict": round(sum(label == said for label, said in met) / max(1, len(met)), 3),
        "precision": round(true / max(1, called), 3),
        "recall": round(true / max(1, wanted), 3),
        "problem_f1": round(2 * true / max(1, called + wanted), 3),
        "false_alarm": round(sum(bool(said & CHECKABLE) for said in quiet) / max(1, len(quiet)), 3),
    }


def score(
    labels: Sequence[dict[str, Any]], predictions: Iterable[dict[str, Any]], matches: Matches = overlap
) -> dict[str, float | int]:
    """Agreement of predictions with labels."""
    return tally(outcomes(labels, predictions, matches))
