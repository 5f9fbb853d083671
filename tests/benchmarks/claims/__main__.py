"""How well readers of claims agree with labels, beside what they must beat: ``python -m tests.benchmarks.claims``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

from evaluation.claims.audit import audit
from tests.benchmarks.claims.baselines import classifier, coin, number_matching
from tests.benchmarks.claims.intervals import FINDING, MEASURES, agreement, intervals
from tests.benchmarks.claims.prompts import RecordedAnswers, place_of, take_answers, write_prompts
from tests.benchmarks.claims.scoring import Outcome, outcomes
from tests.benchmarks.claims.sets import LABELS, LabelledSet, all_sets


@dataclass
class Group:
    """Sets of one origin, and what each reader said of their labels."""

    families: dict[str, str] = field(default_factory=dict)
    labels: list[dict[str, Any]] = field(default_factory=list)
    found: dict[str, list[Outcome]] = field(default_factory=dict)

    def add(self, reader: str, said: Sequence[Outcome]) -> None:
        """More outcomes of a reader."""
        self.found.setdefault(reader, []).extend(said)


def main() -> None:
    """Print the agreement by origin and by family of logs, with intervals over logs and over families."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, default=LABELS, help="holds dev.jsonl and runs/")
    parser.add_argument("--write-prompts", type=Path, metavar="DIR", help="write the model reader's prompts there")
    parser.add_argument("--take-answers", type=Path, nargs="+", metavar="FILE", help="keep answers to those prompts")
    parser.add_argument("--out", type=Path, help="write the readers' claims there, one JSON object a line")
    arguments = parser.parse_args()
    sets = list(all_sets(arguments.labels))
    if arguments.write_prompts:
        print(json.dumps({"texts": write_prompts(arguments.write_prompts, sets)}))
        return
    if arguments.take_answers:
        print(json.dumps({"answers": take_answers(arguments.take_answers, sets)}))
        return
    answers = RecordedAnswers()
    groups = _groups(sets, answers, arguments.out)
    print(f"model reader {answers.told()}\n")
    for line in _table(groups):
        print(line)


def _groups(sets: Sequence[LabelledSet], answers: RecordedAnswers, out: Path | None) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    for labelled in sets:
        group = groups.setdefault(labelled.origin, Group())
        group.families |= {log.source: labelled.family_of(log.source) for log in labelled.logs}
        group.labels += labelled.labels
        by_rules = [claim.line() for log in labelled.logs for claim in audit(log)]
        by_model = list(answers.predictions(labelled))
        _write(out, rules=by_rules, model=by_model)
        answered = [label for label in labelled.labels if place_of(label) in answers.answered]
        group.add("rules", outcomes(labelled.labels, by_rules, labelled.matches))
        group.add("model", outcomes(answered, by_model, labelled.matches))
        group.add("number matching", list(number_matching(labelled)))
    for group in groups.values():
        group.add("coin", list(coin(group.labels)))
        group.add("classifier", classifier(group.labels))
    return groups


def _write(out: Path | None, **claims: Sequence[dict[str, Any]]) -> None:
    if out is None:
        return
    with out.open("a", encoding="utf-8") as lines:
        lines.writelines(
            json.dumps({"reader": name, **line}) + "\n" for name, found in claims.items() for line in found
        )


def _table(groups: dict[str, Group]) -> Iterator[str]:
    yield f"{'labels':34} {'reader':16} {'n':>4}  " + " ".join(f"{name:15}" for name in MEASURES)
    for origin, group in groups.items():
        for reader, found in group.found.items():
            if found:
                yield from _rows(origin, reader, found, group.families)
        yield ""


def _rows(origin: str, reader: str, found: Sequence[Outcome], families: dict[str, str]) -> Iterator[str]:
    yield _row(origin, reader, found)
    own = sorted({families[each.source] for each in found})
    if len(own) > 1:
        yield _row(f"{origin}, families drawn", reader, found, families)
        for family in own:
            yield _row(f"  {family}", reader, [each for each in found if families[each.source] == family])


def _row(name: str, reader: str, found: Sequence[Outcome], families: dict[str, str] | None = None) -> str:
    """Each measure with its interval where logs, or else families of logs, are drawn."""
    around = intervals(found, families or {each.source: each.source for each in found})
    is_handed = any(each.chance is not None for each in found)  # the claims, which a reader must find
    cells = (
        "-" if isnan(value) or (is_handed and measure in FINDING) else _cell(value, around[measure])
        for measure, value in agreement(found).items()
    )
    return f"{name:34} {reader:16} {len(found):>4}  " + " ".join(f"{cell:15}" for cell in cells)


def _cell(value: float, around: tuple[float, float]) -> str:
    return f"{value:.3f} {around[0]:.2f}-{around[1]:.2f}"


if __name__ == "__main__":
    main()
