"""How sure the agreement is: bootstrap over logs or families, and whether runs with false statements are told apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import isnan, nan

import numpy as np

from tests.benchmarks.claims.scoring import Outcome, counted, shares

DRAWS = 1_000
MEASURES = ("precision", "recall", "problem_f1", "found", "false_alarm", "auroc")
FINDING = ("found", "false_alarm")
"""What only readers that find the claims themselves can be measured by."""
Interval = tuple[float, float]


def agreement(found: Sequence[Outcome]) -> dict[str, float]:
    """All measures over some labels."""
    return _measured([counted(found)], _runs(found))


def intervals(found: Sequence[Outcome], group_of: Mapping[str, str]) -> dict[str, Interval]:
    """The middle 95 % of each measure where groups of sources (a log each, or a family) are drawn with replacement."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for each in found:
        groups[group_of[each.source]].append(each)
    counts = [counted(group) for group in groups.values()]
    runs = [_runs(group) for group in groups.values()]
    random = np.random.default_rng(0)
    drawn: defaultdict[str, list[float]] = defaultdict(list)
    for draw in random.integers(len(counts), size=(DRAWS, len(counts))):
        measured = _measured([counts[n] for n in draw], [run for n in draw for run in runs[n]])
        for name, value in measured.items():
            drawn[name].append(value)
    return {name: _middle([value for value in values if not isnan(value)]) for name, values in drawn.items()}


def _middle(values: Sequence[float]) -> Interval:
    low, high = np.percentile(values, (2.5, 97.5)) if values else (nan, nan)
    return float(low), float(high)


def _measured(counts: Sequence[Counter[str]], runs: Sequence[tuple[bool, float]]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    measured = shares(total)
    return {name: auroc(runs) if name == "auroc" else measured[name] for name in MEASURES}


def _runs(found: Sequence[Outcome]) -> list[tuple[bool, float]]:
    """Of each run: whether a labelled statement about its results is false, and how large a part was thought so."""
    by_run: defaultdict[str, list[Outcome]] = defaultdict(list)
    for each in found:
        if each.kind in ("result", "comparison"):
            by_run[each.source].append(each)
    return [
        (any(one.is_problem for one in own), sum(one.suspicion for one in own) / len(own)) for own in by_run.values()
    ]


def auroc(runs: Sequence[tuple[bool, float]]) -> float:
    """The share of pairs of a false and a true run in which the false one was thought worse (ties count half).

    Not a number where all runs are the same.
    """
    false = np.array([score for is_false, score in runs if is_false])
    true = np.array([score for is_false, score in runs if not is_false])
    if not len(false) or not len(true):
        return nan
    above = (false[:, None] > true[None, :]).mean() + (false[:, None] == true[None, :]).mean() / 2
    return float(above)
