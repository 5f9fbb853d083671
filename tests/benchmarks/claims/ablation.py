"""What each list of the rules' vocabulary gains, and how rules do without what one family alone gained.

``python -m tests.benchmarks.claims.ablation``: a line for each list with the families of logs that lose without it
(problem F1 less false alarms), then each family without the lists that it alone gains from (leave one family out).
"""

from __future__ import annotations

import argparse
import copy
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.claims.audit import audit
from evaluation.claims.reading.rules import vocabulary
from tests.benchmarks.claims.scoring import Outcome, outcomes, tally
from tests.benchmarks.claims.sets import LABELS, LabelledSet, all_sets

Path_ = tuple[str, ...]


def lists(data: Mapping[str, Any], above: Path_ = ()) -> Iterator[Path_]:
    """The place of every list, and of every concept."""
    for name, value in data.items():
        if isinstance(value, dict) and "code" not in value:
            yield from lists(value, (*above, name))
        else:
            yield (*above, name)


def without(data: Mapping[str, Any], dropped: Sequence[Path_]) -> dict[str, Any]:
    """The vocabulary without some of its lists."""
    left = copy.deepcopy(dict(data))
    for place in dropped:
        table = left
        for name in place[:-1]:
            table = table[name]
        if isinstance(table[place[-1]], dict):
            del table[place[-1]]
        else:
            table[place[-1]] = ["(?!)"] if place[-1] != "generic" else []
    return left


def measured(sets: Sequence[LabelledSet], data: Mapping[str, Any]) -> dict[str, float]:
    """The problem F1 less the share of false alarms, by family, with a vocabulary."""
    vocabulary.use(data)
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for labelled in sets:
        said = [claim.line() for log in labelled.logs for claim in audit(log)]
        for each in outcomes(labelled.labels, said, labelled.matches):
            found[family(labelled, each.source)].append(each)
    tallies = {name: tally(of) for name, of in found.items()}
    return {name: float(each["problem_f1"]) - float(each["false_alarm"]) for name, each in tallies.items()}


def family(labelled: LabelledSet, source: str) -> str:
    """The set a log belongs to; of published logs, harness and model."""
    return labelled.family_of(source) if labelled.name == "published" else labelled.name


def main() -> None:
    """Print what each list gains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, default=LABELS, help="holds dev.jsonl and runs/")
    parser.add_argument("--sets", nargs="*", default=[], help="beginnings of the names of sets; all without")
    parser.add_argument("--lists", nargs="*", default=[""], help="beginnings of the names of lists")
    arguments = parser.parse_args()
    sets = [
        each for each in all_sets(arguments.labels) if each.name.startswith(tuple(arguments.sets)) or not arguments.sets
    ]
    whole = copy.deepcopy(dict(vocabulary.data()))
    full = measured(sets, whole)
    only: defaultdict[str, list[Path_]] = defaultdict(list)
    for place in lists(whole):
        if not ".".join(place).startswith(tuple(arguments.lists)):
            continue
        found = measured(sets, without(whole, [place]))
        gains = {name: round(full[name] - found[name], 3) for name in full}
        helped = [name for name, gain in gains.items() if gain > 0]
        harmed = [name for name, gain in gains.items() if gain < 0]
        print(
            f"{'.'.join(place):28} gains {len(helped):2} ({sum(gains.values()):+.3f}) harms {len(harmed)}", flush=True
        )
        if len(helped) == 1:
            only[helped[0]].append(place)
    for name in full:
        left = measured(sets, without(whole, only[name]))[name]
        print(f"{name:28} {full[name]:.3f}, without what it alone gains from {left:.3f}", flush=True)
    vocabulary.use(whole)


if __name__ == "__main__":
    main()
