"""What each list of the rules' vocabulary gains, and how rules do without what one family alone gained.

``python -m tests.benchmarks.claims.ablation``: a line for each list with the families of logs that lose without it
(problem F1 less false alarms), then each family without the lists that it alone gains from (leave one family out).
Records are read once, and a list's text again only where a phrase of it was found.
"""

from __future__ import annotations

import argparse
import copy
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from evaluation.claims.audit import claims_of
from evaluation.claims.reading import rules
from evaluation.claims.reading.rules import vocabulary
from evaluation.claims.reading.rules.reader import read_by_rules
from evaluation.record.known import Known
from evaluation.record.log import RunLog
from evaluation.record.run import RunModel
from tests.benchmarks.claims.prompts import Place, place_of
from tests.benchmarks.claims.scoring import Outcome, outcomes, tally
from tests.benchmarks.claims.sets import LABELS, LabelledSet, all_sets

ListPlace: TypeAlias = tuple[str, ...]
_WORDS = ("generic", "no_name")
"""Lists of single words, which no matcher is made of."""
_compiled = vocabulary.compiled


def use(whole: Mapping[str, Any], matcher: Callable[[Sequence[str]], Any] = _compiled) -> None:
    """Has the rules read by another vocabulary, or by other matchers of its lists; forgets what they have read."""
    replaced = dict(whole)
    vars(vocabulary).update(data=lambda: replaced, compiled=matcher)
    for module in [module for name, module in sys.modules.items() if name.startswith(rules.__name__)]:
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def lists(data: Mapping[str, Any], above: ListPlace = ()) -> Iterator[ListPlace]:
    """The place of every list that is matched, and of every concept."""
    for name, value in data.items():
        if isinstance(value, dict) and "code" not in value:
            yield from lists(value, (*above, name))
        elif name not in _WORDS:
            yield (*above, name)


def without(data: Mapping[str, Any], dropped: Iterable[ListPlace]) -> dict[str, Any]:
    """The vocabulary without some of its lists."""
    left = copy.deepcopy(dict(data))
    for place in dropped:
        table = left
        for name in place[:-1]:
            table = table[name]
        if isinstance(table[place[-1]], dict):
            del table[place[-1]]
        else:
            table[place[-1]] = ["(?!)"]
    return left


@dataclass
class Matched:
    """Remembers which lists matched since it was asked last."""

    places: Mapping[int, ListPlace]
    seen: set[ListPlace] = field(default_factory=set)

    def compiled(self, listed: Sequence[str]) -> Any:
        """The matcher of a list, which says when it finds something."""
        return _Watched(_compiled(listed), self.places.get(id(listed)), self)


@dataclass(frozen=True)
class _Watched:
    pattern: re.Pattern[str]
    place: ListPlace | None
    told: Matched

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.pattern, name)

        def called(*args: Any) -> Any:
            if self.place and self.pattern.search(args[-1] if name == "sub" else args[0]):
                self.told.seen.add(self.place)
            return method(*args)

        return called


@dataclass
class Text:
    """A labelled text, what was known before it, and what was read of it."""

    log: RunLog
    place: Place
    known: Known
    matched: frozenset[ListPlace] = frozenset()
    read: list[dict[str, Any]] = field(default_factory=list)

    def reading(self) -> list[dict[str, Any]]:
        """The claims, by the vocabulary in use."""
        _, step, name = self.place
        readings = read_by_rules(self.log.steps[step].prose[name], name, self.known)
        return [claim.line() for claim in claims_of(readings, self.log, name, self.known)]


class Bench:
    """Labelled texts with their records, read by any vocabulary."""

    def __init__(self, sets: Sequence[LabelledSet], whole: Mapping[str, Any]) -> None:
        self.sets = sets
        self.texts = [list(_texts(labelled)) for labelled in sets]
        told = Matched(dict(_by_identity(whole)))
        use(whole, told.compiled)
        for text in (each for texts in self.texts for each in texts):
            told.seen = set()
            text.read = text.reading()
            text.matched = frozenset(told.seen)

    def measured(self, whole: Mapping[str, Any], dropped: Sequence[ListPlace] = ()) -> dict[str, float]:
        """The problem F1 less the share of false alarms, by family, without some lists."""
        use(without(whole, dropped))
        found: defaultdict[str, list[Outcome]] = defaultdict(list)
        for labelled, texts in zip(self.sets, self.texts, strict=True):
            said = [line for text in texts for line in (text.reading() if text.matched & set(dropped) else text.read)]
            for each in outcomes(labelled.labels, said, labelled.matches):
                found[family(labelled, each.source)].append(each)
        tallies = {name: tally(of) for name, of in found.items()}
        return {name: float(each["problem_f1"]) - float(each["false_alarm"]) for name, each in tallies.items()}


def _by_identity(data: Mapping[str, Any]) -> Iterator[tuple[int, ListPlace]]:
    for place in lists(data):
        value: Any = data
        for name in place:
            value = value[name]
        yield id(value["said"] if isinstance(value, dict) else value), place


def _texts(labelled: LabelledSet) -> Iterator[Text]:
    wanted = {place_of(label)[:2] for label in labelled.labels}
    for log in labelled.logs:
        model = RunModel.of(log)
        for number, step in enumerate(log.steps):
            if (log.source, number) in wanted:
                known = model.before(number)
                yield from (Text(log, (log.source, number, name), known) for name in step.prose)


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
    begun = tuple(arguments.sets) or ("",)
    whole = copy.deepcopy(dict(vocabulary.data()))
    bench = Bench([each for each in all_sets(arguments.labels) if each.name.startswith(begun)], whole)
    full = bench.measured(whole)
    only: defaultdict[str, list[ListPlace]] = defaultdict(list)
    for place in lists(whole):
        if not ".".join(place).startswith(tuple(arguments.lists)):
            continue
        found = bench.measured(whole, [place])
        gains = {name: round(full[name] - found[name], 3) for name in full}
        helped = [name for name, gain in gains.items() if gain > 0]
        harmed = [name for name, gain in gains.items() if gain < 0]
        told = f"gains {len(helped):2} ({sum(gains.values()):+.3f}) harms {len(harmed)}"
        print(f"{'.'.join(place):28} {told}", flush=True)
        if len(helped) == 1:
            only[helped[0]].append(place)
    for name in full:
        left = bench.measured(whole, only[name])[name]
        print(f"{name:28} {full[name]:.3f}, without what it alone gains from {left:.3f}", flush=True)
    use(whole)


if __name__ == "__main__":
    main()
